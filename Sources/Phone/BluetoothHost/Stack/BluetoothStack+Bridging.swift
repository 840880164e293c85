import RadioModel

/// Classic Bluetooth of the stack: one device after the other is bridged.
struct Bridging: Sendable {
    /// A request that waits for its turn.
    struct Wish: Sendable {
        let id: StackRequestID
        let address: DeviceAddress
        let psm: UInt16
    }

    var current: (id: StackRequestID, bridge: ClassicBridge)?
    var waiting: [Wish] = []
    /// Whose connection this phone has refused, until the controller confirms it.
    var refused = RecentTable<DeviceAddress, HCIError>(limit: 16)

    /// The classic link.
    var handle: ConnectionHandle? { current?.bridge.handle }
}

// Requests.
extension BluetoothStack {
    /// Bridges a bonded device as soon as no other one is being bridged.
    mutating func bridge(_ address: DeviceAddress, psm: UInt16, _ id: StackRequestID) {
        guard L2CAPLink.isClassicPort(psm) else {
            return complete(id, .failure(.invalid("\(L2CAPError.invalidPort(psm))")))
        }
        bridging.waiting.append(Bridging.Wish(id: id, address: address, psm: psm))
        startNextBridge()
    }

    private mutating func startNextBridge() {
        while bridging.current == nil, !bridging.waiting.isEmpty {
            let wish = bridging.waiting.removeFirst()
            do throws(BridgingFailure) {
                let strength = try bridgingStrength(of: wish.address)
                let bridge = ClassicBridge(
                    to: wish.address, psm: wish.psm, strength: strength, configuration: personality.classic,
                    channels: personality.channels, endReason: personality.access.connector.endReason)
                bridging.current = (wish.id, bridge)
                onBridge { $0.start(at: $1) }
            } catch { complete(wish.id, .failure(.bridging(error))) }
        }
    }

    /// The strength of the key with which a device can be bridged.
    private func bridgingStrength(of address: DeviceAddress) throws(BridgingFailure) -> Bond {
        guard information?.hasClassic == true else { throw .noClassicController }
        guard let bond = bonds[address] else { throw .notBonded }
        guard bond.keys.keys.linkKey != nil else { throw .noKey }
        guard !bond.identity.isRandom else { throw .noPublicAddress(address) }
        return bond.keys.strength
    }

    /// The bond with a device was deleted.
    mutating func endBridging(of forgotten: DeviceAddress) {
        guard bridging.current?.bridge.address == forgotten else { return }
        onBridge { $0.fail(.forgotten, at: $1) }
    }

    /// Tells the controller to end what is classic, as far as it still takes commands.
    mutating func hangUpClassic() {
        guard let bridge = bridging.current?.bridge else { return }
        if let handle = bridge.handle {
            send(.disconnect(handle, reason: .remotePowerOff), for: .other(.disconnect))
        } else if bridge.phase == .step(.connection) {
            send(.createConnectionCancel(bridge.address), for: .other(.createConnectionCancel))
        }
    }

    /// Ends all requests: without power, or with a broken controller.
    mutating func endBridging(because failure: StackFailure) {
        let (current, waiting) = (bridging.current, bridging.waiting)
        bridging = Bridging()
        if let handle = current?.bridge.handle { take(channel.linkClosed(handle)) }
        if let current, !current.bridge.isTold { complete(current.id, .failure(failure)) }
        for wish in waiting { complete(wish.id, .failure(failure)) }
    }
}

// The controller.
extension BluetoothStack {
    /// Does something with the device that is being bridged.
    mutating func onBridge(_ body: (inout ClassicBridge, Duration) -> [ClassicBridge.Output]) {
        guard let (id, before) = bridging.current else { return }
        var bridge = before
        let outputs = body(&bridge, now)
        bridging.current = (id, bridge)
        for output in outputs { take(output, of: id, bridge.address) }
    }

    private mutating func take(_ output: ClassicBridge.Output, of id: StackRequestID, _ address: DeviceAddress) {
        switch output {
        case .command(let command, let name): send(command, for: .bridge(id, name))
        case .frame(let frame, let handle): take(channel.send(frame: frame, on: handle))
        case .opened(let handle): take(channel.linkOpened(handle, kind: .classic, at: now))
        case .closed(let handle): take(channel.linkClosed(handle))
        case .completed(.success(let link)): complete(id, .success(.bridged(link)))
        case .completed(.failure(let failure)): complete(id, .failure(.bridging(failure)))
        case .note(let text): tell(.note(address, text))
        case .finished:
            guard bridging.current?.id == id else { return }
            bridging.current = nil
            startNextBridge()
        }
    }

    /// Takes the answer to a command of a bridge, unless that is over.
    mutating func bridgeCompleted(
        _ id: StackRequestID, _ command: ClassicBridge.Command, _ status: HCIError, _ values: [UInt8]
    ) {
        guard bridging.current?.id == id else { return }
        onBridge { $0.completed(command, status, values, at: $1) }
    }

    /// Takes the events of classic Bluetooth.
    mutating func takeClassic(_ event: HCIEvent) {
        guard isPowered else { return }
        switch event {
        case .connectionRequest(let address, _, let linkType): refuseConnection(of: address, linkType)
        case .linkKeyRequest(let address): giveLinkKey(of: address)
        case .ioCapabilityRequest(let address):
            // All pairing is by LE.
            send(.ioCapabilityRequestNegativeReply(address), for: .other(.ioCapabilityRequestNegativeReply))
            tell(.note(address, "it asked to pair by classic Bluetooth, which was refused"))
        case .connectionComplete(let link) where isRefusal(link): bridging.refused.remove(link.address)
        default: onBridge { $0.receive(event, at: $1) }
        }
    }

    /// The phone takes no classic connections.
    private mutating func refuseConnection(of address: DeviceAddress, _ linkType: UInt8) {
        // Extended synchronous connections have another command, and are only on a link that exists.
        guard linkType == 0 || linkType == 1 else { return }
        let reason = HCIError.unacceptableAddress
        bridging.refused.set(address, reason)
        send(.rejectConnectionRequest(address, reason: reason), for: .other(.rejectConnectionRequest))
        tell(.note(address, "it wanted to connect by classic Bluetooth, which was refused"))
    }

    /// Whether the event is the end of a connection that this phone has refused, and not of its own attempt.
    private func isRefusal(_ link: ClassicConnectionComplete) -> Bool {
        !link.status.isSuccess && bridging.refused.peek(link.address) == link.status
    }

    private mutating func giveLinkKey(of address: DeviceAddress) {
        let key = bonds[address]?.keys.keys.linkKey
        let reply =
            key.map { HCICommand.linkKeyRequestReply(address, key: $0.leastSignificantFirst) }
            ?? .linkKeyRequestNegativeReply(address)
        send(reply, for: .other(reply.opcode))
    }
}
