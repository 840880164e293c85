import BlueZ
import BoardProtocol
import DBus
import FoundationEssentials
import RadioModel
import Timing

/// The host's role: the Bluetooth radio of a phone.
extension BluetoothBoard {
    /// Bluetooth on or off.
    public func setPower(_ isOn: Bool) async throws(RadioError) {
        do { try await adapter().setPowered(isOn, within: Self.promptLimit) } catch { throw RadioError(rig: error) }
    }

    /// Starts or stops to tell of what is heard.
    public func discover(_ isOn: Bool) async throws(RadioError) {
        shared.state.withLock { state in
            state.isDiscovering = isOn
            state.filter.reset()
        }
        do {
            let adapter = try await adapter()
            if isOn {
                try await adapter.startDiscovery(within: Self.promptLimit)
            } else {
                try await adapter.stopDiscovery(within: Self.promptLimit)
            }
        } catch {
            shared.state.withLock { $0.isDiscovering = false }
            throw RadioError(rig: error)
        }
    }

    /// Connects, and returns when the services are resolved.
    public func connect(_ address: DeviceAddress) async throws(RadioError) {
        let device = try device(address)
        do { try await device.connect(within: .seconds(25)) } catch let error as BusError {
            throw error.name == BusError.Name.noReply
                ? .connectionFailed(error.message) : RadioError(connecting: error)
        } catch let error as TimedOut {
            throw .connectionFailed(error.description)
        } catch { throw RadioError(rig: error) }
    }

    /// Disconnects, and returns when the link is gone.
    public func disconnect(_ address: DeviceAddress) async throws(RadioError) {
        let device = try device(address)
        do { try await device.disconnect(within: Self.promptLimit) } catch { throw RadioError(rig: error) }
    }

    /// Pairs; asks through ``RadioEvent/confirmPasskey(_:passkey:)`` in between.
    public func pair(_ address: DeviceAddress) async throws(RadioError) -> Bond {
        let device = try device(address)
        do throws(BusError) { try await device.pair(within: .seconds(55)) } catch {
            throw error.name == BusError.Name.noReply ? .pairingFailed(error.message) : RadioError(pairing: error)
        }
        do {
            // The kernel tells of the key at about the time when bluetoothd answers.
            _ = try await bonds.first(within: .seconds(5), waitingFor: "the key of the bond") { $0.address == address }
        } catch { throw .rig("\(error), which the kernel tells") }
        guard let record = bonds.events.last(where: { $0.address == address }) else {
            throw .rig("the bond with \(address) is not there")
        }
        return record.bond
    }

    /// The person's answer to ``RadioEvent/confirmPasskey(_:passkey:)``.
    public func answerPairing(_ address: DeviceAddress, accept: Bool) async throws(RadioError) {
        guard let answer = shared.state.withLock({ $0.questions.removeValue(forKey: address) }) else {
            throw .invalid("no pairing with \(address) waits for an answer")
        }
        answer(accept)
    }

    /// Deletes the bond and everything known of the device; one that is not known is forgotten already.
    public func forget(_ address: DeviceAddress) async throws(RadioError) {
        guard let device = try started().device(address) else { return }
        do { try await adapter().remove(device, within: Self.promptLimit) } catch { throw RadioError(rig: error) }
    }

    /// The services of a connected device.
    public func services(_ address: DeviceAddress) async throws(RadioError) -> [GATTService] {
        try client(address).services
    }

    public func mtu(_ address: DeviceAddress) async throws(RadioError) -> Int { try client(address).mtu }

    public func read(_ address: DeviceAddress, _ characteristic: CharacteristicID) async throws(RadioError) -> Data {
        let (client, path) = try attribute(characteristic, of: address)
        return try await untilLinkLoss(address) { () throws(BusError) in
            try await client.read(path, within: .seconds(28))
        }
    }

    public func write(
        _ address: DeviceAddress, _ characteristic: CharacteristicID, value: Data, withResponse: Bool
    ) async throws(RadioError) {
        let (client, path) = try attribute(characteristic, of: address)
        let longest = withResponse ? 512 : client.mtu - 3
        guard value.count <= longest else {
            throw .invalid("\(value.count) bytes are more than the \(longest) that one write to \(address) carries")
        }
        try await untilLinkLoss(address) { () throws(BusError) in
            try await client.write(value, to: path, withResponse: withResponse, within: .seconds(28))
        }
    }

    /// Subscribes or unsubscribes; returns when the peer has agreed.
    public func setNotifying(
        _ address: DeviceAddress, _ characteristic: CharacteristicID, _ isOn: Bool
    ) async throws(RadioError) {
        let key = Subscription(address: address, characteristic: characteristic)
        guard isOn else {
            guard let channel = subscriptions.removeValue(forKey: key) else { return }
            let (client, _) = try attribute(characteristic, of: address)
            do { try await client.unsubscribe(channel, within: Self.promptLimit) } catch { throw RadioError(rig: error) }
            return
        }
        let (client, path) = try attribute(characteristic, of: address)
        if let old = subscriptions[key] {
            guard old.hasEnded else { return }
            subscriptions[key] = nil
        }
        let emit = emit
        subscriptions[key] = try await untilLinkLoss(address) { () throws(BusError) in
            try await client.subscribe(to: path, within: .seconds(28)) { value in
                emit(.radio(.valueChanged(address, characteristic, value: value)))
            }
        }
    }

    // MARK: - Finding, and giving up

    /// One characteristic of one device that is subscribed to.
    struct Subscription: Hashable {
        let address: DeviceAddress
        let characteristic: CharacteristicID
    }

    private func device(_ address: DeviceAddress) throws(RadioError) -> Device {
        guard let device = try started().device(address) else { throw .unknownDevice(address) }
        return device
    }

    private func client(_ address: DeviceAddress) throws(RadioError) -> GATTClient {
        let device = try device(address)
        guard device.isConnected else { throw .notConnected }
        return GATTClient(device)
    }

    private func attribute(
        _ characteristic: CharacteristicID, of address: DeviceAddress
    ) throws(RadioError) -> (GATTClient, path: String) {
        let client = try client(address)
        guard let path = client.path(of: characteristic) else {
            throw .invalid("\(address) has no characteristic with the handle \(characteristic.handle)")
        }
        return (client, path)
    }

    /// Runs a call to a peer, and gives it up when the link is lost: bluetoothd then leaves some calls unanswered.
    private func untilLinkLoss<Value: Sendable>(
        _ address: DeviceAddress, _ body: @escaping @Sendable () async throws(BusError) -> Value
    ) async throws(RadioError) -> Value {
        let call = Task { () async -> Result<Value, BusError> in
            do throws(BusError) { return .success(try await body()) } catch { return .failure(error) }
        }
        let token = shared.state.withLock { state in
            state.lastCall += 1
            state.calls[address, default: [:]][state.lastCall] = { call.cancel() }
            return state.lastCall
        }
        defer { shared.state.withLock { $0.calls[address]?[token] = nil } }
        let result = await withTaskCancellationHandler { await call.value } onCancel: { call.cancel() }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw RadioError(attribute: error)
        }
    }
}
