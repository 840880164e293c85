import BoardProtocol
import Foundation
import HILTiming
import RadioModel
import Synchronization

/// The phone's notification centre: the notifications that apps post, and their forwarding to accessories.
public final class NotificationCentre: PhoneComponent {
    /// One accessory of one app.
    struct Route: Sendable, Hashable {
        /// The app's bundle identifier.
        var app: String
        /// The accessory's ``AccessoryRecord/id``.
        var accessory: UUID
    }

    struct State {
        var grants: [Route: ForwardingGrant] = [:]
        var sessionIDs: [Route: UUID] = [:]
        var sessions: [Route: ForwardingSession] = [:]
        var backlogs: [Route: ForwardingBacklog] = [:]
        /// The notifications that each accessory was asked to add, and not yet asked to remove.
        var forwarded: [Route: Set<PhoneNotification.Identifier>] = [:]
        var posted: [PhoneNotification] = []
        /// Is called with each notification that an app posts.
        var onPost: (@Sendable (PhoneNotification) -> Void)?

        /// Forgets the decision about an accessory, and returns its session, if there is one.
        mutating func forget(_ route: Route) -> ForwardingSession? {
            grants[route] = nil
            sessionIDs[route] = nil
            forwarded[route] = nil
            backlogs[route] = nil
            return sessions.removeValue(forKey: route)
        }
    }

    /// All events of forwarding, in order.
    package let events = EventLog<ForwardingEvent>()
    /// The actions that the person chose on accessories, in order, as the apps get them.
    public let responses = EventLog<NotificationResponseEvent>()
    unowned let phone: Phone
    let link: PhoneLink
    let state = Mutex(State())
    private let changing = Mutex(())

    package init(phone: Phone) {
        self.phone = phone
        link = PhoneLink(phone)
    }

    /// The notifications that the phone's notification centre shows now, oldest first.
    public var posted: [PhoneNotification] { state.withLock { $0.posted } }

    /// Calls `body` with each notification that an app posts from now on.
    package func onPost(_ body: @escaping @Sendable (PhoneNotification) -> Void) { state.withLock { $0.onPost = body } }

    // MARK: Calls from apps and from the person

    /// Posts a notification of an app. It replaces an earlier one with the same identifier.
    ///
    /// Does nothing if the person does not allow the app to notify at all. How it alerts is decided now (N4).
    public func post(_ notification: PhoneNotification) {
        state.withLock { $0.onPost }?(notification)
        inTurn {
            let settings = phone.alertSettings.values
            let app = notification.identifier.sourceIdentifier
            guard settings.app(app).isAllowed || notification.kind == .incomingCall else {
                let name = notification.identifier.notificationIdentifier
                return phone.record(.note("notifications", "\(app) may not notify: \(name) is not posted"))
            }
            state.withLock { state in
                if let place = state.posted.firstIndex(where: { $0.identifier == notification.identifier }) {
                    state.posted[place] = notification
                } else {
                    state.posted.append(notification)
                }
            }
            let alerting = Alerting(notification, settings, policy: phone.policy)
            for route in state.withLock({ state in state.grants.filter { $0.value.allows(app) }.map(\.key) }) {
                guard let session = session(for: route) else { continue }
                state.withLock { _ = $0.forwarded[route, default: []].insert(notification.identifier) }
                session.submit(.add(notification, alerting))
            }
        }
    }

    /// Changes a posted notification. Does nothing if it no longer exists. A change never alerts.
    public func update(_ notification: PhoneNotification) {
        inTurn {
            let isAvailable = state.withLock { state in
                guard let index = state.posted.firstIndex(where: { $0.identifier == notification.identifier }) else {
                    return false
                }
                state.posted[index] = notification
                return true
            }
            guard isAvailable else { return }
            for route in routes(showing: notification.identifier) { session(for: route)?.submit(.update(notification)) }
        }
    }

    /// Removes a notification: its app withdraws it, a call ends, or the person dismisses it.
    ///
    /// Does nothing if it no longer exists.
    public func remove(_ identifier: PhoneNotification.Identifier) {
        inTurn {
            state.withLock { $0.posted.removeAll { $0.identifier == identifier } }
            for route in routes(showing: identifier) {
                guard let session = session(for: route) else { continue }
                state.withLock { _ = $0.forwarded[route]?.remove(identifier) }
                session.submit(.remove(identifier))
            }
        }
    }

    /// Clears the notification centre, as the person can.
    public func removeAll() {
        inTurn {
            let routes = state.withLock { state in
                state.posted = []
                return state.forwarded.filter { !$0.value.isEmpty }.map(\.key)
            }
            for route in routes {
                guard let session = session(for: route) else { continue }
                state.withLock { $0.forwarded[route] = nil }
                session.submit(.removeAll)
            }
        }
    }

    /// Deletes an app, as the person can: ends it, and removes its notifications, settings, files and user defaults.
    ///
    /// An accessory that shows only this app's notifications is asked to remove all, as Apple's article says. Any other
    /// accessory is asked to remove each one.
    public func deleteApp(_ app: String) {
        phone.deleteFiles(of: app)
        inTurn {
            let gone = state.withLock { state in
                defer { state.posted.removeAll { $0.identifier.sourceIdentifier == app } }
                return state.posted.map(\.identifier).filter { $0.sourceIdentifier == app }
            }
            phone.record(.note("person", "deleted the app \(app)"))
            phone.alertSettings.forget(app)
            for route in state.withLock({ Array($0.forwarded.keys) }) {
                guard let session = session(for: route) else { continue }
                let (here, isAll) = state.withLock { state in
                    let shown = state.forwarded[route] ?? []
                    let here = gone.filter(shown.contains)
                    state.forwarded[route]?.subtract(here)
                    return (here, here.count == shown.count)
                }
                guard !here.isEmpty else { continue }
                if isAll { session.submit(.removeAll) } else { for gone in here { session.submit(.remove(gone)) } }
            }
        }
    }

    /// Runs one change at a time, so that sessions get the commands in the order of the changes.
    func inTurn(_ change: () -> Void) {
        changing.withLock { _ in
            change()
            phone.part(PhonePeripheral.self).notificationsChanged(posted)
        }
    }

    private func routes(showing identifier: PhoneNotification.Identifier) -> [Route] {
        state.withLock { state in state.forwarded.filter { $0.value.contains(identifier) }.map(\.key) }
    }

    // MARK: Events of the phone

    /// Passes changes of an accessory's link to its session, which chooses the transport by them.
    package func receive(_ event: RadioEvent) {
        let (device, isUp): (DeviceAddress?, Bool)
        switch event {
        case .connected(let address): (device, isUp) = (address, true)
        case .disconnected(let address, _): (device, isUp) = (address, false)
        case .bluetoothPower(false): (device, isUp) = (nil, false)
        default: return
        }
        let peripheral = device.map(phone.identifiers.identifier(of:))
        for session in allSessions.values where peripheral == nil || session.peripheral == peripheral {
            session.linkChanges.yield(isUp)
        }
    }

    /// Receives a message that an accessory sent over the internet, through its server.
    ///
    /// - Parameters:
    ///   - message: The message's session, and its bytes in the layout of `Ratchet`.
    ///   - pushToken: The token of the transport session for the internet.
    /// - Throws: ``TransportPortError``; `unsupported` if no session of this phone has the token.
    package func receiveFromInternet(_ message: TransportMessage, pushToken: Data) throws(TransportPortError) {
        guard let session = allSessions.values.first(where: { $0.pushToken == pushToken }) else {
            throw .unsupported("no session of this phone has this push token")
        }
        try session.receive(message, over: .internet)
    }

    /// Ends forwarding to accessories that were removed, and forgets the decisions about them (N6).
    package func authorizationsChanged(of app: String) {
        let left = Set(phone.store.accessories(of: app).map(\.id))
        let ended = state.withLock { state in
            let gone = state.grants.keys.filter { $0.app == app && !left.contains($0.accessory) }
            return gone.compactMap { state.forget($0) }
        }
        for session in ended { Task { await session.end("the accessory was removed") } }
    }

    /// Ends the sessions of an app that has ended. The person's decisions stay.
    package func ended(_ app: RunningApp) {
        let ended = state.withLock { state in
            let routes = state.sessions.keys.filter { $0.app == app.bundle.identifier }
            return routes.compactMap { state.sessions.removeValue(forKey: $0) }
        }
        for session in ended { Task { await session.end("the app ended", error: AppEnded()) } }
    }
}

/// The error of a session that ends because its app ended. It continues when the app is launched again.
private struct AppEnded: Error, CustomStringConvertible {
    var description: String { "the app ended" }
}

extension Phone {
    /// The notification centre of this phone.
    public var notifications: NotificationCentre { part() }
}
