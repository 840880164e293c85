import Foundation
import HILTiming
import HostRadio
import RadioModel

/// The phone's own operations on each link.
extension PhoneBluetooth {
    /// Connects the radio to a peripheral, and gives the ATT MTU of the moment when the link is up, in bytes.
    func connect(_ peripheral: UUID, on phone: Phone) async -> Result<Int, CentralFailure> {
        await attempt("connecting", on: phone) {
            let device = try address(of: peripheral, on: phone)
            if !phone.policy.keepsTables { try await phone.radio.forgetServices(of: device) }
            try await phone.radio.connect(device)
            return try await phone.radio.mtu(of: device)
        }
    }

    /// The ATT MTU of the link to a peripheral in bytes; nil without a link.
    ///
    /// Apps find the one that was agreed on when services are discovered, not always when they are connected:
    /// pauldemarco/flutter_blue#369.
    func mtu(of peripheral: UUID, on phone: Phone) async -> Int? {
        guard let device = phone.identifiers.address(of: peripheral) else { return nil }
        return try? await phone.radio.mtu(of: device)
    }

    /// Reads a connected peripheral's own name (C11); nil if it has none, refuses, or is gone.
    func readName(of peripheral: UUID, on phone: Phone) async -> String? {
        guard phone.policy.readsNameWhenConnected, let device = phone.identifiers.address(of: peripheral) else {
            return nil
        }
        let request = begin(words(forNameOf: peripheral))
        defer { end(request) }
        // Nobody waits for it, so a failure is no news: an app that uses the link hears of its end.
        guard let value = try? await phone.radio.readName(of: device) else { return nil }
        let name = String(decoding: value, as: UTF8.self)
        let time = (ContinuousClock.now - request.began).short
        phone.record(.note("Bluetooth", "\(request.what): “\(name)” after \(time)"))
        return name
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
