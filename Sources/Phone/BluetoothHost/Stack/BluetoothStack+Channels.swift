import RadioModel

// L2CAP: fixed channels to the layers above, and the channels of apps.
extension BluetoothStack {
    mutating func take(_ outputs: [L2CAPLink.Output], of link: inout StackLink) {
        for output in outputs {
            switch output {
            case .frame(let frame):
                guard let frame = tap == nil ? frame : tap?.pass(frame, .sent, link.address) else { break }
                take(channel.send(frame: frame, on: link.handle))
            case .fixed(.attributes, let pdu): take(link.bearer.receive(pdu, at: now, in: &database), of: &link)
            case .fixed(.securityManager, let packet):
                let before = link.protection
                take(link.security.receive(packet, at: now), of: &link)
                if before != link.protection { tell(.protected(link.address, link.protection)) }
            case .fixed: break
            case .opened(let channel, let psm, let mtu, let byPeer):
                if byPeer {
                    tell(.channelOpened(link.address, channel, psm: psm, mtu: mtu))
                } else if let id = link.channels.removeValue(forKey: channel) {
                    complete(id, .success(.channel(channel, mtu: mtu)))
                }
            case .openFailed(let channel, let refusal):
                if let id = link.channels.removeValue(forKey: channel) { complete(id, .failure(.channel(refusal))) }
            case .received(let channel, let packet): tell(.channelData(link.address, channel, packet))
            case .sent(let channel): tell(.channelSent(link.address, channel))
            case .closed(let channel, _, let end): tell(.channelClosed(link.address, channel, end))
            case .parametersRequested(let parameters, let identifier):
                tell(.parametersRequested(link.address, parameters, identifier: identifier))
            case .refusedParameters(let parameters, let why):
                tell(.note(link.address, "it asked for \(parameters), which was refused: \(why)"))
            case .parametersAnswered, .peerInformation: break
            case .timedOut(let request): tell(.note(link.address, "it did not answer \(request)"))
            case .note(let text): tell(.note(link.address, text))
            case .violation(let text): end(&link, because: text)
            }
        }
    }

    /// What devices may open, by PSM.
    package mutating func listen(_ listeners: [UInt16: L2CAPLink.Listener]) {
        self.listeners = listeners
        for handle in links.keys { links[handle]?.l2cap.listeners = listeners }
    }

    /// Sends a packet on a channel. `StackEvent.channelSent` follows when it has left.
    package mutating func send(
        _ packet: [UInt8], on channel: LocalChannel, of address: DeviceAddress, at now: Duration
    ) throws(StackFailure) -> [Output] {
        guard handle(of: address) != nil else { throw .notConnected }
        var failure: StackFailure?
        let outputs = onLink(of: address, at: now) { stack, link in
            do throws(L2CAPError) { stack.take(try link.l2cap.send(sdu: packet, on: channel), of: &link) } catch {
                failure = .invalid("\(error)")
            }
        }
        if let failure { throw failure }
        return outputs
    }

    /// The reader of a channel has taken a packet: the device may send another one.
    package mutating func consumed(on channel: LocalChannel, of address: DeviceAddress, at now: Duration) -> [Output] {
        onLink(of: address, at: now) { stack, link in stack.take(link.l2cap.consumed(1, on: channel), of: &link) }
    }

    package mutating func close(_ channel: LocalChannel, of address: DeviceAddress, at now: Duration) -> [Output] {
        onLink(of: address, at: now) { stack, link in
            stack.take(link.l2cap.close(channel, at: stack.now), of: &link)
        }
    }

    /// Gives the answer to `StackEvent.parametersRequested`. Accepted parameters are set.
    package mutating func answerParameters(
        _ parameters: ConnectionParameters, identifier: UInt8, of address: DeviceAddress, accepted: Bool,
        at now: Duration
    ) -> [Output] {
        onLink(of: address, at: now) { stack, link in
            stack.take(link.l2cap.answerParameters(identifier: identifier, accepted: accepted), of: &link)
            guard accepted else { return }
            stack.access.parametersAgreed(on: link.handle)
            stack.send(.leConnectionUpdate(link.handle, parameters), for: .other(.leConnectionUpdate))
        }
    }

    /// Sets the parameters of a link, as its central.
    package mutating func setParameters(
        _ parameters: ConnectionParameters, of address: DeviceAddress, at now: Duration
    ) -> [Output] {
        onLink(of: address, at: now) { stack, link in
            stack.send(.leConnectionUpdate(link.handle, parameters), for: .other(.leConnectionUpdate))
        }
    }

    /// Does something with the link to a device; nothing without a link.
    mutating func onLink(
        of address: DeviceAddress, at now: Duration, _ body: (inout BluetoothStack, inout StackLink) -> Void
    ) -> [Output] {
        act(at: now) { stack in
            guard let handle = stack.handle(of: address) else { return }
            stack.onLink(handle, body)
        }
    }
}
