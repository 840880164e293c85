import RadioModel

/// The configuration of classic channels: each end tells the other one its MTU.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.4, 4.5, 5 and 7.1.
extension L2CAPLink {
    mutating func startConfiguration(of id: LocalChannel, at now: Duration) -> [Output] {
        let deadline = now + configuration.configurationTimeout
        channels[id.cid]?.state = .configuring(L2CAPChannel.ClassicSetup(deadline: deadline))
        return askForConfiguration(of: id, at: now)
    }

    private mutating func askForConfiguration(of id: LocalChannel, at now: Duration) -> [Output] {
        guard let channel = channel(id) else { return [] }
        let request = SignalingCommand.configurationRequest(
            destination: channel.remoteCID, isContinued: false, options: [.mtu(channel.mtu)])
        return [ask(request, for: .configuration(id), at: now)]
    }

    /// The peer tells how it wants to receive.
    mutating func receiveConfiguration(
        of destination: UInt16, _ isContinued: Bool, _ options: [ConfigurationOption], _ identifier: UInt8,
        at now: Duration
    ) -> [Output] {
        guard let channel = channels[destination], channel.isOpen || channel.setup != nil else {
            return [
                signal(.commandReject(.invalidChannel(local: destination, remote: 0)), identifier),
                .note("the peer sent Configuration Request for \(Hex.field(destination)), which is no such channel"),
            ]
        }
        let (result, answered) = judge(options)
        let response = SignalingCommand.configurationResponse(
            source: channel.remoteCID, isContinued: isContinued, result: result, options: answered)
        let answer = signal(response, identifier)
        guard result == .success else {
            return [answer, .note("refused the peer's configuration of \(channel.id), result \(result.rawValue)")]
        }
        if let mtu = options.lazy.compactMap(\.mtu).last { channels[destination]?.peerMTU = mtu }
        guard var setup = channel.setup else {
            return [answer, .note("the peer configured the open \(channel.id) again")]
        }
        // More options come in a further request.
        guard !isContinued else { return [answer] }
        setup.isPeersAccepted = true
        return [answer] + update(channel.id, setup)
    }

    /// The peer answers this end's request.
    mutating func receiveConfigured(
        _ source: UInt16, _ result: ConfigurationResult, _ options: [ConfigurationOption], _ identifier: UInt8,
        at now: Duration
    ) -> [Output] {
        guard case .configuration(let id)? = pending[identifier]?.request, id.cid == source, let channel = channel(id),
            var setup = channel.setup
        else { return unmatched(.configurationResponse, identifier) }
        if result == .pending {
            pending[identifier]?.deadline = now + configuration.extendedTimeout
            return []
        }
        pending[identifier] = nil
        if result == .success {
            setup.isOwnAccepted = true
            return update(id, setup)
        }
        let proposed = options.lazy.compactMap(\.mtu).last
        guard result == .unacceptableParameters, let proposed, (leastMTU...channel.mtu).contains(proposed),
            setup.tries < configuration.configurationTries
        else {
            return failConfiguration(
                of: channel, why: L2CAPRefusal(.configurationFailed, code: result.rawValue), at: now)
        }
        setup.tries += 1
        channels[id.cid]?.mtu = proposed
        return update(id, setup) + askForConfiguration(of: id, at: now)
    }

    /// Closes a channel that cannot be configured. The layer above knows the channel only if this end wanted it.
    mutating func failConfiguration(of channel: L2CAPChannel, why: L2CAPRefusal, at now: Duration) -> [Output] {
        guard channel.setup != nil else { return [] }
        let told: Output =
            channel.isByPeer
            ? .note("\(channel.id), which the peer wanted, did not open: \(why)") : .openFailed(channel.id, why: why)
        return disconnect(channel.id.cid, isTold: true, at: now) + [told]
    }

    private mutating func update(_ id: LocalChannel, _ setup: L2CAPChannel.ClassicSetup) -> [Output] {
        guard let channel = channel(id) else { return [] }
        guard setup.isOwnAccepted, setup.isPeersAccepted else {
            channels[id.cid]?.state = .configuring(setup)
            return []
        }
        channels[id.cid]?.state = .open
        return [.opened(id, psm: channel.psm, peerMTU: channel.peerMTU, byPeer: channel.isByPeer)]
    }

    /// The answer to the peer's options. The peer's own traffic (flush timeout, quality of service) is its affair.
    private func judge(_ options: [ConfigurationOption]) -> (ConfigurationResult, [ConfigurationOption]) {
        let lengths = [
            ConfigurationOption.mtuType: 2, ConfigurationOption.flushTimeoutType: 2,
            ConfigurationOption.qualityOfServiceType: 22, ConfigurationOption.modeType: 9,
        ]
        let unknown = options.filter { lengths[$0.type] == nil && !$0.isHint }
        if !unknown.isEmpty { return (.unknownOptions, fitting(unknown)) }
        let known = options.filter { lengths[$0.type] != nil }
        guard known.allSatisfy({ $0.value.count == lengths[$0.type] }) else { return (.rejected, []) }
        var better: [ConfigurationOption] = []
        if known.contains(where: { ($0.mtu ?? leastMTU) < leastMTU }) { better.append(.mtu(leastMTU)) }
        if known.contains(where: { $0.type == ConfigurationOption.modeType && $0.value.first != 0 }) {
            better.append(.basicMode)
        }
        return better.isEmpty ? (.success, []) : (.unacceptableParameters, better)
    }

    /// As many options as a response has room for, beside its 10 bytes of header and fields.
    private func fitting(_ options: [ConfigurationOption]) -> [ConfigurationOption] {
        var room = signalingMTU - 10
        return options.filter { option in
            room -= option.bytes.count
            return room >= 0
        }
    }
}
