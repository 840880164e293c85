import AccessoryNotifications
import AccessoryTransportExtension
import DiceApp
import DieProtocol
import Foundation
import HIL
import Synchronization

/// A data provider whose accessory answers with the notification's identifier alone. It has to know the notification's app,
/// even in a process that has not seen the notification.
///
/// Report: zunda-pixel/pebble-app, `ReplySources.swift`: “The extension that asked is often not the process that hears the
/// answer”; zunda-pixel/ANProbe, `ATSDataProvider.swift`, has the map in memory.
let replyFindsItsApp = Scenario(
    "A reply reaches its app although the process of the data provider ended in between",
    .tags("field", .notifications), .covers("T6", "N5"), .budget(.seconds(60)), over: AppVersion.axis
) { lab, version in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app: DiceApp =
        switch version {
        case .broken: try await lab.phone.launch(ForgettingApp.self).app
        case .mended: try await lab.phone.launch(RememberingApp.self).app
        }
    let accessory = try await lab.pick(in: app)
    try await lab.forward(to: accessory, in: app)
    try await lab.forwarding.next(.keysExchanged, within: .seconds(20))
    try await lab.post(.message("question", actions: [.reply]))
    let shown = try await die.shows(["question"])

    lab.phone.extensions.end(.dataProvider, because: .memoryLimit)
    try await lab.forwarding.next(.launchedAgain, within: .seconds(10))
    try await die.respond(to: shown[0], "reply", text: "At eight")
    try await lab.expect(version, "the app gets the reply") {
        do {
            return try await lab.phone.notifications.responses.next(.response, within: .seconds(3)).text == "At eight"
        } catch is TimedOut { return false }
    }
    if version == .broken {
        lab.expect(
            lab.forwarding.contains(.failed.where { $0.contains("no notification question of ") }),
            "the phone's log says what is wrong")
    }
}

private class AnsweringApp: AppUnderTest, @unchecked Sendable {  // Nothing changes it.
    class var bundle: AppBundle { DiceApp.bundle }
    class var extensions: [Any.Type] { [] }
    let app: DiceApp

    required init() async throws { app = try await DiceApp() }
}

private final class ForgettingApp: AnsweringApp, @unchecked Sendable {
    override class var extensions: [Any.Type] {
        [ForgettingProvider.self, DiceTransport.self, DiceTransportSecurity.self]
    }
}

private final class RememberingApp: AnsweringApp, @unchecked Sendable {
    override class var extensions: [Any.Type] {
        [RememberingProvider.self, DiceTransport.self, DiceTransportSecurity.self]
    }
}

private struct ForgettingProvider: AccessoryDataProvider {
    var extensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-data-provider")
        Implementing { NotificationsForwarding { AnsweringHandler(AppsInMemory()) } }
    }
}

private struct RememberingProvider: AccessoryDataProvider {
    var extensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-data-provider")
        Implementing { NotificationsForwarding { AnsweringHandler(AppsInDefaults()) } }
    }
}

/// The app of each notification that the accessory shows.
private protocol AppsOfNotifications: Sendable {
    subscript(notification: String) -> String? { get nonmutating set }
}

private final class AppsInMemory: AppsOfNotifications {
    private let apps = Mutex<[String: String]>([:])

    subscript(notification: String) -> String? {
        get { apps.withLock { $0[notification] } }
        set { apps.withLock { $0[notification] = newValue } }
    }
}

private struct AppsInDefaults: AppsOfNotifications {
    subscript(notification: String) -> String? {
        get { UserDefaults.standard.string(forKey: "app of \(notification)") }
        nonmutating set { UserDefaults.standard.set(newValue, forKey: "app of \(notification)") }
    }
}

private final class AnsweringHandler: AccessoryNotificationsHandler {
    private let apps: any AppsOfNotifications
    private let session = Mutex<NotificationsForwarding.Session?>(nil)

    init(_ apps: any AppsOfNotifications) { self.apps = apps }

    func didActivate(for session: NotificationsForwarding.Session) { self.session.withLock { $0 = session } }

    func addNotification(
        _ notification: AccessoryNotification, alertingContext: AlertingContext
    ) async throws -> Bool {
        let identifier = notification.identifier
        apps[identifier.notificationIdentifier] = identifier.sourceIdentifier
        var content = NotificationContent(
            identifier: NotificationIdentifier(
                source: identifier.sourceIdentifier, notification: identifier.notificationIdentifier),
            sourceName: notification.sourceName, title: notification.title ?? "", subtitle: "",
            body: notification.body?.string ?? "", alerts: alertingContext.shouldAlert)
        content.actions = notification.actions.map {
            NotificationAction(kind: .textInput, identifier: $0.identifier, title: $0.title ?? "")
        }
        let update = try NumberedUpdate(.add(content), number: UInt64.random(in: 0...UInt64.max)).encoded()
        try await session.withLock { $0 }?.send(
            message: AccessoryMessage { AccessoryMessage.Payload(data: update) })
        return alertingContext.shouldAlert
    }

    func updateNotification(_ notification: AccessoryNotification) {}
    func removeNotification(identifier: AccessoryNotification.Identifier) {}
    func removeAllNotifications() {}

    func messageHandler(_ message: TransportMessage) {
        guard let reply = try? NotificationReply(decoding: message.data) else { return }
        let response = NotificationResponse(
            sourceIdentifier: apps[reply.identifier.notification] ?? "",
            notificationIdentifier: reply.identifier.notification, actionIdentifier: reply.action,
            userText: reply.text)
        let session = session.withLock { $0 }
        Task { try? await session?.sendResponse(response) }
    }
}
