import RadioModel

// Links: their begin, their procedures, their end.
extension BluetoothStack {
    /// Does something with a link. While it runs, the link is not in the table.
    mutating func onLink(_ handle: ConnectionHandle, _ body: (inout BluetoothStack, inout StackLink) -> Void) {
        guard var link = links.removeValue(forKey: handle) else { return }
        body(&self, &link)
        links[handle] = link
    }

    /// The link to a device.
    func handle(of address: DeviceAddress) -> ConnectionHandle? {
        links.first { $0.value.address == address && $0.value.end == nil }?.key
    }

    mutating func open(_ opened: OpenedLink) {
        let bond = bonds[opened.device.address]
        let isCentral = opened.role == .central
        var client = personality.attributeClient
        client.offeredMTU = personality.link.offeredMTU(hasDataLength: information?.dataLength != nil)
        var server = personality.attributeServer
        server.offeredMTU = client.offeredMTU
        var link = StackLink(
            opened: opened, device: opened.device,
            l2cap: L2CAPLink(
                role: isCentral ? .central : .peripheral, transport: .le, configuration: personality.channels),
            bearer: AttributeBearer(client: client, server: server),
            client: GATTClient(
                personality.gattClient, table: isCentral ? keptTable(of: opened.device.address) : nil,
                isBonded: bond != nil),
            security: SecurityManager(
                SecurityManager.Setup(
                    role: isCentral ? .initiator : .responder, local: opened.local, peer: opened.peer,
                    identity: identity, features: personality.pairing, random: random),
                policy: personality.security, bond: bond?.keys,
                attempts: attempts[opened.device.address] ?? AttemptLimiter()))
        link.l2cap.listeners = listeners
        link.l2cap.hasKey = bond != nil
        link.bearer.server.isBonded = bond != nil
        links[opened.handle] = link
        take(channel.linkOpened(opened.handle, kind: .le, at: now))
        if powerOffLimit != nil { return leave(opened.handle) }
        tell(.connected(opened.device.address, opened.role))
        let ids = connecting.removeValue(forKey: opened.device) ?? []
        if isCentral, bond != nil, personality.link.encryptsAtOnce {
            links[opened.handle]?.opening = ids
        } else {
            for id in ids { complete(id, .success(.done)) }
        }
        onLink(opened.handle) { stack, link in
            guard isCentral else { return }
            if bond != nil, stack.personality.link.encryptsAtOnce {
                let outputs = link.security.encryptWithBond(at: stack.now)
                // The bond may have no key for this end.
                if outputs.isEmpty { stack.finishOpening(&link, .success(.done)) }
                stack.take(outputs, of: &link)
            }
            stack.begin(&link, isEncrypted: false)
            stack.take(link.client.start(over: &link.bearer.client, at: stack.now), of: &link)
        }
    }

    /// Answers the requests to connect that waited until the link could be used.
    mutating func finishOpening(_ link: inout StackLink, _ result: Result<StackAnswer, StackFailure>) {
        for id in link.opening { complete(id, result) }
        link.opening = []
    }

    /// Begins what the personality does on a new link, or on one that has just been encrypted.
    mutating func begin(_ link: inout StackLink, isEncrypted: Bool) {
        guard link.isCentral, let information else { return }
        let wishes = personality.link
        let isBonded = bonds[link.address] != nil
        func begins(_ moment: LinkProcedures.Moment) -> Bool {
            wishes.begins(moment, isBonded: isBonded, isEncrypted: isEncrypted)
        }
        if begins(wishes.phyMoment), information.features.contains(.twoMegabitPHY) {
            send(.leSetPHY(link.handle, tx: wishes.phys, rx: wishes.phys), for: .other(.leSetPHY))
        }
        if begins(wishes.versionMoment) {
            send(.readRemoteVersionInformation(link.handle), for: .other(.readRemoteVersionInformation))
        }
        if begins(wishes.featuresMoment) {
            send(.leReadRemoteFeatures(link.handle), for: .other(.leReadRemoteFeatures))
        }
        if begins(wishes.dataLengthMoment), information.features.contains(.dataLengthExtension) {
            send(.leSetDataLength(link.handle, wishes.dataLength), for: .other(.leSetDataLength))
        }
        guard begins(wishes.mtuMoment) else { return }
        if let greeting = wishes.greeting {
            let channel = ChannelIdentifier(rawValue: wishes.greetingChannel)
            take(link.l2cap.send(greeting, on: channel), of: &link)
        }
        take(link.client.perform(.exchangeMTU, over: &link.bearer.client, at: now).outputs, of: &link)
    }

    /// Ends a link because of what its peer did.
    mutating func end(_ link: inout StackLink, because text: String) {
        guard link.end == nil else { return }
        link.end = text
        take(access.disconnect(link.handle, at: now))
    }

    /// A link is over.
    mutating func close(_ handle: ConnectionHandle, _ reason: HCIError) {
        guard let last = links[handle] else { return }
        let text = last.end ?? "\(reason)"
        onLink(handle) { stack, link in
            stack.take(link.security.linkLost(at: stack.now), of: &link)
            stack.take(link.bearer.linkEnded(because: text), of: &link)
            stack.take(link.client.take([], over: &link.bearer.client, at: stack.now), of: &link)
            stack.take(link.l2cap.end(), of: &link)
            stack.attempts[link.address] = link.security.attempts
            if var bond = stack.bonds[link.address], last.protection.isEncrypted {
                bond.subscriptions = link.bearer.server.configurations
                stack.bonds[link.address] = bond
            }
        }
        guard let link = links.removeValue(forKey: handle) else { return }
        if link.isCentral { keep(link.client.table, of: link.address) }
        take(channel.linkClosed(handle))
        for id in link.pairing { complete(id, .failure(.notConnected)) }
        for id in link.opening { complete(id, .failure(.linkEnded(reason))) }
        tell(.disconnected(link.address, reason, violation: link.end))
        for id in disconnecting.removeValue(forKey: handle) ?? [] { complete(id, .success(.done)) }
    }
}
