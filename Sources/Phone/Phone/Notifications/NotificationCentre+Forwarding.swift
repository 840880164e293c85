import Foundation
import HILPOSIX
import HILTiming

/// Forwarding to accessories: the person's decisions, and the sessions.
extension NotificationCentre {
    // MARK: The person's decisions

    /// The person's decision about an accessory (N1).
    ///
    /// - Parameters:
    ///   - accessory: The accessory's ``AccessoryRecord/id``.
    ///   - app: The bundle identifier of the app that set it up.
    package func grant(for accessory: UUID, of app: String) -> ForwardingGrant {
        state.withLock { $0.grants[Route(app: app, accessory: accessory)] ?? .undetermined }
    }

    /// Asks the person whose notifications an accessory may receive (N1).
    ///
    /// - Parameter bluetoothIdentifier: The accessory's identifier in CoreBluetooth.
    /// - Throws: ``ForwardingError/notSetUp`` or ``ForwardingError/unavailable(_:)``, before the person is asked.
    package func requestForwarding(to bluetoothIdentifier: UUID?, by app: RunningApp) async throws -> ForwardingGrant {
        let accessory = try record(of: bluetoothIdentifier, app: app)
        do { _ = try ForwardingExtensions(of: app) } catch {
            phone.record(.note("notifications", "\(error)"))
            throw error
        }
        let screen = Screen(
            .forwarding, title: "Forward notifications to “\(accessory.displayName)”?",
            lines: ["Choose the apps whose notifications go to the accessory."], controls: [.allowForwarding, .cancel],
            willing: .allowForwarding(.all))
        guard case .allowForwarding(let choice) = try await phone.display.ask(screen) else { return .undetermined }
        let grant = ForwardingGrant(choice)
        decide(grant, for: accessory.id, of: app.bundle.identifier)
        return grant
    }

    /// The app's authorised accessory with this CoreBluetooth identifier.
    ///
    /// - Throws: ``ForwardingError/notSetUp``.
    package func record(of bluetoothIdentifier: UUID?, app: RunningApp) throws(ForwardingError) -> AccessoryRecord {
        guard let bluetoothIdentifier,
            let record = phone.store.accessory(
                bluetoothIdentifier: bluetoothIdentifier, of: app.bundle.identifier), record.state == .authorized
        else { throw .notSetUp }
        return record
    }

    /// Applies the person's answer to the prompt, or a later change in Settings.
    ///
    /// Notifications that are no longer allowed disappear from the accessory. If none are allowed, the session ends
    /// (N6).
    public func decide(_ grant: ForwardingGrant, for accessory: UUID, of app: String) {
        inTurn {
            let route = Route(app: app, accessory: accessory)
            let (ended, gone) = state.withLock { state in
                state.grants[route] = grant
                guard grant.allowsAny else {
                    state.forwarded[route] = nil
                    state.backlogs[route] = nil
                    return (state.sessions.removeValue(forKey: route), [PhoneNotification.Identifier]())
                }
                let gone = (state.forwarded[route] ?? []).filter { !grant.allows($0.sourceIdentifier) }
                state.forwarded[route]?.subtract(gone)
                return (nil, state.posted.map(\.identifier).filter(gone.contains))
            }
            note(.decided(grant), on: route)
            if grant.allowsAny {
                let session = session(for: route)
                for identifier in gone { session?.submit(.remove(identifier)) }
            }
            if let ended { Task { await ended.end("the person now allows no app") } }
        }
    }

    /// Ends forwarding to an accessory that is about to be removed, and forgets the person's decision about it (N6).
    ///
    /// The extensions may use Bluetooth to inform the accessory. Returns when they no longer have a central manager, or
    /// after the policy's `extensionShutdownLimit`.
    func endForwarding(removing accessory: UUID, of app: String) async {
        let route = Route(app: app, accessory: accessory)
        guard let ended = state.withLock({ $0.forget(route) }) else { return }
        await ended.end("the accessory was removed")
        let bluetooth = phone.bluetooth
        do {
            try await withDeadline(
                phone.policy.extensionShutdownLimit, waitingFor: "its extensions to release Bluetooth",
                clock: phone.clock
            ) { await bluetooth.hosted.untilGone(accessory) }
        } catch {
            phone.record(.note("notifications", "an accessory is removed without further waiting: \(error)"))
        }
    }

    // MARK: Sessions

    /// The running session of a route. Starts a new one if there is none and the app is running; nil otherwise.
    ///
    /// A new session first carries out the commands that the last one left unfinished.
    func session(for route: Route) -> ForwardingSession? {
        if let session = state.withLock({ $0.sessions[route] }), !session.isOver { return session }
        guard let app = phone.app, app.bundle.identifier == route.app,
            let accessory = phone.store.accessories(of: route.app).first(where: { $0.id == route.accessory }),
            let peripheral = accessory.bluetoothIdentifier
        else { return nil }
        let (session, isNew) = state.withLock { state in
            if let session = state.sessions[route], !session.isOver { return (session, false) }
            let id = state.sessionIDs[route] ?? UUID()
            let backlog = state.backlogs[route] ?? ForwardingBacklog()
            let session = ForwardingSession(
                id: id, accessory: route.accessory, peripheral: peripheral, link: PhoneLink(phone), backlog: backlog
            ) { [weak self] kind in self?.note(kind, on: route) }
            state.sessionIDs[route] = id
            state.sessions[route] = session
            state.backlogs[route] = backlog
            return (session, true)
        }
        if isNew {
            Task {
                do { try await session.start(ForwardingExtensions(of: app)) } catch { await session.end("\(error)") }
            }
            for command in takeUnfinished(on: route) { session.submit(command) }
        }
        return session
    }

    /// The commands that the last session left unfinished, and removals that were made while there was no session.
    private func takeUnfinished(on route: Route) -> [ForwardingSession.Command] {
        state.withLock { state in
            let shown = state.forwarded[route] ?? []
            let posted = state.posted.filter { shown.contains($0.identifier) }
            let stale = shown.subtracting(posted.map(\.identifier))
            state.forwarded[route]?.subtract(stale)
            guard let backlog = state.backlogs[route] else { return [] }
            for identifier in stale { _ = backlog.add(.remove(identifier)) }
            return backlog.takeAll(posted: Dictionary(uniqueKeysWithValues: posted.map { ($0.identifier, $0) }))
        }
    }

    /// All sessions, by route.
    var allSessions: [Route: ForwardingSession] { state.withLock { $0.sessions } }

    func note(_ kind: ForwardingEvent.Kind, on route: Route) {
        events.append(ForwardingEvent(accessory: route.accessory, kind: kind))
        // The log has it already, with the moment.
        if case .extensionEnded = kind { return }
        link.phone?.record(.note("notifications", PlainText.words(for: kind)))
    }
}
