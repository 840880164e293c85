import BoardProtocol
import DieProtocol
import FoundationEssentials
import RadioModel

/// The die's notifications: what it shows and how it alerts, and what a person answers on it.
extension Die {
    /// Has the receiver do something, and gives what comes of it.
    ///
    /// - Parameter connection: Of ``DieProtocol/DieMessageService``, where something came over it: its answers go there.
    mutating func outputs(
        over connection: Int? = nil, _ body: (inout NotificationReceiver) -> [NotificationReceiver.Action]
    ) -> [Output] {
        let actions = body(&receiver)
        return actions.compactMap { action -> Output? in
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
                            notification: content.identifier.notification, category: .init(content.category),
                            sounded: content.sound.map { !isSilenced || $0.ignoresSilentMode } ?? false)))
            case .keysExchanged(let suite): .tell(.keysExchanged(cipherSuite: suite))
            case .keysForgotten: .tell(.keysForgotten)
            case .answer(let answer): connection.map { .send(answer.encoded, connection: $0) }
            case .refused(let why): .tell(.refusedMessage(why))
            }
        }
    }

    /// Seals what the person answers and sends it to the phone.
    ///
    /// - Throws: ``RadioError/invalid(_:)`` for what the die's screen does not offer.
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

extension DieAlert.Category {
    fileprivate init(_ category: NotificationContent.Category) {
        self =
            switch category {
            case .notification: .notification
            case .incomingCall: .incomingCall
            case .timer: .timer
            case .alarm: .alarm
            }
    }
}
