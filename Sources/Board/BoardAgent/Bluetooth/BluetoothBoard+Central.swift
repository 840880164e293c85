import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILTiming
import RadioModel

/// An accessory as the central of a link: it looks for a phone that advertises, connects and uses its services.
extension BluetoothBoard {
    /// Looks for a device that advertises a service, and returns its address.
    func find(_ service: BluetoothUUID, within limit: Duration) async throws -> DeviceAddress {
        let place = found.count
        try await discover(true)
        let address: DeviceAddress
        do {
            address = try await found.first(
                from: place, within: limit, waitingFor: "a device that advertises \(service)"
            ) { $0.serviceUUIDs.contains(service) }.event.address
        } catch {
            try? await discover(false)
            throw error is TimedOut ? RadioError.connectionFailed("\(error)") : error
        }
        try await discover(false)
        return address
    }

    /// The first characteristic of a connected device with this UUID. Waits until its services are discovered.
    func characteristic(_ uuid: BluetoothUUID, of address: DeviceAddress) async throws(RadioError) -> CharacteristicID {
        try await awaitDiscovery(of: address)
        let all = try await services(address).flatMap(\.characteristics)
        guard let found = all.first(where: { $0.uuid == uuid }) else {
            throw .invalid("\(address) has no characteristic \(uuid)")
        }
        return found.id
    }

    /// Waits until bluetoothd has discovered the services of a connected device.
    private func awaitDiscovery(of address: DeviceAddress) async throws(RadioError) {
        let path = try device(address).path
        do {
            _ = try await started().objects.first(
                within: Self.promptLimit, waitingFor: "bluetoothd to discover the services of \(address)"
            ) { $0[path]?[BlueZ.Interface.device]?["ServicesResolved"]?.asBool == true ? true : nil }
        } catch {
            throw error is TimedOut
                ? .invalid("\(error); an accessory that did not connect itself must be a client of phones: `usesPhone`")
                : RadioError(rig: error)
        }
    }
}
