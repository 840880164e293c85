import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILDBus
import RadioModel

/// The role of the host: access to the attributes of connected devices.
extension BluetoothBoard {
    package func services(_ address: DeviceAddress) async throws(RadioError) -> [GATTService] {
        let device = try device(address)
        let services = try client(address).services
        tables[device.path] = services
        return services
    }

    package func mtu(_ address: DeviceAddress) async throws(RadioError) -> Int { try client(address).mtu }

    package func read(_ address: DeviceAddress, _ characteristic: CharacteristicID) async throws(RadioError) -> Data {
        let (client, path) = try attribute(characteristic, of: address)
        return try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.read(path, within: .seconds(28))
        }
    }

    package func write(
        _ address: DeviceAddress, _ characteristic: CharacteristicID, value: Data, withResponse: Bool
    ) async throws(RadioError) {
        let (client, path) = try attribute(characteristic, of: address)
        let longest = withResponse ? 512 : client.mtu - 3
        guard value.count <= longest else {
            throw .invalid("\(value.count) bytes are more than the \(longest) that one write to \(address) can carry")
        }
        try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.write(value, to: path, withResponse: withResponse, within: .seconds(28))
        }
    }

    /// Subscribes or unsubscribes. Returns when the peer has accepted.
    package func setNotifying(
        _ address: DeviceAddress, _ characteristic: CharacteristicID, _ isOn: Bool
    ) async throws(RadioError) {
        let key = Subscription(address: address, characteristic: characteristic)
        guard isOn else {
            guard let channel = subscriptions.removeValue(forKey: key) else { return }
            let (client, _) = try attribute(characteristic, of: address)
            do { try await client.unsubscribe(channel, within: Self.promptLimit) } catch {
                throw RadioError(rig: error)
            }
            return
        }
        let (client, path) = try attribute(characteristic, of: address)
        if let old = subscriptions[key] {
            guard old.hasEnded else { return }
            subscriptions[key] = nil
        }
        let tell: @Sendable (Data) -> Void = { [role, emit, weak self] value in
            guard role == .host else { return self?.listener?.take(.heard(address, value)) ?? () }
            emit(.radio(.valueChanged(address, characteristic, value: value)))
        }
        subscriptions[key] = try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.subscribe(to: path, within: .seconds(28), tell)
        }
    }

    package func readDescriptor(_ address: DeviceAddress, _ descriptor: DescriptorID) async throws(RadioError) -> Data {
        let (client, path) = try attribute(descriptor, of: address)
        return try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.read(path, of: BlueZ.Interface.descriptor, within: .seconds(28))
        }
    }

    package func writeDescriptor(
        _ address: DeviceAddress, _ descriptor: DescriptorID, value: Data
    ) async throws(RadioError) {
        let (client, path) = try attribute(descriptor, of: address)
        try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.write(value, toDescriptor: path, within: .seconds(28))
        }
    }

    /// How long bluetoothd must report no other service after it discovered a changed table. It reports each service
    /// separately, and no end.
    private static let serviceQuiet = Duration.milliseconds(400)
    /// The same while it has only removed services: it removes them first, and then discovers the new ones.
    private static let removalQuiet = Duration.seconds(1)

    /// Reports that a device has changed its services, when bluetoothd has discovered all of them.
    ///
    /// After pairing, bluetoothd discovers the same services again. That is not reported.
    func awaitServices(of path: String, isNew: Bool) {
        if isNew { renewed.insert(path) }
        let quiet = renewed.contains(path) ? Self.serviceQuiet : Self.removalQuiet
        serviceChanges[path]?.cancel()
        serviceChanges[path] = Task {
            guard (try? await Task.sleep(for: quiet)) != nil else { return }
            renewed.remove(path)
            serviceChanges[path] = nil
            guard shared.state.withLock({ $0.resolved.contains(path) }), let daemon = try? started(),
                let address = daemon.address(ofDeviceAt: path), let before = tables[path],
                let now = try? client(address).services, now != before
            else { return }
            tables[path] = now
            // A subscription to a characteristic that is gone would keep a new one from being made.
            subscriptions = subscriptions.filter { $0.key.address != address || !$0.value.hasEnded }
            emit(.radio(.servicesChanged(address)))
        }
    }

    /// A subscription to one characteristic of one device.
    struct Subscription: Hashable {
        let address: DeviceAddress
        let characteristic: CharacteristicID
    }

    private func client(_ address: DeviceAddress) throws(RadioError) -> GATTClient {
        let device = try device(address)
        guard device.isConnected else { throw .notConnected }
        return GATTClient(device)
    }

    /// Core Specification 6.0, Vol 3, Part F, 3.4.1.1.
    private static let invalidHandle: UInt8 = 0x01

    private func attribute(
        _ characteristic: CharacteristicID, of address: DeviceAddress
    ) throws(RadioError) -> (GATTClient, path: String) {
        let client = try client(address)
        guard let path = client.path(of: characteristic) else {
            // As the peer itself would answer: the phone may use a table that is no longer valid.
            throw .attribute(code: Self.invalidHandle)
        }
        return (client, path)
    }

    private func attribute(
        _ descriptor: DescriptorID, of address: DeviceAddress
    ) throws(RadioError) -> (GATTClient, path: String) {
        let client = try client(address)
        guard let path = client.path(of: descriptor) else {
            throw .attribute(code: Self.invalidHandle)
        }
        return (client, path)
    }
}
