import Foundation
import RadioModel

extension CentralCore {
    /// The physical link to one peripheral.
    struct Link {
        enum Phase {
            /// Not connected. The next attempt starts when the peripheral is heard.
            case listening
            case connecting
            case up(mtu: Int)
            /// Waits for the outstanding answers and event of the radio.
            case closing(awaitsConnect: Bool, awaitsDisconnect: Bool, awaitsEvent: Bool)
        }

        var phase = Phase.connecting
        /// The number of this connection; every new connection has a new number.
        var connection: Int
        /// The clients that wait for the connection. While the link is up, they wait for the person's permission (C24).
        var waiting: Set<ClientID> = []
        /// The clients whose connection requires that the peripheral may have the phone's notifications.
        var requiring: Set<ClientID> = []
        /// The clients that use the connection.
        var holders: Set<ClientID> = []
        /// The clients that cancelled the connection and get an event when it has ended.
        var leaving: Set<ClientID> = []
        var failures = 0
        /// The ATT MTU in bytes that was agreed on before the attempt to connect ended; nil if none was.
        var earlyMTU: Int?
        /// The clients for which the phone connects again when the link is lost.
        var reconnecting: Set<ClientID> = []
        var requests: [(client: ClientID, request: GATTRequest)] = []
        /// The request that the radio is working on.
        var current: GATTOperation?
        /// Whether a request failed because of which the phone ends the link. No other is answered.
        var hasFailed = false
        /// Why the link is lost, if that was the radio's last event of this attempt.
        var loss: CentralFailure?
        /// Whether to disconnect once more: the link came up during a disconnect that may have missed it.
        var mustEndAgain = false
        var subscribers: [CharacteristicID: Set<ClientID>] = [:]
        /// Values that were notified before the subscription was answered.
        var earlyValues: [(characteristic: CharacteristicID, value: Data)] = []

        /// The characteristic of the subscription that is under way, if there is one.
        var subscribing: CharacteristicID? {
            if case .setNotifying(let characteristic, true) = current?.request { characteristic } else { nil }
        }

        var isListening: Bool { if case .listening = phase { true } else { false } }
        var isUp: Bool { if case .up = phase { true } else { false } }

        /// The link after Bluetooth went off: without clients, and only if an answer of the radio is still to come.
        var afterPowerLoss: Link? {
            var link = Link(connection: connection)
            switch phase {
            case .listening, .up: return nil
            case .connecting: link.phase = .closing(awaitsConnect: true, awaitsDisconnect: false, awaitsEvent: false)
            case .closing(let connect, let disconnect, _):
                guard connect || disconnect else { return nil }
                link.phase = .closing(awaitsConnect: connect, awaitsDisconnect: disconnect, awaitsEvent: false)
            }
            return link
        }
    }

    mutating func connect(
        _ peripheral: UUID, for client: ClientID, _ options: ConnectionOptions = ConnectionOptions()
    ) {
        defer {
            if options.reconnects { links[peripheral]?.reconnecting.insert(client) }
            if options.requiresSharing { require(peripheral, by: client) }
        }
        guard clients[client]?.mayUse(peripheral) == true else {
            return tell(client, .failedToConnect(peripheral, .other("the app may not use \(peripheral)")))
        }
        guard let link = links[peripheral] else {
            return attempt(peripheral, for: [client])
        }
        guard case .up(let mtu) = link.phase, !(options.requiresSharing && waitsForSharing(peripheral)) else {
            if !link.holders.contains(client) { links[peripheral]?.waiting.insert(client) }
            return
        }
        links[peripheral]?.waiting.remove(client)
        guard links[peripheral]?.holders.insert(client).inserted == true else { return }
        tell(client, .connected(peripheral, mtu: mtu))
    }

    /// Handles the end of the radio's attempt to connect: the ATT MTU of this moment in bytes, or an error.
    mutating func connectEnded(_ peripheral: UUID, _ result: Result<Int, CentralFailure>) {
        guard var link = links[peripheral] else { return }
        var result = result
        // A link that was lost before the app could use it counts as a failed attempt.
        if case .connecting = link.phase, link.loss != nil || result.failure == .notConnected {
            result = .failure(link.loss == .peerRemovedPairing ? .peerRemovedPairing : .connectionFailed)
        }
        switch (link.phase, result) {
        case (.closing(_, let disconnect, let event), .failure):
            link.phase = .closing(awaitsConnect: false, awaitsDisconnect: disconnect, awaitsEvent: event)
            links[peripheral] = link
            closeIfEnded(peripheral)
        case (.closing(_, let disconnect, _), .success):
            link.phase = .closing(awaitsConnect: false, awaitsDisconnect: true, awaitsEvent: false)
            link.mustEndAgain = disconnect
            links[peripheral] = link
            if !disconnect { run(.disconnect(peripheral)) }
        case (_, .success(let mtu)):
            let mtu = max(mtu, link.earlyMTU ?? mtu)
            link.phase = .up(mtu: mtu)
            link.failures = 0
            forgetDiscoveries(on: peripheral)
            let waiting = waitsForSharing(peripheral) ? link.waiting.intersection(link.requiring) : []
            (link.holders, link.waiting) = (link.waiting.subtracting(waiting), waiting)
            links[peripheral] = link
            for client in link.holders.sorted() { tell(client, .connected(peripheral, mtu: mtu)) }
            noteConnection(of: peripheral, isConnected: true)
            run(.readName(peripheral, connection: link.connection))
            if !link.requiring.isEmpty { run(.requireSharing(peripheral, connection: link.connection)) }
        case (_, .failure(let failure)):
            link.failures += 1
            if failure == .connectionFailed, link.failures < connectionTries {
                link.phase = .listening
                links[peripheral] = link
            } else {
                links[peripheral] = nil
                for client in link.waiting.sorted() { tell(client, .failedToConnect(peripheral, failure)) }
            }
        }
    }

    /// Handles the name that was read from a peripheral over one of its connections (C11).
    mutating func nameRead(_ name: String, of peripheral: UUID, over connection: Int) {
        guard !name.isEmpty, let link = links[peripheral], link.connection == connection else { return }
        namedByThemselves.insert(peripheral)
        let before = names.updateValue(name, forKey: peripheral)
        guard before != name else { return }
        for client in link.holders.sorted() { tell(client, .renamed(peripheral, name)) }
    }

    /// Handles the ATT MTU of a peripheral's link, in bytes.
    mutating func mtuChanged(of peripheral: UUID, to mtu: Int) {
        guard let link = links[peripheral] else { return }
        switch link.phase {
        case .connecting: links[peripheral]?.earlyMTU = mtu
        case .up(let before) where before != mtu:
            links[peripheral]?.phase = .up(mtu: mtu)
            for client in link.holders.sorted() { tell(client, .mtuChanged(peripheral, mtu)) }
        default: break
        }
    }

    mutating func attemptIfListening(_ peripheral: UUID) {
        guard links[peripheral]?.isListening == true else { return }
        links[peripheral]?.phase = .connecting
        links[peripheral]?.loss = nil
        links[peripheral]?.earlyMTU = nil
        run(.connect(peripheral))
    }

    /// Ends a central manager's use of a connection, or its wait for one.
    ///
    /// - Parameter told: Whether the central manager receives `disconnected`.
    mutating func release(_ peripheral: UUID, by client: ClientID, told: Bool) {
        guard var link = links[peripheral] else { return }
        let wasWaiting = link.waiting.remove(client) != nil
        let wasHolder = link.holders.remove(client) != nil
        link.reconnecting.remove(client)
        link.requiring.remove(client)
        guard wasWaiting || wasHolder else { return }
        clients[client]?.discoveries[peripheral] = nil
        link.requests.removeAll { $0.client == client }
        let unsubscribed = link.unsubscribe(client)
        let isLast = link.holders.isEmpty && link.waiting.isEmpty
        if !isLast {
            for characteristic in unsubscribed { link.requests.append((client, .setNotifying(characteristic, false))) }
        }
        links[peripheral] = link
        if !isLast {
            if told { tell(client, .disconnected(peripheral, nil)) }
            return serve(peripheral)
        }
        switch link.phase {
        case .listening:
            links[peripheral] = nil
            if told { tell(client, .disconnected(peripheral, nil)) }
        case .connecting, .up:
            if told { links[peripheral]?.leaving.insert(client) }
            close(peripheral)
        case .closing:
            if told { tell(client, .disconnected(peripheral, nil)) }
        }
    }

    /// Ends a central manager's use of a peripheral that its app may no longer use.
    mutating func revoke(_ peripheral: UUID, from client: ClientID) {
        clients[client]?.orphan?.forget(peripheral)
        guard let link = links[peripheral], link.holders.contains(client) || link.waiting.contains(client) else {
            return
        }
        if clients[client]?.orphan == nil { tell(client, .disconnected(peripheral, .peripheralDisconnected)) }
        release(peripheral, by: client, told: false)
    }

    private mutating func close(_ peripheral: UUID) {
        guard let link = links[peripheral] else { return }
        if link.isUp { noteConnection(of: peripheral, isConnected: false) }
        links[peripheral]?.phase = .closing(
            awaitsConnect: !link.isUp, awaitsDisconnect: true, awaitsEvent: link.isUp)
        run(.disconnect(peripheral))
    }

    mutating func disconnectEnded(_ peripheral: UUID, _ result: Result<Void, CentralFailure>) {
        guard let link = links[peripheral], case .closing(let connect, _, let event) = link.phase else { return }
        if link.mustEndAgain {
            links[peripheral]?.mustEndAgain = false
            return run(.disconnect(peripheral))
        }
        // If the radio refuses, there was no link to end, and no event follows.
        var awaitsEvent = event
        if case .failure = result { awaitsEvent = false }
        links[peripheral]?.phase = .closing(awaitsConnect: connect, awaitsDisconnect: false, awaitsEvent: awaitsEvent)
        closeIfEnded(peripheral)
    }

    /// Handles the loss or the end of a link.
    mutating func disconnected(_ peripheral: UUID, _ failure: CentralFailure) {
        defer { noteConnection(of: peripheral, isConnected: false) }
        forgetDiscoveries(on: peripheral)
        guard let link = links[peripheral] else { return }
        switch link.phase {
        case .up:
            links[peripheral] = nil
            let again = link.holders.intersection(link.reconnecting)
            for client in link.holders.sorted() {
                tell(client, .disconnected(peripheral, failure, isReconnecting: again.contains(client)))
            }
            // Who still waits for the person's permission waits for the next link, too.
            let waiting = link.waiting.union(again)
            guard !waiting.isEmpty else { break }
            // The phone connects again as soon as it hears the peripheral.
            lastConnection += 1
            links[peripheral] = Link(
                phase: .listening, connection: lastConnection, waiting: waiting,
                requiring: link.requiring.intersection(waiting),
                reconnecting: link.reconnecting.intersection(waiting))
        case .closing(let connect, let disconnect, _):
            links[peripheral]?.phase = .closing(
                awaitsConnect: connect, awaitsDisconnect: disconnect, awaitsEvent: false)
            closeIfEnded(peripheral)
        case .connecting:
            links[peripheral]?.loss = failure
            links[peripheral]?.earlyMTU = nil
        case .listening: break
        }
    }

    /// Handles the radio's event that the link is up. The attempt may not have ended yet.
    mutating func linkIsUp(_ peripheral: UUID) {
        noteConnection(of: peripheral, isConnected: true)
        if case .connecting = links[peripheral]?.phase { links[peripheral]?.loss = nil }
    }

    private mutating func closeIfEnded(_ peripheral: UUID) {
        guard let link = links[peripheral], case .closing(false, false, false) = link.phase else { return }
        links[peripheral] = nil
        for client in link.leaving.sorted() { tell(client, .disconnected(peripheral, nil)) }
        guard !link.waiting.isEmpty else { return }
        attempt(peripheral, for: link.waiting)
    }

    private mutating func attempt(_ peripheral: UUID, for clients: Set<ClientID>) {
        lastConnection += 1
        links[peripheral] = Link(connection: lastConnection, waiting: clients)
        run(.connect(peripheral))
    }
}

extension CentralCore.Link {
    /// Ends all subscriptions of a client.
    ///
    /// - Returns: The characteristics that have no subscriber left.
    mutating func unsubscribe(_ client: CentralCore.ClientID) -> [CharacteristicID] {
        let mine = subscribers.filter { $0.value.contains(client) }.keys.sorted { $0.handle < $1.handle }
        for characteristic in mine { subscribers[characteristic]?.remove(client) }
        return mine.filter { subscribers[$0]?.isEmpty == true }
    }
}
