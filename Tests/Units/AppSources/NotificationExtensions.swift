import AccessoryNotifications
import AccessoryTransportExtension
import Testing

// What extensions do with the values that they get. Xcode's new projects have the feature MemberImportVisibility on: a
// file sees members only of modules that it imports itself.

private struct Provider: AccessoryDataProvider {
    @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-data-provider")
        AppExtensionPoint.Capabilities {
            NotificationsForwarding { Handler() }
        }
    }
}

private final class Handler: AccessoryNotificationsHandler {
    func addNotification(
        _ notification: AccessoryNotification, alertingContext: AlertingContext
    ) async throws -> Bool {
        guard alertingContext.kind != .timer else { return false }
        return summary(of: notification).isEmpty == false
    }

    func updateNotification(_ notification: AccessoryNotification) {}
    func removeNotification(identifier: AccessoryNotification.Identifier) {}
    func removeAllNotifications() {}
    func messageHandler(_ message: AccessoryMessage) { _ = message.payloads.map(\.data.count) }
}

private func summary(of notification: AccessoryNotification) -> String {
    var parts = [notification.identifier.notificationIdentifier, notification.identifier.sourceIdentifier]
    if notification.attributes.contains(.critical) { parts.append("critical") }
    switch notification.displayDate {
    case .deliveryDate: parts.append("delivery")
    case .contentDate(let date), .allDayDate(let date): parts.append("\(Int(date.timeIntervalSince1970))")
    case .hideDate: break
    }
    for action in notification.actions {
        if case .textInput(let placeholder) = action.type { parts.append("\(action.identifier): \(placeholder)") }
    }
    return parts.joined(separator: ", ")
}

private final class Transport: AccessoryTransportSession.EventHandler {
    let session: AccessoryTransportSession

    init(_ session: AccessoryTransportSession) { self.session = session }

    func messageReceived(
        _ message: TransportMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
    ) {
        guard session.transport == .bluetooth, !message.data.isEmpty else {
            completion(.failure(.transportUnavailable))
            return session.cancel(error: .unknown)
        }
        completion(.success)
    }
}

private final class Security: AccessorySecuritySession.EventHandler {
    let session: AccessorySecuritySession

    init(_ session: AccessorySecuritySession) { self.session = session }

    func messageReceived(
        _ message: SecurityMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
    ) {
        guard message.keyType == .encapsulatedKey, message.cipherSuite == .xWing, message.version == .version1 else {
            return session.cancel(error: .unsupported)
        }
        session.cancel(error: nil)
        completion(.success)
    }
}

@Suite("What apps' extensions do with the phone's values compiles with member import visibility")
struct NotificationExtensionTests {
    @Test("A notification's identifier, attributes, date and actions are read")
    func notification() {
        let notification = AccessoryNotification(
            identifier: .init(notificationIdentifier: "7", sourceIdentifier: "com.example.chat"), sourceName: "Chat",
            deliveryDate: Date(), displayDate: .contentDate(Date(timeIntervalSince1970: 5)), attributes: [.critical],
            actions: [.init(identifier: "reply", type: .textInput(placeholder: "Message"))])
        #expect(summary(of: notification) == "7, com.example.chat, critical, 5, reply: Message")
    }

    @Test("Messages are built and their parts read")
    func messages() {
        let message = AccessoryMessage {
            AccessoryMessage.Payload(transport: .bluetooth, data: Data([1]))
            AccessoryMessage.Payload(data: Data([2, 3]))
        }
        #expect(message.payloads.map(\.data.count) == [1, 2])
        let key = SecurityMessage(
            keyType: .publicKey, cipherSuite: .xWing, version: .version1, key: Data([1]),
            supportedTransports: [.bluetooth, .internet])
        #expect("\(key.cipherSuite)-\(key.version)" == "XWing-Version1" && key.supportedTransports.count == 2)
        #expect(TransportMessage(sessionID: UUID(), data: Data([1])).data.count == 1)
    }

    @Test("A data provider declares capabilities, and a feature has an identifier")
    func features() {
        #expect(Provider().makeNotificationHandlers().count == 1)
        let feature = NotificationsForwarding { Handler() }
        #expect(feature.id == NotificationsForwarding.featureID && !feature.id.isEmpty)
    }
}
