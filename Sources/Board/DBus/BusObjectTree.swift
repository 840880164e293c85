import HILTiming
import Synchronization

/// A copy of the objects that a service manages (`org.freedesktop.DBus.ObjectManager`). Signals keep it up to date.
///
/// It changes on the connection's thread, before a later reply resumes its caller.
package final class BusObjectTree: Sendable {
    /// Properties by path, then by interface, then by name.
    package typealias Objects = [String: [String: [String: BusValue]]]

    /// A change of the objects or of the service.
    package enum Change: Sendable {
        /// Interfaces with their properties were added to an object.
        case added(path: String, interfaces: [String: [String: BusValue]])
        case removed(path: String, interfaces: [String])
        /// Properties of an interface have new values. Invalidated properties were removed.
        case changed(path: String, interface: String, properties: [String: BusValue])
        /// The service left the bus. All its objects were removed.
        case serviceLost
        /// The service is on the bus. Its objects follow as `added`.
        case serviceFound
    }

    private struct Waiter {
        /// Looks at the objects. If it finds something, it resumes its caller and returns true.
        let look: @Sendable (Objects) -> Bool
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var objects: Objects = [:]
        var owner: String?
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let connection: BusConnection
    /// The well-known name of the service.
    package let service: String
    private let state = Mutex(State())
    private let observer: @Sendable (Change) -> Void

    /// - Parameter observer: Called for every change on the connection's thread, after the copy has changed.
    package init(of service: String, on connection: BusConnection, observer: @escaping @Sendable (Change) -> Void) {
        self.connection = connection
        self.service = service
        self.observer = observer
    }

    /// Subscribes to changes. If the service is running, reads its objects; if it starts later, its objects are read
    /// then.
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

    /// Whether the service is absent from the bus.
    package var serviceIsMissing: Bool { state.withLock { $0.owner == nil } }

    /// The current copy of the objects.
    package var objects: Objects { state.withLock { $0.objects } }

    /// The properties of one interface of an object; nil if it does not exist.
    package func properties(of path: String, _ interface: String) -> [String: BusValue]? {
        state.withLock { $0.objects[path]?[interface] }
    }

    /// Waits until `look` returns a value. It is called now and after each change.
    ///
    /// - Throws: ``TimedOut``, or `CancellationError`.
    package func first<Found: Sendable>(
        within limit: Duration, waitingFor what: String, clock: any Clock<Duration> = ContinuousClock(),
        _ look: @escaping @Sendable (Objects) -> Found?
    ) async throws -> Found {
        if let found = look(objects) { return found }
        return try await withDeadline(limit, waitingFor: what, clock: clock) { try await self.wait(look) }
    }

    /// Reads the properties of an interface, for services that do not report a change, and passes them to the observer.
    ///
    /// - Throws: ``BusError``.
    package func read(_ path: String, _ interface: String, within limit: Duration) async throws(BusError) {
        let reply = try await connection.call(
            "GetAll", of: "org.freedesktop.DBus.Properties", on: path, at: service, [.string(interface)],
            within: limit
        ) { reply in
            guard let properties = reply.first?.asDictionary else { return }
            self.state.withLock { $0.objects[path, default: [:]][interface] = properties }
            self.tell(.changed(path: path, interface: interface, properties: properties))
        }
        guard reply.first?.asDictionary != nil else {
            throw .invalid("the reply holds no properties", "reading \(interface) of \(path)")
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

    /// Calls the observer, then the waiters.
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
        _ = try? await connection.call(
            "GetManagedObjects", of: "org.freedesktop.DBus.ObjectManager", on: "/", at: service, within: .seconds(30)
        ) { reply in
            for (path, value) in reply.first?.asDictionary ?? [:] {
                guard let interfaces = value.asDictionary?.compactMapValues(\.asDictionary) else { continue }
                self.add(path, interfaces, from: owner)
            }
        }
    }

    private func add(_ path: String, _ interfaces: [String: [String: BusValue]], from owner: String) {
        let isCurrent = state.withLock { state in
            guard state.owner == owner else { return false }
            state.objects[path, default: [:]].merge(interfaces) { $1 }
            return true
        }
        if isCurrent { tell(.added(path: path, interfaces: interfaces)) }
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
            add(path, interfaces, from: signal.sender)
        } else if signal.member == "InterfacesRemoved", let names = signal.arguments[1].asArray?.compactMap(\.asString)
        {
            state.withLock { state in
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
            state.objects[signal.path]?[interface]?.merge(changed) { $1 }
            for name in gone { state.objects[signal.path]?[interface]?[name] = nil }
        }
        tell(.changed(path: signal.path, interface: interface, properties: changed))
    }
}
