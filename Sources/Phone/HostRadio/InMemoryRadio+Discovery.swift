import Foundation
import RadioModel

// Each answer is a part of the device's services.
extension InMemoryRadio {
    package func discoverServices(
        _ wanted: [BluetoothUUID]?, of device: DeviceAddress
    ) async throws -> [GATTService] { try await table(of: device, for: .services).primary(wanted) }

    package func discoverIncludedServices(
        ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTService] {
        try await table(of: device, for: .includedServices(service)).included(byService: service)
    }

    package func discoverCharacteristics(
        _ wanted: [BluetoothUUID]?, ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTCharacteristic] {
        try await table(of: device, for: .characteristics(service)).characteristics(wanted, ofService: service)
    }

    package func discoverDescriptors(
        of characteristic: CharacteristicID, of device: DeviceAddress
    ) async throws -> [GATTDescriptor] {
        try await table(of: device, for: .descriptors(characteristic)).descriptors(of: characteristic)
    }

    package func forgetServices(of device: DeviceAddress) async throws { state.withLock { $0.kept.forget(device) } }

    package func readName(of device: DeviceAddress) async throws -> Data? {
        guard let name = try await table(of: device, for: .name).deviceName else { return nil }
        return try await read(name, of: device)
    }

    private func table(of device: DeviceAddress, for request: AttributeRequest) async throws -> [GATTService] {
        try await peer(device).beforeAttributes?(request)
        let services = try peer(device).services
        return state.withLock { $0.kept.table(services, of: $0.current(device)) }
    }
}
