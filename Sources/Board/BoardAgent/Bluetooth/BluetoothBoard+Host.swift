import BlueZ
import BoardProtocol
import DBus
import FoundationEssentials
import POSIX
import RadioModel
import Timing

/// The host's role: the Bluetooth radio of a phone.
extension BluetoothBoard {
    /// Starts or stops to tell of what is heard.
    package func discover(_ isOn: Bool) async throws(RadioError) {
        if isOn { try requirePower() }
        shared.state.withLock { state in
            state.isDiscovering = isOn
            if isOn { state.filter.reset() }
        }
        do {
            let adapter = try await adapter()
            try management().setReportsDuplicates(isOn, controller: adapter.number)
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
    package func connect(_ address: DeviceAddress) async throws(RadioError) {
        try requirePower()
        let timesOff = timesOff
        do throws(RadioError) { try await connectNow(address) } catch {
            throw self.timesOff == timesOff ? error : .bluetoothOff
        }
    }

    private func connectNow(_ address: DeviceAddress) async throws(RadioError) {
        let device = try await heardDevice(address)
        connecting.insert(address)
        defer { connecting.remove(address) }
        let limit = Duration.seconds(25)
        let current = shared.current(address)
        let isLinked = device.isConnected && shared.state.withLock { $0.links.contains(current) }
        do { try await device.connect(isLinked: isLinked, within: limit) } catch let error as BusError {
            guard error.name == BusError.Name.noReply else { throw RadioError(connecting: error) }
            // bluetoothd would go on trying.
            try? await device.cancelConnecting(within: Self.promptLimit)
            throw .connectionFailed("the device did not answer within \(limit.short)")
        } catch let error as TimedOut {
            throw .connectionFailed(error.description)
        } catch { throw RadioError(rig: error) }
    }

    /// Disconnects, and returns when the link is gone; an attempt to connect is given up.
    package func disconnect(_ address: DeviceAddress) async throws(RadioError) {
        let device = try device(address)
        do {
            if connecting.contains(address), !device.isConnected {
                try await device.cancelConnecting(within: Self.promptLimit)
            }
            try await drop(device)
        } catch { throw RadioError(rig: error) }
    }

    /// Pairs; asks through ``RadioEvent/confirmPasskey(_:passkey:)`` in between.
    ///
    /// A device that is paired already stays so. If the link is pairing already, because the peer asked for it or a
    /// protected value was touched, that pairing counts.
    package func pair(_ address: DeviceAddress) async throws(RadioError) -> Bond {
        try requirePower()
        let timesOff = timesOff
        pairing.insert(address)
        defer { pairing.remove(address) }
        let result: Result<Bond, RadioError>
        do throws(RadioError) { result = .success(try await pairNow(address)) } catch { result = .failure(error) }
        // Whatever came of it: the phone has given the pairing up.
        guard self.timesOff == timesOff else { throw .bluetoothOff }
        return try result.get()
    }

    private func pairNow(_ address: DeviceAddress) async throws(RadioError) -> Bond {
        let device = try device(address)
        let place = pairings.count
        do throws(BusError) { try await device.pair(within: .seconds(55)) } catch {
            switch error.name {
            case BlueZ.ErrorName.alreadyExists:
                let bond = pairings.events.last { shared.current($0.address) == shared.current(address) }?.bond
                if let bond { return bond }
                throw .rig("\(address) is paired, and the kernel told no key")
            case BlueZ.ErrorName.inProgress: break
            case BusError.Name.noReply: throw .pairingFailed(error.message)
            default: throw RadioError(pairing: error)
            }
            return try await outcome(of: address, from: place, within: .seconds(40))
        }
        // The kernel tells of the key at about the time when bluetoothd answers.
        return try await outcome(of: address, from: place, within: .seconds(5))
    }

    private func outcome(
        of address: DeviceAddress, from place: Int, within limit: Duration
    ) async throws(RadioError) -> Bond {
        let record: PairingRecord
        do {
            // Of a device with a private address the kernel tells under its own.
            record = try await pairings.first(
                from: place, within: limit, waitingFor: "the key of the bond, which the kernel tells"
            ) { [shared] in shared.current($0.address) == shared.current(address) }.event
        } catch { throw .rig("\(error)") }
        guard let bond = record.bond else { throw .pairingFailed("Authentication Failed") }
        return bond
    }

    /// Connects by classic Bluetooth with the key that pairing by LE made for it, and lets go again.
    ///
    /// - Parameter port: Of the channel that is opened for it (PSM).
    func bridge(_ address: DeviceAddress, port: UInt16) async throws(RadioError) -> BridgeLink {
        let device = try device(address)
        guard let address = device.address, let key = shared.state.withLock({ $0.classicKeys[address] }) else {
            throw .pairingFailed(
                "no key for classic Bluetooth came of it: the accessory's LE pairing distributes no link key")
        }
        do {
            let channel = try await withDeadline(.seconds(20), waitingFor: "the classic channel of \(address)") {
                try await ClassicChannel.connect(to: address, port: port)
            }
            let link = BridgeLink(address: address, key: key, keySize: try ClassicChannel.keySize(of: channel))
            // The accessory waits for a greeting, and hangs up when it has seen who is there.
            try channel.write([0])
            try await withDeadline(Self.promptLimit, waitingFor: "\(address) to hang up the classic channel") {
                try await waitUntilReady(channel)
            }
            channel.close()
            let reply = try await management().ask(
                .disconnectClassic(address), controller: adapter().number, within: Self.promptLimit)
            guard reply.status == 0 || reply.status == ManagementReply.notConnected else {
                throw RadioError.rig("the kernel does not end the classic link: status 0x\(Hex.text([reply.status]))")
            }
            try await preferLE(device, address)
            // With the classic link bluetoothd forgets that the services are resolved: LE begins anew, too.
            try await drop(device)
            return link
        } catch let error as SystemError {
            throw .connectionFailed("\(error)")
        } catch let error as TimedOut {
            throw .connectionFailed("\(error)")
        } catch { throw RadioError(rig: error) }
    }

    /// Has bluetoothd connect a device by LE when asked for, and only then.
    private func preferLE(_ device: Device, _ address: DeviceAddress) async throws {
        guard !device.prefersLE else { return }
        let place = additions.count
        try await device.preferLE(within: Self.promptLimit)
        // A phone's links are for its apps to ask for: the kernel must not make them by itself.
        _ = try await additions.first(
            from: place, within: Self.promptLimit, waitingFor: "the kernel to be told of \(address)"
        ) { $0 == address }
        try await order(.removeDevice(address, isRandom: device.isRandom))
    }

    /// How strongly a connected device is heard, dBm.
    package func signal(_ address: DeviceAddress) async throws(RadioError) -> Int {
        let device = try device(address)
        guard device.isConnected, let address = device.address else { throw .notConnected }
        let reply: ManagementReply
        do {
            reply = try await management().ask(
                .connectionInformation(address, isRandom: device.isRandom), controller: adapter().number,
                within: Self.promptLimit)
        } catch { throw RadioError(rig: error) }
        if reply.status == ManagementReply.notConnected { throw .notConnected }
        guard let signal = reply.signal else { throw .rig("the kernel does not tell how strongly \(address) is heard") }
        return signal
    }

    package func readDescriptor(_ address: DeviceAddress, _ descriptor: DescriptorID) async throws(RadioError) -> Data {
        let (client, path) = try attribute(descriptor, of: address)
        return try await untilLinkLoss(address) { () throws(BusError) in
            try await client.read(path, of: BlueZ.Interface.descriptor, within: .seconds(28))
        }
    }

    package func writeDescriptor(
        _ address: DeviceAddress, _ descriptor: DescriptorID, value: Data
    ) async throws(RadioError) {
        let (client, path) = try attribute(descriptor, of: address)
        try await untilLinkLoss(address) { () throws(BusError) in
            try await client.write(value, toDescriptor: path, within: .seconds(28))
        }
    }

    /// The person's answer to ``RadioEvent/confirmPasskey(_:passkey:)``.
    package func answerPairing(_ address: DeviceAddress, accept: Bool) async throws(RadioError) {
        let address = shared.current(address)
        guard let answer = shared.state.withLock({ $0.questions.removeValue(forKey: address) }) else {
            throw .invalid("no pairing with \(address) waits for an answer")
        }
        answer(accept)
    }

    /// The services of a connected device.
    package func services(_ address: DeviceAddress) async throws(RadioError) -> [GATTService] {
        try client(address).services
    }

    package func mtu(_ address: DeviceAddress) async throws(RadioError) -> Int { try client(address).mtu }

    package func read(_ address: DeviceAddress, _ characteristic: CharacteristicID) async throws(RadioError) -> Data {
        let (client, path) = try attribute(characteristic, of: address)
        return try await untilLinkLoss(address) { () throws(BusError) in
            try await client.read(path, within: .seconds(28))
        }
    }

    package func write(
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
        guard let device = try started().device(shared.current(address)) else { throw .unknownDevice(address) }
        return device
    }

    /// A device that is there, or that the kernel told of a moment ago and bluetoothd is yet to tell of.
    private func heardDevice(_ address: DeviceAddress) async throws(RadioError) -> Device {
        guard shared.state.withLock({ $0.filter.remembers(address) }) else { return try device(address) }
        let daemon = try started()
        do { return try await daemon.device(shared.current(address), within: .seconds(2)) } catch {
            throw .unknownDevice(address)
        }
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

    private func attribute(
        _ descriptor: DescriptorID, of address: DeviceAddress
    ) throws(RadioError) -> (GATTClient, path: String) {
        let client = try client(address)
        guard let path = client.path(of: descriptor) else {
            throw .invalid("\(address) has no descriptor with the handle \(descriptor.handle)")
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
