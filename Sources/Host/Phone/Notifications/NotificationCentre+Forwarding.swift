import Foundation
import Timing

/// To which accessories notifications are forwarded: what the person decided, and the sessions.
extension NotificationCentre {
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
        let grant = ForwardingGrant(choice)
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

    /// The person's answer to the prompt, or a later change in Settings.
    ///
    /// What is no longer allowed disappears from the accessory; an answer that allows nothing ends the session (N6).
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
            if let ended { Task { await ended.end("the person allows no app any more") } }
        }
    }

    /// Ends forwarding to an accessory that is about to be removed, and forgets what was decided about it (N6).
    ///
    /// Returns once its extensions have let go of Bluetooth, by which they may tell it, or when the policy's time is over.
    func endForwarding(removing accessory: UUID, of app: String) async {
        let route = Route(app: app, accessory: accessory)
        guard let ended = state.withLock({ $0.forget(route) }) else { return }
        await ended.end("the accessory was removed")
        let bluetooth = phone.bluetooth
        do {
            try await withDeadline(
                phone.policy.extensionFarewellLimit, waitingFor: "extensions to let go of it", clock: phone.clock
            ) { await bluetooth.hosted.untilGone(accessory) }
        } catch {
            phone.record(.note("notifications", "an accessory is removed, though \(error)"))
        }
    }

    // MARK: Sessions

    /// The session of a route, started if there is none or the last one is over, and its app runs.
    ///
    /// In a new one the accessory is told first what the last one left.
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
                id: id, peripheral: peripheral, link: PhoneLink(phone, accessory: route.accessory), backlog: backlog
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
            for command in takeLeft(on: route) { session.submit(command) }
        }
        return session
    }

    /// What the last session left, and what went away while there was none to tell of it.
    private func takeLeft(on route: Route) -> [ForwardingSession.Command] {
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

    /// The sessions that there are, by route.
    var allSessions: [Route: ForwardingSession] { state.withLock { $0.sessions } }

    func note(_ kind: ForwardingEvent.Kind, on route: Route) {
        events.append(ForwardingEvent(accessory: route.accessory, kind: kind))
        link.phone?.record(.note("notifications", "\(kind)"))
    }
}
