import RadioModel

// The controller.
extension GenericAccess {
    /// Takes the result of a command.
    package mutating func completed(_ purpose: CommandPurpose, _ status: HCIError, at now: Duration) -> [Output] {
        switch purpose.user {
        case .addressBook: settled(outputs(addresses.completed(purpose, status, at: now)), at: now)
        case .scanner: settled(outputs(scanner.completed(purpose, status, at: now)), at: now)
        case .connector: settled(outputs(connector.completed(purpose, status, at: now)), at: now)
        case .advertiser: settled(outputs(advertiser.completed(purpose, status, at: now)), at: now)
        }
    }

    /// Takes an event of the controller. Events of other layers change nothing.
    package mutating func receive(_ event: HCIEvent, at now: Duration) -> [Output] {
        guard isPowered else { return [] }
        switch event {
        case .advertisingReports(let reports):
            return settled(hear(scanner.receive(reports, resolving: &addresses, at: now), at: now), at: now)
        case .leConnectionComplete(let link): return settled(take(link, at: now), at: now)
        case .disconnectionComplete(let handle, let status, let reason):
            let ended = connector.disconnected(handle, status: status, reason: reason, at: now)
            return settled(outputs(ended), at: now)
        case .advertisingSetTerminated(let end):
            return settled(outputs(advertiser.setTerminated(end, at: now)), at: now)
        case .scanTimeout: return settled(outputs(scanner.scanEnded(at: now)), at: now)
        default: return []
        }
    }

    /// Does what is due.
    package mutating func advance(to now: Duration) -> [Output] {
        guard isPowered else { return [] }
        search.advance(to: now)
        var all = outputs(addresses.advance(to: now))
        all += hear(scanner.advance(to: now, resolving: &addresses), at: now)
        all += outputs(connector.advance(to: now))
        all += outputs(advertiser.advance(to: now))
        return settled(all, at: now)
    }

    private mutating func take(_ link: LEConnectionComplete, at now: Duration) -> [Output] {
        guard link.status.isSuccess, link.role == .peripheral else {
            // The end of directed advertising without a link.
            if link.status == .advertisingTimeout { return [] }
            return outputs(connector.connectionComplete(link, resolving: &addresses, at: now))
        }
        let more = outputs(advertiser.peerConnected(at: now))
        guard let peer = link.peer, let local = addresses.current else {
            connector.peripheralLinkOpened(link.handle)
            return outputs(connector.disconnect(link.handle)) + more
        }
        connector.peripheralLinkOpened(link.handle)
        let device = addresses.resolve(peer)
        return [.opened(OpenedLink(link, device: device, peer: peer, local: local))] + more
    }

    /// Tells what was heard, and lets an attempt to connect follow a device to its new address.
    private mutating func hear(_ heard: [Scanner.Output], at now: Duration) -> [Output] {
        heard.flatMap { output -> [Output] in
            guard case .heard(let discovery) = output else { return outputs([output]) }
            if connector.sought.contains(discovery.device) { search.found(at: now) }
            let isWanted = scanner.settings != nil
            return (isWanted ? [.heard(discovery)] : [])
                + outputs(connector.move(discovery.device, to: discovery.address, at: now))
        }
    }
}

// Taking turns.
extension GenericAccess {
    /// Holds what must be quiet, and lets go on what may, until nothing changes any more.
    mutating func settled(_ first: [Output], at now: Duration) -> [Output] {
        var all = first
        guard let abilities else { return all }
        while true {
            let (held, local) = (addresses.wantsQuiet, addresses.current)
            search.update(
                isNeeded: connector.sought.contains(where: addresses.changesAddress),
                takesTurns: !abilities.scansWhileConnecting, at: now)
            let isClear =
                (abilities.scansWhileConnecting || scanner.isQuiet)
                && (abilities.advertisesWhileConnecting || advertiser.isQuiet)
            // Attempts to connect come before scans and advertising.
            var more = outputs(connector.use(local, isHeld: held || search.isScansTurn, isClear: isClear, at: now))
            let isConnecting = connector.wantsController
            let scannerHeld = held || isConnecting && !abilities.scansWhileConnecting
            let advertiserHeld = held || isConnecting && !abilities.advertisesWhileConnecting
            more += outputs(scanner.search(search.isOn ? configuration.searchSettings : nil, at: now))
            more += outputs(scanner.use(local?.ownAddress, isHeld: scannerHeld, at: now))
            more += outputs(advertiser.use(local, isHeld: advertiserHeld, at: now))
            let isQuiet = scanner.isQuiet && advertiser.isQuiet && connector.isQuiet
            more += outputs(addresses.setQuiet(isQuiet, at: now))
            if more.isEmpty { return all }
            all += more
        }
    }

    func outputs(_ outputs: [AddressBook.Output]) -> [Output] {
        outputs.map {
            switch $0 {
            case .command(let command, let purpose): .command(command, purpose)
            case .changed(let address): .addressChanged(address)
            case .refused(let text): .refused(text)
            }
        }
    }

    func outputs(_ outputs: [Scanner.Output]) -> [Output] {
        outputs.map {
            switch $0 {
            case .command(let command, let purpose): .command(command, purpose)
            case .heard(let discovery): .heard(discovery)
            case .refused(let text): .refused(text)
            }
        }
    }

    func outputs(_ outputs: [Connector.Output]) -> [Output] {
        outputs.map {
            switch $0 {
            case .command(let command, let purpose): .command(command, purpose)
            case .opened(let link): .opened(link)
            case .closed(let handle, let reason): .closed(handle, reason)
            case .retrying(let device, let tries): .retrying(device, tries: tries)
            case .failed(let device, let failure): .failed(device, failure)
            case .refused(let text): .refused(text)
            }
        }
    }

    func outputs(_ outputs: [Advertiser.Output]) -> [Output] {
        outputs.map {
            switch $0 {
            case .command(let command, let purpose): .command(command, purpose)
            case .started(let plan): .advertising(plan)
            case .refused(let text): .refused(text)
            }
        }
    }
}
