import DieProtocol
import FoundationEssentials

extension NotificationReceiver {
    /// The transport of a delivery and its receipt.
    private enum Transport {
        case bluetooth(mtu: Int)
        case localNetwork
        case internet
    }

    // MARK: From the phone

    /// Handles a value written to ``DieProtocol/DieGATT/notifications``.
    ///
    /// - Parameter mtu: The ATT MTU of the link in bytes, 23 to 517.
    package mutating func receiveNotification(_ segment: Data, mtu: Int) -> [Action] {
        self.mtu = mtu
        do {
            guard let joined = try notificationJoiner.join(segment) else { return [] }
            return receive(try NotificationMessage(decoding: joined), by: .bluetooth(mtu: mtu))
        } catch {
            return [.refused("notification: \(error)")]
        }
    }

    /// Handles a complete message from the local network or the internet.
    ///
    /// Messages to the phone come as ``Action/answer(_:)``. A new public key is sent over Bluetooth only.
    package mutating func receiveNotification(overNetwork message: Data, isInternet: Bool) -> [Action] {
        do {
            return receive(try NotificationMessage(decoding: message), by: isInternet ? .internet : .localNetwork)
        } catch {
            return [.refused("notification: \(error)")]
        }
    }

    private mutating func receive(_ message: NotificationMessage, by transport: Transport) -> [Action] {
        switch message {
        case .delivery(let number, let session, let sealed):
            return receive(sealed, number: number, session: session, by: transport)
        case .question:
            guard case .bluetooth = transport else { return [.refused("notification: a question over a network")] }
            return send(latestReceipt, by: transport)
        case .receipt, .message: return [.refused("notification: a message that only the die sends")]
        }
    }

    private mutating func receive(_ sealed: Data, number: UInt32, session: UUID, by transport: Transport) -> [Action] {
        // A network connection loses no messages, so the order is checked for Bluetooth only.
        if case .bluetooth = transport, !order.takes(number) {
            return [.refused("notification: it follows one that did not arrive")]
                + send(.receipt(number: number, .outOfOrder), by: transport)
        }
        let opening =
            if case .internet = transport { keys.openFromInternet(sealed, session: session) } else {
                keys.open(sealed, session: session)
            }
        switch opening {
        case .plaintext(let plaintext):
            return show(plaintext, number: number, by: transport)
        case .repeated:
            return [.refused("notification: received before")] + answer(number, .repeated, by: transport)
        case .notOpened:
            return [.refused("notification: does not open; keys forgotten, exchange restarted")]
                + answer(number, .notOpened, by: transport) + restartKeyExchange()
        case .noKeys:
            let receipt = answer(number, .noKeys, by: transport)
            // The first of several deliveries starts the exchange. The phone sent the others before it could know.
            if owesExchange, number & DeliveryNumbering.follows != 0 {
                return [.refused("notification: no keys for it yet")] + receipt
            }
            return [.refused("notification: no keys for it; exchange started")] + receipt + restartKeyExchange()
        }
    }

    private mutating func show(_ plaintext: Data, number: UInt32, by transport: Transport) -> [Action] {
        let numbered: NumberedUpdate
        do {
            numbered = try NumberedUpdate(decoding: plaintext)
        } catch {
            return [.refused("notification's content: \(error)")] + answer(number, .malformedContent, by: transport)
        }
        guard current.isNew(numbered) else {
            return [.refused("notification's content: already carried out, received by another transport")]
                + answer(number, .repeated, by: transport)
        }
        let update = numbered.update
        var actions = answer(number, .accepted, by: transport)
        let isChanged = current.apply(update)
        // The alert comes first: when the runner learns of the new screen, it knows whether there was an alert.
        if case .add(let content) = update, content.alerts { actions.append(.alert(content)) }
        if isChanged { actions.append(.screen(current.notifications)) }
        return actions
    }

    /// Answers a delivery. Over Bluetooth, the receipt is kept for a phone that asks. It is not sent if the phone does
    /// not wait for it.
    private mutating func answer(
        _ number: UInt32, _ outcome: NotificationMessage.Outcome, by transport: Transport
    ) -> [Action] {
        let receipt = NotificationMessage.receipt(number: number, outcome)
        guard case .bluetooth = transport else { return send(receipt, by: transport) }
        latestReceipt = receipt
        return outcome == .accepted && number & DeliveryNumbering.isQuiet != 0 ? [] : send(receipt, by: transport)
    }

    /// After a message that did not open: forgets the keys and starts a new exchange (S5).
    private mutating func restartKeyExchange() -> [Action] {
        keys.forget()
        owesExchange = true
        return startKeyExchange(mtu: mtu)
    }

    // MARK: To the phone

    /// Seals a message for the phone's data provider, and sends it over Bluetooth.
    ///
    /// - Parameters:
    ///   - plaintext: At most ``DieProtocol/GATTFraming/maximumContentLength`` bytes.
    ///   - session: The phone's session; nil for that of the last delivery that was opened.
    ///   - mtu: The ATT MTU of the link in bytes, 23 to 517.
    package mutating func send(_ plaintext: Data, session: UUID? = nil, mtu: Int) -> [Action] {
        send(plaintext, session: session, by: .bluetooth(mtu: mtu))
    }

    /// Seals a message for the local network or the internet. The result comes as ``Action/answer(_:)``.
    package mutating func send(overNetwork plaintext: Data, session: UUID? = nil, isInternet: Bool) -> [Action] {
        send(plaintext, session: session, by: isInternet ? .internet : .localNetwork)
    }

    private mutating func send(_ plaintext: Data, session: UUID?, by transport: Transport) -> [Action] {
        let limit = GATTFraming.maximumContentLength
        guard plaintext.count <= limit else {
            return [.refused("message to the phone: it has \(plaintext.count) bytes; at most \(limit) are allowed")]
        }
        guard let session = session ?? keys.lastSession else {
            return [.refused("message to the phone: no delivery under the present keys has named a session yet")]
        }
        do {
            let sealed =
                if case .internet = transport { try keys.sealForInternet(plaintext) } else {
                    try keys.seal(plaintext, session: session)
                }
            guard let sealed else {
                return [.refused("message to the phone: no keys for it; exchange started")] + restartKeyExchange()
            }
            let message = NotificationMessage.message(session: session, sealed: sealed)
            return send(message, by: transport) + (takeRepetitionFault() ? send(message, by: transport) : [])
        } catch {
            return [.refused("message to the phone: it could not be sealed: \(error)")]
        }
    }

    private func send(_ message: NotificationMessage, by transport: Transport) -> [Action] {
        switch transport {
        case .bluetooth(let mtu): send(message, mtu: mtu)
        case .localNetwork, .internet: [.answer(message)]
        }
    }
}
