import Foundation
import RadioModel

// Each answer is a part of the device's services.
extension InMemoryRadio {
    public func discoverServices(
        _ wanted: [BluetoothUUID]?, of device: DeviceAddress
    ) async throws -> [GATTService] { try await table(of: device, for: .services).primary(wanted) }

    public func discoverIncludedServices(
        ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTService] {
        try await table(of: device, for: .includedServices(service)).included(byService: service)
    }

    public func discoverCharacteristics(
        _ wanted: [BluetoothUUID]?, ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTCharacteristic] {
        try await table(of: device, for: .characteristics(service)).characteristics(wanted, ofService: service)
    }

    public func discoverDescriptors(
        of characteristic: CharacteristicID, of device: DeviceAddress
    ) async throws -> [GATTDescriptor] {
        try await table(of: device, for: .descriptors(characteristic)).descriptors(of: characteristic)
    }

    public func forgetServices(of device: DeviceAddress) async throws { state.withLock { $0.kept.forget(device) } }

    public func readName(of device: DeviceAddress) async throws -> Data? {
        guard let name = try await table(of: device, for: .name).deviceName else { return nil }
        return try await read(name, of: device)
    }

    private func table(of device: DeviceAddress, for request: AttributeRequest) async throws -> [GATTService] {
        try await peer(device).beforeAttributes?(request)
        let services = try peer(device).services
        return state.withLock { $0.kept.table(services, of: $0.current(device)) }
    }
}
