import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILDBus
import HILTiming
import RadioModel

/// An accessory as a client: it uses the services of a connected phone, by the UUIDs of their characteristics.
extension BluetoothBoard {
    /// How long the peer may take to answer a request.
    private static let requestLimit = Duration.seconds(28)

    func read(_ characteristic: BluetoothUUID, of address: DeviceAddress) async throws(RadioError) -> Data {
        let (client, path) = try await self.characteristic(characteristic, of: address)
        return try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.read(path, within: Self.requestLimit)
        }
    }

    func write(
        _ value: Data, to characteristic: BluetoothUUID, of address: DeviceAddress, withResponse: Bool
    ) async throws(RadioError) {
        let (client, path) = try await self.characteristic(characteristic, of: address)
        let longest = withResponse ? 512 : client.mtu - 3
        guard value.count <= longest else {
            throw .invalid("\(value.count) bytes are more than the \(longest) that one write to \(address) can carry")
        }
        try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.write(value, to: path, withResponse: withResponse, within: Self.requestLimit)
        }
    }

    /// Subscribes or unsubscribes. Returns when the peer has accepted.
    func setNotifying(
        _ isOn: Bool, for characteristic: BluetoothUUID, of address: DeviceAddress
    ) async throws(RadioError) {
        let key = Subscription(address: address, characteristic: characteristic)
        guard isOn else {
            guard let channel = subscriptions.removeValue(forKey: key) else { return }
            do { try await client(address).unsubscribe(channel, within: Self.promptLimit) } catch {
                throw RadioError(rig: error)
            }
            return
        }
        let (client, path) = try await self.characteristic(characteristic, of: address)
        if let old = subscriptions[key] {
            guard old.hasEnded else { return }
            subscriptions[key] = nil
        }
        let tell: @Sendable (Data) -> Void = { [weak self] value in self?.listener?.take(.heard(address, value)) }
        subscriptions[key] = try await cancellingOnLinkLoss(address) { () throws(BusError) in
            try await client.subscribe(to: path, within: Self.requestLimit, tell)
        }
    }

    /// A subscription to one characteristic of one device.
    struct Subscription: Hashable {
        let address: DeviceAddress
        let characteristic: BluetoothUUID
    }

    private func client(_ address: DeviceAddress) throws(RadioError) -> BoardGATTClient {
        let device = try device(address)
        guard device.isConnected else { throw .notConnected }
        return BoardGATTClient(device)
    }

    /// The first characteristic of a connected device with this UUID. Waits until its services are discovered.
    private func characteristic(
        _ uuid: BluetoothUUID, of address: DeviceAddress
    ) async throws(RadioError) -> (BoardGATTClient, path: String) {
        try await awaitDiscovery(of: address)
        let client = try client(address)
        if let path = client.path(of: uuid) { return (client, path) }
        do { try await device(address).hearServices(within: Self.promptLimit) } catch { throw RadioError(rig: error) }
        guard let path = client.path(of: uuid) else { throw .invalid("\(address) has no characteristic \(uuid)") }
        return (client, path)
    }

    /// Waits until bluetoothd has discovered the services of a connected device.
    private func awaitDiscovery(of address: DeviceAddress) async throws(RadioError) {
        let path: String
        do {
            // The kernel tells the identity of a phone that has just been bonded before bluetoothd does.
            path = try await started().device(shared.current(address), within: Self.promptLimit).path
        } catch { throw error is TimedOut ? .unknownDevice(address) : RadioError(rig: error) }
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

    /// Runs a call to a peer, and cancels it when the link is lost: bluetoothd leaves some calls unanswered then.
    private func cancellingOnLinkLoss<Value: Sendable>(
        _ address: DeviceAddress, _ body: @escaping @Sendable () async throws(BusError) -> Value
    ) async throws(RadioError) -> Value {
        let call = Task { () async -> Result<Value, BusError> in
            do throws(BusError) { return .success(try await body()) } catch { return .failure(error) }
        }
        let address = shared.current(address)
        let token = shared.state.withLock { state in
            state.lastCall += 1
            state.calls[address, default: [:]][state.lastCall] = { call.cancel() }
            return state.lastCall
        }
        defer { shared.state.withLock { $0.calls[address]?[token] = nil } }
        let result = await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            call.cancel()
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw RadioError(attribute: error)
        }
    }
}
