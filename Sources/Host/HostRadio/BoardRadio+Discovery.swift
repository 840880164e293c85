import BoardProtocol
import Foundation
import RadioModel

// BlueZ discovers everything when it connects, so each answer is a part of its table.
extension BoardRadio {
    public func discoverServices(
        _ wanted: [BluetoothUUID]?, of device: DeviceAddress
    ) async throws -> [GATTService] { try await table(of: device).primary(wanted) }

    public func discoverIncludedServices(
        ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTService] { try await table(of: device).included(byService: service) }

    public func discoverCharacteristics(
        _ wanted: [BluetoothUUID]?, ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTCharacteristic] { try await table(of: device).characteristics(wanted, ofService: service) }

    public func discoverDescriptors(
        of characteristic: CharacteristicID, of device: DeviceAddress
    ) async throws -> [GATTDescriptor] { try await table(of: device).descriptors(of: characteristic) }

    public func forgetServices(of device: DeviceAddress) async throws { kept.forget(device) }

    public func readName(of device: DeviceAddress) async throws -> Data? { names.withLock { $0[device] } }

    /// Reads the name of a device that has just been connected. BlueZ subscribes to Service Changed after its discovery,
    /// so with the answer the device can report changes.
    func readNameWhenConnected(_ device: DeviceAddress) async throws {
        var value: Data?
        if let name = try await table(of: device).deviceName {
            do { value = try await read(name, of: device) } catch RadioError.attribute {}
        }
        names.withLock { $0[device] = value }
    }

    private func table(of device: DeviceAddress) async throws -> [GATTService] {
        let result = try await board.ask(.services(device))
        guard case .services(let services) = result else { throw unexpected(result, to: "services") }
        return kept.table(services, of: device)
    }
}
