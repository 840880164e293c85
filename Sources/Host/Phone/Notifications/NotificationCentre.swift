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

    private struct State {
        var grants: [Route: ForwardingGrant] = [:]
        var sessionIDs: [Route: UUID] = [:]
        var sessions: [Route: ForwardingSession] = [:]
        var posted: [PhoneNotification] = []
    }

    /// Everything that happened while notifications were forwarded, in order.
    public let events = EventLog<ForwardingEvent>()
    unowned let phone: Phone
    private let link: PhoneLink
    private let state = Mutex(State())

    public init(phone: Phone) {
        self.phone = phone
        link = PhoneLink(phone)
    }

    /// What the notification centre of the phone shows now, oldest first.
    public var posted: [PhoneNotification] { state.withLock { $0.posted } }

    // MARK: What apps do

    /// An app posts a notification; one with the same identifier is replaced.
    public func post(_ notification: PhoneNotification) {
        state.withLock { state in
            state.posted.removeAll { $0.identifier == notification.identifier }
            state.posted.append(notification)
        }
        forward(.add(notification), of: notification.identifier.sourceIdentifier)
    }

    /// An app changes a notification that it posted; nothing if it is gone.
    public func update(_ notification: PhoneNotification) {
        let isThere = state.withLock { state in
            guard let index = state.posted.firstIndex(where: { $0.identifier == notification.identifier }) else {
                return false
            }
            state.posted[index] = notification
            return true
        }
        if isThere { forward(.update(notification), of: notification.identifier.sourceIdentifier) }
    }

    /// An app takes a notification back, or the person dismisses it; nothing if it is gone.
    public func remove(_ identifier: PhoneNotification.Identifier) {
        let wasThere = state.withLock { state in
            let before = state.posted.count
            state.posted.removeAll { $0.identifier == identifier }
            return state.posted.count < before
        }
        if wasThere { forward(.remove(identifier), of: identifier.sourceIdentifier) }
    }

    /// The person clears the notification centre.
    public func removeAll() {
        let sessions = state.withLock { state in
            state.posted = []
            return Array(state.sessions.values)
        }
        for session in sessions { session.submit(.removeAll) }
    }

    private func forward(_ command: ForwardingSession.Command, of app: String) {
        let routes = state.withLock { state in state.grants.filter { $0.value.allows(app) }.map(\.key) }
        for route in routes { session(for: route)?.submit(command) }
    }

    // MARK: What the person decides

    /// What the person decided about an accessory (N1).
    public func grant(for accessory: UUID, of app: String) -> ForwardingGrant {
        state.withLock { $0.grants[Route(app: app, accessory: accessory)] ?? .undetermined }
    }

    /// Asks the person whose notifications may go to an accessory (N1).
    ///
    /// - Parameter bluetoothIdentifier: the accessory, as CoreBluetooth knows it.
    /// - Throws: ``ForwardingError/notSetUp``, or ``ForwardingError/unavailable(_:)`` before anything is asked.
    public func requestForwarding(to bluetoothIdentifier: UUID?, by app: RunningApp) async throws -> ForwardingGrant {
        let accessory = try record(of: bluetoothIdentifier, app: app)
        do { _ = try ForwardingExtensions(of: app) } catch {
            phone.record(.note("notifications", "\(error)"))
            throw error
        }
        let screen = Screen(
            .forwarding, title: "Allow “\(accessory.displayName)” to receive your notifications?",
            lines: ["Choose the apps whose notifications go to the accessory."], controls: [.allowForwarding, .cancel],
            willing: .allowForwarding(.all))
        guard case .allowForwarding(let choice) = try await phone.display.ask(screen) else { return .undetermined }
        let grant: ForwardingGrant =
            switch choice {
            case .all: .all
            case .none: .none
            case .only(let apps): .only(apps)
            }
        decide(grant, for: accessory.id, of: app.bundle.identifier)
        return grant
    }

    /// The app's authorised accessory with that identifier.
    ///
    /// - Throws: ``ForwardingError/notSetUp``.
    public func record(of bluetoothIdentifier: UUID?, app: RunningApp) throws(ForwardingError) -> AccessoryRecord {
        guard let bluetoothIdentifier,
            let record = phone.store.accessory(
                bluetoothIdentifier: bluetoothIdentifier, of: app.bundle.identifier), record.state == .authorized
        else { throw .notSetUp }
        return record
    }

    /// The person's answer to the prompt, or a later change in Settings. One that allows nothing ends the session (N6).
    public func decide(_ grant: ForwardingGrant, for accessory: UUID, of app: String) {
        let route = Route(app: app, accessory: accessory)
        let ended = state.withLock { state in
            state.grants[route] = grant
            return grant.allowsAny ? nil : state.sessions.removeValue(forKey: route)
        }
        note(.decided(grant), on: route)
        if grant.allowsAny { _ = session(for: route) }
        if let ended { Task { await ended.end("the person allows no app any more") } }
    }

    // MARK: Sessions

    /// The session of a route, started if there is none and its app runs.
    private func session(for route: Route) -> ForwardingSession? {
        if let session = state.withLock({ $0.sessions[route] }) { return session }
        guard let app = phone.app, app.bundle.identifier == route.app,
            let accessory = phone.store.accessories(of: route.app).first(where: { $0.id == route.accessory }),
            let peripheral = accessory.bluetoothIdentifier
        else { return nil }
        let (session, isNew) = state.withLock { state in
            if let session = state.sessions[route] { return (session, false) }
            let id = state.sessionIDs[route] ?? UUID()
            let session = ForwardingSession(
                id: id, peripheral: peripheral, link: PhoneLink(phone, accessory: route.accessory)
            ) { [weak self] kind in self?.note(kind, on: route) }
            state.sessionIDs[route] = id
            state.sessions[route] = session
            return (session, true)
        }
        if isNew {
            Task {
                do { try await session.start(ForwardingExtensions(of: app)) } catch { await session.end("\(error)") }
            }
        }
        return session
    }

    /// The sessions that there are, by route.
    var allSessions: [Route: ForwardingSession] { state.withLock { $0.sessions } }

    private func note(_ kind: ForwardingEvent.Kind, on route: Route) {
        events.append(ForwardingEvent(accessory: route.accessory, kind: kind))
        link.phone?.record(.note("notifications", "\(kind)"))
    }

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
            return gone.compactMap { route in
                state.grants[route] = nil
                state.sessionIDs[route] = nil
                return state.sessions.removeValue(forKey: route)
            }
        }
        for session in ended { Task { await session.end("the accessory was removed") } }
    }

    /// The extensions go with the app; what the person decided stays.
    public func ended(_ app: RunningApp) {
        let ended = state.withLock { state in
            let routes = state.sessions.keys.filter { $0.app == app.bundle.identifier }
            return routes.compactMap { state.sessions.removeValue(forKey: $0) }
        }
        for session in ended { Task { await session.end("the app ended") } }
    }
}

extension Phone {
    /// The notification centre of this phone.
    public var notifications: NotificationCentre { part() }
}
