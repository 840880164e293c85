import BoardProtocol
import Foundation
import RadioModel
import Synchronization
import Timing

/// The phone's notification centre: what apps post, and to which accessories it is forwarded.
public final class NotificationCentre: PhonePart {
    /// One accessory of one app.
    struct Route: Sendable, Hashable {
        var app: String
        /// ``AccessoryRecord/id``.
        var accessory: UUID
    }

    struct State {
        var grants: [Route: ForwardingGrant] = [:]
        var sessionIDs: [Route: UUID] = [:]
        var sessions: [Route: ForwardingSession] = [:]
        var backlogs: [Route: ForwardingBacklog] = [:]
        /// What each accessory was told of and not yet told to remove.
        var forwarded: [Route: Set<PhoneNotification.Identifier>] = [:]
        var posted: [PhoneNotification] = []

        /// Forgets what was decided about an accessory, and gives its session.
        mutating func forget(_ route: Route) -> ForwardingSession? {
            grants[route] = nil
            sessionIDs[route] = nil
            forwarded[route] = nil
            backlogs[route] = nil
            return sessions.removeValue(forKey: route)
        }
    }

    /// Everything that happened while notifications were forwarded, in order.
    public let events = EventLog<ForwardingEvent>()
    /// What persons did on accessories with notifications of apps, in order, as those apps get it.
    public let responses = EventLog<NotificationResponseEvent>()
    unowned let phone: Phone
    let link: PhoneLink
    let state = Mutex(State())
    private let changing = Mutex(())

    public init(phone: Phone) {
        self.phone = phone
        link = PhoneLink(phone)
    }

    /// What the notification centre of the phone shows now, oldest first.
    public var posted: [PhoneNotification] { state.withLock { $0.posted } }

    // MARK: What apps do

    /// An app posts a notification, in the place of one with the same identifier if there is one.
    ///
    /// Nothing happens if the person does not let the app notify at all. How it alerts is decided now (N4).
    public func post(_ notification: PhoneNotification) {
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

    /// An app changes a notification that it posted; nothing if it is gone. That never alerts.
    public func update(_ notification: PhoneNotification) {
        inTurn {
            let isThere = state.withLock { state in
                guard let index = state.posted.firstIndex(where: { $0.identifier == notification.identifier }) else {
                    return false
                }
                state.posted[index] = notification
                return true
            }
            guard isThere else { return }
            for route in routes(showing: notification.identifier) { session(for: route)?.submit(.update(notification)) }
        }
    }

    /// An app takes a notification back, a call ends, or the person dismisses it; nothing if it is gone.
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

    /// The person clears the notification centre.
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

    /// The person deletes an app: what it posted is gone, and so is what was set for it.
    ///
    /// An accessory that shows nothing else is told to remove all, as Apple's article has it; another one is told of each.
    public func deleteApp(_ app: String) {
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

    /// Changes what the phone shows and tells the sessions: they hear of changes in the order in which they were made.
    func inTurn(_ change: () -> Void) { changing.withLock { _ in change() } }

    private func routes(showing identifier: PhoneNotification.Identifier) -> [Route] {
        state.withLock { state in state.forwarded.filter { $0.value.contains(identifier) }.map(\.key) }
    }

    // MARK: What the phone tells

    /// A link to an accessory came up or went, which its session goes by in the choice of transport.
    public func receive(_ event: RadioEvent) {
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

    /// A message that an accessory sent over the internet, as its server handed it in.
    ///
    /// - Parameters:
    ///   - message: the session that it is for, and the bytes that ``MessageSealing/Ratchet`` lays out.
    ///   - pushToken: what the transport session for the internet was given.
    /// - Throws: ``TransportPortError``; `unsupported` if the token is none of the phone's sessions.
    public func receiveFromInternet(_ message: SealedMessage, pushToken: Data) throws(TransportPortError) {
        guard let session = allSessions.values.first(where: { $0.pushToken == pushToken }) else {
            throw .unsupported("the push token belongs to no session of this phone")
        }
        try session.receive(message, over: .internet)
    }

    /// An accessory that was removed is forwarded to no more, and what was decided about it is forgotten (N6).
    public func authorizationsChanged(of app: String) {
        let left = Set(phone.store.accessories(of: app).map(\.id))
        let ended = state.withLock { state in
            let gone = state.grants.keys.filter { $0.app == app && !left.contains($0.accessory) }
            return gone.compactMap { state.forget($0) }
        }
        for session in ended { Task { await session.end("the accessory was removed") } }
    }

    /// The extensions go with the app; what the person decided stays.
    public func ended(_ app: RunningApp) {
        let ended = state.withLock { state in
            let routes = state.sessions.keys.filter { $0.app == app.bundle.identifier }
            return routes.compactMap { state.sessions.removeValue(forKey: $0) }
        }
        for session in ended { Task { await session.end("the app ended", error: AppEnded()) } }
    }
}

/// Why a session ends whose app does, which will go on where it is launched again.
private struct AppEnded: Error, CustomStringConvertible {
    var description: String { "the app ended" }
}

extension Phone {
    /// The notification centre of this phone.
    public var notifications: NotificationCentre { part() }
}
