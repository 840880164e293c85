import AccessoryNotifications
import AccessorySetupKit
import AccessoryTransportExtension
import CoreBluetooth
import DieProgram
import HILPhone
import HILTiming
import Synchronization

/// Says how the scripted extensions of a phone behave, and records their calls.
final class Script: PhoneComponent {
    /// How an extension answers a message.
    enum Answer: Sendable {
        case say(AccessoryMessage.Result)
        /// Releases the completion handler without calling it.
        case release
        /// Keeps the completion handler and never calls it.
        case keepSilent
    }

    struct State {
        var rejectsSecurity = false
        var rejectedTransports: Set<AccessoryTransport> = []
        /// The answers to sealed messages for each transport, in order; afterwards `success`.
        var answers: [AccessoryTransport: [Answer]] = [:]
        /// Whether the security extension records the accessories that it sees.
        var looksAtAccessories = false
        /// Whether the security extension makes a central manager and keeps it after the end of its session.
        var holdsBluetooth = false
        var central: HeldCentral?
        /// Whether the security extension has an accessory setup session that is held only by its own handler.
        var leavesSession = false
        /// Makes the data provider's message from a notification's title.
        var compose: @Sendable (String) -> AccessoryMessage = { title in
            AccessoryMessage { AccessoryMessage.Payload(data: Data(title.utf8)) }
        }
        /// The answers to encapsulated keys, in order; afterwards `success`.
        var security: [Answer] = []
        var kept: [@Sendable (AccessoryMessage.Result) -> Void] = []
    }

    /// A call of the phone to an extension.
    enum Event: Sendable {
        case securityOffered(AccessorySecuritySession)
        case transportOffered(AccessoryTransportSession)
        case key(SecurityMessage)
        case sealed(TransportMessage, AccessoryTransport)
        /// The names of the accessories that an extension sees.
        case accessories([String])
        case providerActivated(NotificationsForwarding.Session)
        case added(AccessoryNotification, AlertingContext)
        case removed(AccessoryNotification.Identifier)
        /// A decrypted message of the accessory.
        case message(AccessoryMessage)
        case invalidated(String)
    }

    let state = Mutex(State())
    let events = EventLog<Event>()

    init(phone: Phone) {}

    /// The completion handler that was kept last.
    var lastKept: (@Sendable (AccessoryMessage.Result) -> Void)? { state.withLock { $0.kept.last } }

    func answer(_ answer: Answer?, _ completion: @escaping @Sendable (AccessoryMessage.Result) -> Void) {
        switch answer {
        case nil: completion(.success)
        case .say(let result): completion(result)
        case .release: break
        case .keepSilent: state.withLock { $0.kept.append(completion) }
        }
    }

    /// Waits at most 20 seconds for the first event at or after position `start` for which `pick` gives a value.
    func next<Value: Sendable>(
        from start: Int = 0, _ what: String, _ pick: @escaping @Sendable (Event) -> Value?
    ) async throws -> Value {
        let event = try await events.first(from: start, within: .seconds(300), waitingFor: what) { pick($0) != nil }
            .event
        guard let value = pick(event) else { throw TimedOut(waitingFor: what, limit: .zero) }
        return value
    }
}

/// A central manager that is only held. It is not Sendable, and nobody uses it.
struct HeldCentral: @unchecked Sendable {
    private let central: CBCentralManager

    init(_ central: CBCentralManager) { self.central = central }
}

struct ScriptedSecurity: AccessoryTransportSecurity {
    func accept(sessionRequest: AccessorySecuritySession.Request) -> AccessorySecuritySession.Request.Decision {
        let script = Phone.current.part(Script.self)
        guard !script.state.withLock({ $0.rejectsSecurity }) else { return sessionRequest.reject(error: .unsupported) }
        if script.state.withLock({ $0.looksAtAccessories }) { look(script) }
        if script.state.withLock({ $0.leavesSession }) {
            let session = ASAccessorySession()
            session.activate(on: DispatchQueue(label: "left")) { _ in
                script.events.append(.accessories(session.accessories.map(\.displayName)))
            }
        }
        if script.state.withLock({ $0.holdsBluetooth }) {
            let central = HeldCentral(CBCentralManager(delegate: nil, queue: DispatchQueue(label: "held")))
            script.state.withLock { $0.central = central }
        }
        script.events.append(.securityOffered(sessionRequest.session))
        return sessionRequest.accept { Handler(script: script) }
    }

    private func look(_ script: Script) {
        let session = ASAccessorySession()
        session.activate(on: DispatchQueue(label: "look")) { event in
            guard event.eventType == .activated else { return }
            script.events.append(.accessories(session.accessories.map(\.displayName)))
            session.invalidate()
        }
    }

    struct Handler: AccessorySecuritySession.EventHandler {
        let script: Script

        func messageReceived(
            _ message: SecurityMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
        ) {
            script.events.append(.key(message))
            let answer = script.state.withLock { $0.security.isEmpty ? nil : $0.security.removeFirst() }
            script.answer(answer, completion)
        }

        func sessionInvalidated(error: (any Error)?) { script.events.append(.invalidated("security")) }
    }
}

struct ScriptedTransport: AccessoryTransportAppExtension {
    func accept(
        sessionRequest: AccessoryTransportSession.Request
    ) -> AccessoryTransportSession.Request.Decision {
        let script = Phone.current.part(Script.self)
        guard let transport = sessionRequest.session.transport,
            !script.state.withLock({ $0.rejectedTransports.contains(transport) })
        else { return sessionRequest.reject(error: nil) }
        script.events.append(.transportOffered(sessionRequest.session))
        return sessionRequest.accept { Handler(script: script, transport: transport) }
    }

    struct Handler: AccessoryTransportSession.EventHandler {
        let script: Script
        let transport: AccessoryTransport

        func messageReceived(
            _ message: TransportMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
        ) {
            let answer = script.state.withLock { state in
                state.answers[transport, default: []].isEmpty ? nil : state.answers[transport]?.removeFirst()
            }
            // The handler is kept before the event is visible, and the event is visible before the answer is given.
            if case .keepSilent = answer { script.answer(answer, completion) }
            script.events.append(.sealed(message, transport))
            if case .keepSilent = answer { return }
            script.answer(answer, completion)
        }

        func sessionInvalidated(error: AccessoryTransportSession.Error?) {
            script.events.append(.invalidated("\(transport)"))
        }
    }
}

struct ScriptedProvider: AccessoryDataProvider {
    var extensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-data-provider")
        Implementing {
            NotificationsForwarding {
                Handler(script: Phone.current.part())
            }
        }
    }

    final class Handler: AccessoryNotificationsHandler {
        let script: Script
        private let session = Mutex<NotificationsForwarding.Session?>(nil)

        init(script: Script) { self.script = script }

        func didActivate(for session: NotificationsForwarding.Session) {
            self.session.withLock { $0 = session }
            script.events.append(.providerActivated(session))
        }

        func didInvalidate() { script.events.append(.invalidated("provider")) }

        func addNotification(
            _ notification: AccessoryNotification, alertingContext: AlertingContext
        ) async throws -> Bool {
            script.events.append(.added(notification, alertingContext))
            let compose = script.state.withLock { $0.compose }
            let session = session.withLock { $0 }
            try await session?.send(message: compose(notification.title ?? ""))
            return alertingContext.shouldAlert
        }

        func updateNotification(_ notification: AccessoryNotification) {}
        func removeNotification(identifier: AccessoryNotification.Identifier) {
            script.events.append(.removed(identifier))
        }

        func removeAllNotifications() {}
        func messageHandler(_ message: AccessoryMessage) { script.events.append(.message(message)) }
    }
}

/// A data provider with the wrong extension point.
struct MisboundProvider: AccessoryDataProvider {
    var extensionPoint: AppExtensionPoint {
        Identifier("com.example.elsewhere")
        Implementing { NotificationsForwarding { ScriptedProvider.Handler(script: Phone.current.part()) } }
    }
}
