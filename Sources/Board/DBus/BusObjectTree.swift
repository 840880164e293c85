import Synchronization
import Timing

/// A mirror of the objects that a service manages: `org.freedesktop.DBus.ObjectManager`, kept by signals.
///
/// It is changed on the connection's thread before a later reply resumes its caller.
package final class BusObjectTree: Sendable {
    /// Properties by interface by path.
    package typealias Objects = [String: [String: [String: BusValue]]]

    /// What changed.
    package enum Change: Sendable {
        /// Interfaces with their properties appeared on a path.
        case added(path: String, interfaces: [String: [String: BusValue]])
        case removed(path: String, interfaces: [String])
        /// Properties of one interface have new values; invalidated ones are gone.
        case changed(path: String, interface: String, properties: [String: BusValue])
        /// The service left the bus; nothing is left of its objects.
        case serviceLost
        /// The service is on the bus; its objects follow as `added`.
        case serviceFound
    }

    private struct Waiter {
        /// Looks, and resumes its caller if what is awaited is there.
        let look: @Sendable (Objects) -> Bool
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var objects: Objects = [:]
        var owner: String?
        /// How many signals changed the mirror.
        var signals = 0
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let connection: BusConnection
    /// The service's well-known name.
    package let service: String
    private let state = Mutex(State())
    private let observer: @Sendable (Change) -> Void

    /// - Parameter observer: Told of every change, on the connection's thread, after the mirror has it.
    package init(of service: String, on connection: BusConnection, observer: @escaping @Sendable (Change) -> Void) {
        self.connection = connection
        self.service = service
        self.observer = observer
    }

    /// Subscribes, and reads what is there if the service is; later arrivals of the service are followed.
    package func start(within limit: Duration) async throws(BusError) {
        try await connection.subscribe(
            to: .init(sender: service, interface: "org.freedesktop.DBus.ObjectManager"), within: limit
        ) { self.objectsChanged($0) }
        try await connection.subscribe(
            to: .init(sender: service, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"),
            within: limit
        ) { self.propertiesChanged($0) }
        try await connection.subscribe(
            to: .init(
                sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
                firstArgument: service), within: limit
        ) { self.ownerChanged($0) }
        let owner: [BusValue]
        do throws(BusError) {
            owner = try await connection.call(
                "GetNameOwner", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
                [.string(service)], within: limit)
        } catch {
            if error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" { return }
            throw error
        }
        if let name = owner.first?.asString { adopt(owner: name) }
    }

    /// Whether the service is not on the bus.
    package var serviceIsMissing: Bool { state.withLock { $0.owner == nil } }

    /// The mirror as it is now.
    package var objects: Objects { state.withLock { $0.objects } }

    /// The properties of one interface of one object; nil if it is not there.
    package func properties(of path: String, _ interface: String) -> [String: BusValue]? {
        state.withLock { $0.objects[path]?[interface] }
    }

    /// Waits until `look` finds something in the mirror; it is asked now and after each change.
    ///
    /// - Throws: ``TimedOut``, or `CancellationError`.
    package func first<Found: Sendable>(
        within limit: Duration, waitingFor what: String, clock: any Clock<Duration> = ContinuousClock(),
        _ look: @escaping @Sendable (Objects) -> Found?
    ) async throws -> Found {
        if let found = look(objects) { return found }
        return try await withDeadline(limit, waitingFor: what, clock: clock) { try await self.wait(look) }
    }

    /// Reads the properties of one interface, for what its service does not tell of by itself, and tells what they are.
    ///
    /// - Throws: ``BusError``.
    package func read(_ path: String, _ interface: String, within limit: Duration) async throws(BusError) {
        while let (owner, signals) = state.withLock({ state in state.owner.map { ($0, state.signals) } }) {
            let reply = try await connection.call(
                "GetAll", of: "org.freedesktop.DBus.Properties", on: path, at: service, [.string(interface)],
                within: limit)
            guard let properties = reply.first?.asDictionary else {
                throw .invalid("the reply holds no properties", "reading \(interface) of \(path)")
            }
            let isCurrent = state.withLock { state in
                // A signal that came after the answer knows better.
                guard state.owner == owner, state.signals == signals else { return false }
                state.objects[path, default: [:]][interface] = properties
                return true
            }
            if isCurrent { return tell(.changed(path: path, interface: interface, properties: properties)) }
        }
    }

    private func wait<Found: Sendable>(_ look: @escaping @Sendable (Objects) -> Found?) async throws -> Found {
        let token = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Found, any Error>) in
                let waiter = Waiter(
                    look: { objects in
                        guard let found = look(objects) else { return false }
                        continuation.resume(returning: found)
                        return true
                    }, cancel: { continuation.resume(throwing: CancellationError()) })
                state.withLock { state in
                    if !waiter.look(state.objects) { state.waiters[token] = waiter }
                }
                if Task.isCancelled { cancelWait(token) }
            }
        } onCancel: {
            cancelWait(token)
        }
    }

    private func cancelWait(_ token: Int) {
        state.withLock { $0.waiters.removeValue(forKey: token) }?.cancel()
    }

    /// Tells the observer, then those who wait.
    private func tell(_ change: Change) {
        observer(change)
        state.withLock { state in
            guard !state.waiters.isEmpty else { return }
            state.waiters = state.waiters.filter { !$0.value.look(state.objects) }
        }
    }

    private func adopt(owner: String) {
        let isNew = state.withLock { state in
            guard state.owner != owner else { return false }
            state.owner = owner
            state.objects = [:]
            return true
        }
        guard isNew else { return }
        tell(.serviceFound)
        Task { await readAll(from: owner) }
    }

    private func readAll(from owner: String) async {
        let reply = try? await connection.call(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", on: "/", at: service, within: .seconds(30))
        guard let objects = reply?.first?.asDictionary else { return }
        for (path, value) in objects {
            guard let interfaces = value.asDictionary?.compactMapValues(\.asDictionary) else { continue }
            add(path, interfaces, from: owner, isSnapshot: true)
        }
    }

    /// Takes in interfaces; those of a snapshot do not overwrite what a signal brought after it was asked for.
    private func add(
        _ path: String, _ interfaces: [String: [String: BusValue]], from owner: String, isSnapshot: Bool
    ) {
        let added = state.withLock { state in
            guard state.owner == owner else { return [String: [String: BusValue]]() }
            if !isSnapshot { state.signals += 1 }
            let known = state.objects[path] ?? [:]
            let added = isSnapshot ? interfaces.filter { known[$0.key] == nil } : interfaces
            state.objects[path] = known.merging(added) { $1 }
            return added
        }
        if !added.isEmpty { tell(.added(path: path, interfaces: added)) }
    }

    private func ownerChanged(_ signal: BusSignal) {
        guard signal.arguments.count == 3, signal.arguments[0].asString == service,
            let owner = signal.arguments[2].asString
        else { return }
        guard owner.isEmpty else { return adopt(owner: owner) }
        state.withLock { state in
            state.owner = nil
            state.objects = [:]
        }
        tell(.serviceLost)
    }

    private func isOurs(_ signal: BusSignal) -> Bool { state.withLock { $0.owner == signal.sender } }

    private func objectsChanged(_ signal: BusSignal) {
        guard isOurs(signal), signal.arguments.count == 2, let path = signal.arguments[0].asString else { return }
        if signal.member == "InterfacesAdded",
            let interfaces = signal.arguments[1].asDictionary?.compactMapValues(\.asDictionary)
        {
            add(path, interfaces, from: signal.sender, isSnapshot: false)
        } else if signal.member == "InterfacesRemoved", let names = signal.arguments[1].asArray?.compactMap(\.asString)
        {
            state.withLock { state in
                state.signals += 1
                for name in names { state.objects[path]?[name] = nil }
                if state.objects[path]?.isEmpty == true { state.objects[path] = nil }
            }
            tell(.removed(path: path, interfaces: names))
        }
    }

    private func propertiesChanged(_ signal: BusSignal) {
        guard isOurs(signal), signal.arguments.count == 3, let interface = signal.arguments[0].asString,
            let changed = signal.arguments[1].asDictionary
        else { return }
        let gone = signal.arguments[2].asArray?.compactMap(\.asString) ?? []
        state.withLock { state in
            guard state.objects[signal.path]?[interface] != nil else { return }
            state.signals += 1
            state.objects[signal.path]?[interface]?.merge(changed) { $1 }
            for name in gone { state.objects[signal.path]?[interface]?[name] = nil }
        }
        tell(.changed(path: signal.path, interface: interface, properties: changed))
    }
}
