import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILDBus
import HILPOSIX
import HILTiming
import RadioModel

/// The role of the host: the Bluetooth radio of a phone.
extension BluetoothBoard {
    /// How long bluetoothd may take to start or stop the discovery. First it handles the received advertisements. With
    /// many devices, on an emulated board that shares a processor, that takes more than ten seconds.
    private static let discoveryLimit = Duration.seconds(25)

    /// Starts or stops reporting advertisements.
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
                try await adapter.startDiscovery(within: Self.discoveryLimit)
            } else {
                try await adapter.stopDiscovery(within: Self.discoveryLimit)
            }
        } catch {
            shared.state.withLock { $0.isDiscovering = false }
            throw RadioError(rig: error)
        }
    }

    /// Connects, and returns when the services are discovered.
    package func connect(_ address: DeviceAddress) async throws(RadioError) {
        try requirePower()
        let powerOffCount = powerOffCount
        do throws(RadioError) { try await connectNow(address) } catch {
            throw self.powerOffCount == powerOffCount ? error : .bluetoothOff
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
            // Otherwise bluetoothd would keep trying.
            try? await device.cancelConnecting(within: Self.promptLimit)
            throw .connectionFailed("the device did not answer within \(limit.short)")
        } catch let error as TimedOut {
            throw .connectionFailed(error.description)
        } catch { throw RadioError(rig: error) }
    }

    /// Disconnects, and returns when the link is gone. Cancels an attempt to connect.
    package func disconnect(_ address: DeviceAddress) async throws(RadioError) {
        let device = try device(address)
        do {
            if connecting.contains(address), !device.isConnected {
                try await device.cancelConnecting(within: Self.promptLimit)
            }
            try await drop(device)
        } catch { throw RadioError(rig: error) }
    }

    /// Pairs. May ask through ``RadioEvent/confirmPasskey(_:passkey:)`` meanwhile.
    ///
    /// A paired device stays paired. If the link is already pairing, because the peer asked for it or a protected value
    /// was accessed, that pairing is used.
    package func pair(_ address: DeviceAddress) async throws(RadioError) -> Bond {
        try requirePower()
        let powerOffCount = powerOffCount
        pairing.insert(address)
        defer { pairing.remove(address) }
        let result: Result<Bond, RadioError>
        do throws(RadioError) { result = .success(try await pairNow(address)) } catch { result = .failure(error) }
        // Bluetooth was switched off: the phone has given up the pairing, whatever its result.
        guard self.powerOffCount == powerOffCount else { throw .bluetoothOff }
        return try result.get()
    }

    private func pairNow(_ address: DeviceAddress) async throws(RadioError) -> Bond {
        let device = try await heardDevice(address)
        let place = pairings.count
        do throws(BusError) { try await device.pair(within: .seconds(55)) } catch {
            switch error.name {
            case BlueZ.ErrorName.alreadyExists:
                let bond = pairings.events.last { shared.current($0.address) == shared.current(address) }?.bond
                if let bond { return bond }
                throw .rig("\(address) is paired, but the kernel reported no key")
            case BlueZ.ErrorName.inProgress: break
            case BusError.Name.noReply: throw .pairingFailed(error.message)
            default: throw RadioError(pairing: error)
            }
            return try await outcome(of: address, from: place, within: .seconds(40))
        }
        // The kernel reports the key at about the time when bluetoothd answers.
        return try await outcome(of: address, from: place, within: .seconds(5))
    }

    private func outcome(
        of address: DeviceAddress, from place: Int, within limit: Duration
    ) async throws(RadioError) -> Bond {
        let record: PairingRecord
        do {
            // For a device with a private address, the kernel reports the identity address.
            record = try await pairings.first(
                from: place, within: limit, waitingFor: "the kernel to report the key of the bond"
            ) { [shared] in shared.current($0.address) == shared.current(address) }.event
        } catch { throw .rig("\(error)") }
        guard let bond = record.bond else { throw .pairingFailed("Authentication Failed") }
        return bond
    }

    /// Connects by classic Bluetooth with the key from pairing by LE, then disconnects.
    ///
    /// - Parameter port: The PSM of the channel to open.
    func bridge(_ address: DeviceAddress, port: UInt16) async throws(RadioError) -> ClassicLink {
        let device = try device(address)
        guard let address = device.address, let key = shared.state.withLock({ $0.classicKeys[address] }) else {
            throw .pairingFailed(
                "pairing gave no key for classic Bluetooth: the accessory's LE pairing distributes no link key")
        }
        do {
            let channel = try await withDeadline(.seconds(20), waitingFor: "the classic channel of \(address)") {
                try await ClassicChannel.connect(to: address, port: port)
            }
            let link = ClassicLink(address: address, key: key, keySize: try ClassicChannel.keySize(of: channel))
            // The accessory waits for a byte, and closes the channel after it has read the phone's address.
            try channel.write([0])
            try await withDeadline(Self.promptLimit, waitingFor: "\(address) to hang up the classic channel") {
                try await waitUntilReady(channel)
            }
            channel.close()
            let reply = try await management().ask(
                .disconnectClassic(address), controller: controller(), within: Self.promptLimit)
            guard reply.status == 0 || reply.status == ManagementReply.notConnected else {
                throw RadioError.rig("the kernel did not end the classic link: status 0x\(Hex.text([reply.status]))")
            }
            try await preferLE(device, address)
            // With the classic link, bluetoothd also forgets the discovered services: LE must connect again.
            try await drop(device)
            return link
        } catch let error as SystemError {
            throw .connectionFailed("\(error)")
        } catch let error as TimedOut {
            throw .connectionFailed("\(error)")
        } catch { throw RadioError(rig: error) }
    }

    /// Makes bluetoothd connect a device by LE, and only on request.
    private func preferLE(_ device: Device, _ address: DeviceAddress) async throws {
        guard !device.prefersLE else { return }
        let place = additions.count
        try await device.preferLE(within: Self.promptLimit)
        // Only a phone's apps may ask for links: the kernel must not connect automatically.
        _ = try await additions.first(
            from: place, within: Self.promptLimit, waitingFor: "bluetoothd to add \(address) in the kernel"
        ) { $0 == address }
        try await order(.removeDevice(address, isRandom: device.isRandom))
    }

    /// The signal strength of a connected device, dBm.
    package func signal(_ address: DeviceAddress) async throws(RadioError) -> Int {
        let device = try device(address)
        guard device.isConnected, let address = device.address else { throw .notConnected }
        let reply: ManagementReply
        do {
            reply = try await management().ask(
                .connectionInformation(address, isRandom: device.isRandom), controller: controller(),
                within: Self.promptLimit)
        } catch { throw RadioError(rig: error) }
        if reply.status == ManagementReply.notConnected { throw .notConnected }
        guard let signal = reply.signal else { throw .rig("the kernel does not report the signal of \(address)") }
        return signal
    }

    /// Changes the parameters of the link to a connected device.
    func changeParameters(_ address: DeviceAddress, _ parameters: ConnectionParameters) async throws(RadioError) {
        let device = try device(address)
        guard device.isConnected, let address = device.address else { throw .notConnected }
        do { try await order(.loadConnectionParameters(address, isRandom: device.isRandom, parameters)) } catch {
            throw RadioError(rig: error)
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

    /// The person's answer to ``RadioEvent/enterPasskey(_:)``: the number; nil to cancel. Nil also cancels a pairing
    /// that shows a number.
    package func enterPasskey(_ address: DeviceAddress, _ passkey: UInt32?) async throws(RadioError) {
        let address = shared.current(address)
        if let answer = shared.state.withLock({ $0.entries.removeValue(forKey: address) }) { return answer(passkey) }
        guard passkey == nil, pairing.contains(where: { shared.current($0) == address }),
            !(try device(address)).isPaired
        else { throw .invalid("no pairing with \(address) waits for a number") }
        do { try await device(address).cancelPairing(within: Self.promptLimit) } catch { throw RadioError(rig: error) }
    }

    /// Opens an L2CAP channel over the LE link to a device.
    func openLEChannel(to address: DeviceAddress, port: UInt16) async throws(RadioError) -> LEChannel {
        let device = try device(address)
        guard device.isConnected, let current = device.address else { throw .notConnected }
        do {
            let own = try await self.address()
            return try await withDeadline(Self.promptLimit, waitingFor: "\(address) to open L2CAP channel \(port)") {
                try await LEChannel.connect(to: current, isRandom: device.isRandom, port: port, from: own)
            }
        } catch let error as SystemError {
            throw .streamFailed(code: error.code, reason: "\(error)")
        } catch let error as TimedOut {
            throw .connectionFailed("\(error)")
        } catch { throw RadioError(rig: error) }
    }

    // MARK: - Finding devices and cancelling calls

    func device(_ address: DeviceAddress) throws(RadioError) -> Device {
        guard let device = try started().device(shared.current(address)) else { throw .unknownDevice(address) }
        return device
    }

    /// A device that bluetoothd knows, or will know soon because the kernel has just reported it.
    private func heardDevice(_ address: DeviceAddress) async throws(RadioError) -> Device {
        guard shared.state.withLock({ $0.filter.remembers(address) }) else { return try device(address) }
        let daemon = try started()
        do { return try await daemon.device(shared.current(address), within: .seconds(2)) } catch {
            throw .unknownDevice(address)
        }
    }

    /// Runs a call to a peer, and cancels it when the link is lost: bluetoothd leaves some calls unanswered then.
    func cancellingOnLinkLoss<Value: Sendable>(
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
