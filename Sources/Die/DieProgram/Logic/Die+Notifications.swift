import DieProtocol
import FoundationEssentials
import RadioModel

/// The die's notifications: its screen, its alerts, and a person's answers.
extension DieLogic {
    /// The transport of a received message, and the return path for answers.
    enum ReturnTransport: Sendable, Equatable {
        case bluetooth
        /// This connection of ``DieProtocol/DieMessageService``.
        case network(Int)
        /// The relay. Receipts go to this app's connection; other messages go by push to the phone with this token.
        case internet(app: UInt32, token: Data)
    }

    /// Calls the notification receiver, and converts its actions to outputs.
    ///
    /// - Parameter transport: The transport of a message that a phone has sealed. From now on the die uses it for its own
    ///   messages.
    mutating func outputs(
        by transport: ReturnTransport? = nil, _ body: (inout NotificationReceiver) -> [NotificationReceiver.Action]
    ) -> [Output] {
        let actions = body(&receiver)
        // A message that cannot be opened may come from a stranger. It must not change the return path.
        if let transport, !actions.contains(where: { if case .refused = $0 { true } else { false } }) {
            returnTransport = transport
        }
        return outputs(of: actions, by: transport ?? returnTransport)
    }

    private func outputs(of actions: [NotificationReceiver.Action], by transport: ReturnTransport) -> [Output] {
        actions.compactMap { action -> Output? in
            switch action {
            case .notify(let characteristic, let segment): .notify(characteristic, segment)
            case .screen(let contents):
                .tell(
                    .screen(
                        contents.map { ShownNotification($0, pictures: receiver.pictures(of: $0.identifier)) }))
            case .alert(let content):
                .tell(
                    .alerted(
                        DieAlert(
                            notification: content.identifier.notification, category: content.category,
                            sounded: content.sound.map { !isSilenced || $0.ignoresSilentMode } ?? false)))
            case .keysExchanged(let suite): .tell(.keysExchanged(cipherSuite: suite))
            case .keysForgotten: .tell(.keysForgotten)
            case .answer(let answer): output(answer, by: transport)
            case .refused(let why): .tell(.refusedMessage(why))
            }
        }
    }

    private func output(_ answer: NotificationMessage, by transport: ReturnTransport) -> Output? {
        switch (transport, answer) {
        case (.bluetooth, _): nil
        case (.network(let connection), _): .send(answer.encoded, connection: connection)
        case (.internet(_, let token), .message(let session, let sealed)):
            .relay(.push(token: token, session: session, sealed: sealed))
        case (.internet(let app, _), _): .relay(.answer(app: app, answer.encoded))
        }
    }

    /// Seals a message for the phone's data provider, in the session of the last delivery and by its transport.
    package mutating func send(toDataProvider plaintext: Data) -> [Output] {
        outputs { [returnTransport] receiver in
            switch returnTransport {
            case .bluetooth: receiver.send(plaintext, mtu: receiver.mtu)
            case .network: receiver.send(overNetwork: plaintext, isInternet: false)
            case .internet: receiver.send(overNetwork: plaintext, isInternet: true)
            }
        }
    }

    // MARK: - The relay

    mutating func relayed(_ message: DieRelay.Message) -> [Output] {
        switch message {
        case .attended: return [.tell(.reachedRelay(true))]
        case .posted(let app, let token, let message):
            return outputs(by: .internet(app: app, token: token)) {
                $0.receiveNotification(overNetwork: message, isInternet: true)
            }
        case .attend, .post, .answer, .answered, .absent, .push:
            return [.tell(.refusedMessage("relay: not a message for a die"))]
        }
    }

    /// Seals a person's answer and sends it to the phone.
    ///
    /// - Throws: ``RadioError/invalid(_:)`` if the die's screen does not show the notification or the action.
    mutating func respond(_ response: DieResponse) throws(RadioError) -> [Output] {
        let identifier = NotificationIdentifier(source: response.source, notification: response.notification)
        guard let shown = receiver.screen.first(where: { $0.identifier == identifier }) else {
            throw .invalid("the die shows no notification \(response.notification) of \(response.source)")
        }
        guard let action = shown.actions.first(where: { $0.identifier == response.action }) else {
            let known = shown.actions.map(\.identifier).joined(separator: ", ")
            throw .invalid(
                "the notification \(response.notification) offers \(known.isEmpty ? "nothing" : known), "
                    + "not \(response.action)")
        }
        guard (response.text != nil) == (action.kind == .textInput) else {
            throw .invalid("the action \(response.action) takes \(response.text == nil ? "a" : "no") text")
        }
        let reply = NotificationReply(
            identifier: identifier, action: response.action, text: response.text,
            number: .random(in: 0...UInt64.max))
        do throws(DieProtocolError) { return send(toDataProvider: try reply.encoded()) } catch {
            throw .invalid("the answer cannot be sent: \(error)")
        }
    }
}

extension ShownNotification {
    fileprivate init(_ content: NotificationContent, pictures: [ShownPicture]) {
        let attributes: [(NotificationContent.Attributes, String)] = [
            (.critical, "critical"), (.timeSensitive, "timeSensitive"), (.priority, "priority"),
        ]
        self.init(
            identifier: content.identifier.notification, source: content.identifier.source, title: content.title,
            subtitle: content.subtitle, body: content.body, summary: content.summary,
            attributes: attributes.filter { content.attributes.contains($0.0) }.map(\.1),
            actions: content.actions.map {
                ShownAction(identifier: $0.identifier, title: $0.title, takesText: $0.kind == .textInput)
            }, pictures: pictures)
    }
}
