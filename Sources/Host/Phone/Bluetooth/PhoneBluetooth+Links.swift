import Foundation
import HostRadio
import RadioModel

/// The phone's own operations on each link.
extension PhoneBluetooth {
    private static let genericAccess = BluetoothUUID("1800")!  // Four hexadecimal digits.
    private static let genericAttribute = BluetoothUUID("1801")!  // Four hexadecimal digits.
    private static let serviceChanged = BluetoothUUID("2A05")!  // Four hexadecimal digits.
    private static let deviceName = BluetoothUUID("2A00")!  // Four hexadecimal digits.

    /// Reads a connected peripheral's own name (C11); nil if it has none, or refuses.
    func name(of device: DeviceAddress, with services: [GATTService], on phone: Phone) async -> String? {
        let access = services.first { $0.uuid == Self.genericAccess }
        guard phone.policy.readsNameWhenConnected,
            let name = access?.characteristics.first(where: { $0.uuid == Self.deviceName })?.id,
            let value = try? await phone.radio.read(name, of: device)
        else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    /// The services of a peripheral, as apps see them (C12): those that were read now, or the earlier ones if the
    /// peripheral has no means to report a change of them.
    func table(_ services: [GATTService], of peripheral: UUID, on phone: Phone) -> [GATTService] {
        let generic = services.first { $0.uuid == Self.genericAttribute }
        let tellsChanges = generic?.characteristics.contains { $0.uuid == Self.serviceChanged } ?? false
        return keepTable(services, of: peripheral, isFinal: !tellsChanges && phone.policy.keepsTables)
    }

    /// Answers a peripheral's request for other connection parameters (C14): an iPhone refuses those that Apple's
    /// guidelines do not allow.
    func judge(_ wanted: ConnectionParameters, of device: DeviceAddress, on phone: Phone) {
        let problems = phone.policy.connectionLimits.problems(with: wanted)
        if !problems.isEmpty {
            let text = "asked for \(wanted), which an iPhone refuses: " + problems.joined(separator: "; ")
            phone.record(.warning(rule: "C14", "\(device) \(text)"))
        }
        let own = problems.isEmpty ? nil : phone.policy.connectionParameters
        Task {
            do { try await phone.radio.answerParameters(wanted, of: device, keeping: own) } catch {
                phone.note(error, during: "answering a request for connection parameters", by: "Bluetooth")
            }
        }
    }

    /// Changes the connection parameters of a link to those that the phone wants now, as a phone itself does when an
    /// app needs its accessory more, or less.
    public func changeParameters(of peripheral: UUID, to parameters: ConnectionParameters) async throws {
        try await phone.radio.setConnectionParameters(parameters, of: address(of: peripheral, on: phone))
    }
}
