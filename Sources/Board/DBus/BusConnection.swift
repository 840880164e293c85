import Glibc
import HILCDBus
import HILPOSIX
import HILTiming
import Synchronization

/// A private connection to a message bus. Its own thread reads it.
///
/// The thread calls the handlers of signals and methods in the order of arrival, and before a later reply resumes its
/// caller. So if a handler copies properties, the copy is up to date after a call. Handlers must not block.
package final class BusConnection: Sendable {
    private struct Pending {
        let continuation: CheckedContinuation<BusMessage, any Error>
        let hear: @Sendable ([BusValue]) -> Void
        let deadline: ContinuousClock.Instant
        let limit: Duration
        let action: String
    }

    private struct State {
        var pending: [UInt32: Pending] = [:]
        var subscriptions: [BusSubscription] = []
        var objects: [String: BusObject] = [:]
        var monitor: (@Sendable (OverheardMessage) -> Void)?
        var isClosed = false
        var closeHandler: (@Sendable () -> Void)?
    }

    /// libdbus locks it, because `dbus_threads_init_default` is called first.
    private nonisolated(unsafe) let raw: OpaquePointer
    /// The unique name of the connection on the bus, such as `:1.7`.
    package let uniqueName: String
    private let wakeUp: (read: Descriptor, write: Descriptor)
    private let state = Mutex(State())

    /// Connects to the system bus.
    package static func system() throws(BusError) -> BusConnection {
        try open(
            address: getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
                ?? "unix:path=/run/dbus/system_bus_socket")
    }

    /// Connects to a bus by its address, such as `unix:path=/run/dbus/system_bus_socket`, and registers with it.
    package static func open(address: String) throws(BusError) -> BusConnection {
        let action = "connecting to the message bus at \(address)"
        dbus_threads_init_default()
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let raw = dbus_connection_open_private(address, &error) else { throw BusError(error, action) }
        dbus_connection_set_exit_on_disconnect(raw, 0)
        guard dbus_bus_register(raw, &error) != 0 else {
            dbus_connection_close(raw)
            dbus_connection_unref(raw)
            throw BusError(error, action)
        }
        do {
            return try BusConnection(raw, wakeUp: Descriptor.pipe())
        } catch {
            dbus_connection_close(raw)
            dbus_connection_unref(raw)
            throw BusError(name: BusError.Name.noMemory, message: "\(error)", action: action)
        }
    }

    private init(_ raw: OpaquePointer, wakeUp: (read: Descriptor, write: Descriptor)) {
        self.raw = raw
        self.wakeUp = wakeUp
        uniqueName = dbus_bus_get_unique_name(raw).map { String(cString: $0) } ?? ""
        try? wakeUp.read.setNonBlocking()
        try? wakeUp.write.setNonBlocking()
        // The thread keeps the connection alive until it is closed.
        startThread(named: "dbus") { self.run() }
    }

    /// Closes the connection. All waiting calls fail with `Disconnected`. Calling it again does no harm.
    package func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }

    /// Sets a handler that is called once on the connection's thread, when the connection has ended for any reason.
    package func onClose(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.closeHandler = handler }
    }

    // MARK: - Calls

    /// Calls a method and waits for its reply.
    ///
    /// - Parameters:
    ///   - limit: The longest time to wait for the reply.
    ///   - hear: Called with the reply's arguments on the connection's thread, after the handlers of earlier signals and
    ///     before those of later ones. The caller resumes later: signals may have been handled meanwhile.
    /// - Returns: The reply's arguments.
    /// - Throws: The error in the reply; `NoReply` at the limit; `Disconnected`; `InvalidArgs` for arguments that
    ///   cannot be sent.
    @discardableResult
    package func call(
        _ member: String, of interface: String, on path: String, at destination: String, _ arguments: [BusValue] = [],
        within limit: Duration, hear: @escaping @Sendable ([BusValue]) -> Void = { _ in }
    ) async throws(BusError) -> [BusValue] {
        let action = "calling \(interface).\(member) of \(path)"
        let call = try BusMessage.methodCall(destination, path, interface, member, action: action)
        try call.append(arguments, action: action)
        let reply = try await exchange(call, within: limit, action, hear)
        guard reply.kind != DBUS_MESSAGE_TYPE_ERROR else {
            throw BusError(name: reply.errorName, message: reply.arguments.first?.asString ?? "", action: action)
        }
        return reply.arguments
    }

    private func exchange(
        _ call: BusMessage, within limit: Duration, _ action: String, _ hear: @escaping @Sendable ([BusValue]) -> Void
    ) async throws(BusError) -> BusMessage {
        let serial = Mutex<UInt32>(0)
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let deadline = ContinuousClock.now + limit
                    let pending = Pending(
                        continuation: continuation, hear: hear, deadline: deadline, limit: limit, action: action)
                    serial.withLock { $0 = send(call, awaitedBy: pending) }
                    if Task.isCancelled { cancel(serial.withLock { $0 }) }
                }
            } onCancel: {
                cancel(serial.withLock { $0 })
            }
        } catch {
            throw error as? BusError ?? BusError(name: BusError.Name.cancelled, message: "\(error)", action: action)
        }
    }

    /// Sends inside the lock, so that the caller is registered before the reply can arrive.
    private func send(_ call: BusMessage, awaitedBy pending: Pending) -> UInt32 {
        let (serial, failure): (UInt32, String?) = state.withLock { state in
            guard !state.isClosed else { return (0, BusError.Name.disconnected) }
            var serial: UInt32 = 0
            guard dbus_connection_send(raw, call.raw, &serial) != 0 else { return (0, BusError.Name.noMemory) }
            state.pending[serial] = pending
            return (serial, nil)
        }
        if let failure {
            pending.continuation.resume(throwing: BusError(name: failure, message: "", action: pending.action))
        } else {
            wake()
        }
        return serial
    }

    private func cancel(_ serial: UInt32) {
        fail(serial, name: BusError.Name.cancelled, message: "")
    }

    private func fail(_ serial: UInt32, name: String, message: String) {
        guard let pending = state.withLock({ $0.pending.removeValue(forKey: serial) }) else { return }
        pending.continuation.resume(throwing: BusError(name: name, message: message, action: pending.action))
    }

    // MARK: - Signals

    /// Emits a signal. After the end of the connection, signals are dropped.
    package func emit(
        _ member: String, of interface: String, on path: String, _ arguments: [BusValue] = []
    ) throws(BusError) {
        let action = "emitting \(interface).\(member) of \(path)"
        let signal = try BusMessage.signal(path, interface, member, action: action)
        try signal.append(arguments, action: action)
        post(signal)
    }

    /// Makes the bus send matching signals. `handler` is called on the connection's thread, in order.
    ///
    /// - Throws: The bus's error for `AddMatch`, or the error of sending it.
    package func subscribe(
        to match: BusMatch, within limit: Duration = .seconds(10), _ handler: @escaping @Sendable (BusSignal) -> Void
    ) async throws(BusError) {
        state.withLock { $0.subscriptions.append(BusSubscription(match: match, handler: handler)) }
        try await call(
            "AddMatch", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
            [.string(match.rule)], within: limit)
    }

    /// Makes the connection a monitor: it hears messages of others, and can send nothing more.
    ///
    /// - Parameters:
    ///   - rules: Match rules of the D-Bus Specification; a message that matches one is heard.
    ///   - hear: Called on the connection's thread, in order. It must not block.
    /// - Throws: The bus's error for `BecomeMonitor`; it lets only its own user and root do so.
    package func monitor(
        _ rules: [String], within limit: Duration = .seconds(10),
        _ hear: @escaping @Sendable (OverheardMessage) -> Void
    ) async throws(BusError) {
        state.withLock { $0.monitor = hear }
        try await call(
            "BecomeMonitor", of: "org.freedesktop.DBus.Monitoring", on: "/org/freedesktop/DBus",
            at: "org.freedesktop.DBus", [.strings(rules), .uint32(0)], within: limit)
    }

    // MARK: - Objects

    /// Puts an object on the bus. It replaces an earlier object at this path.
    package func export(_ object: BusObject, at path: String) {
        // The old object may be freed only after the lock is released: freeing its methods may use the connection.
        _ = state.withLock { $0.objects.updateValue(object, forKey: path) }
    }

    /// Removes the object at this path and all objects below it from the bus.
    package func unexport(_ path: String) {
        _ = state.withLock { state in
            let before = state.objects
            state.objects = before.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
            return before
        }
    }

    /// The objects below a path.
    func objects(below path: String) -> [String: BusObject] {
        state.withLock { state in
            state.objects.filter { $0.key != path && (path == "/" || $0.key.hasPrefix(path + "/")) }
        }
    }

    /// Queues a message to send.
    func post(_ message: BusMessage) {
        let isQueued = state.withLock { !$0.isClosed && dbus_connection_send(raw, message.raw, nil) != 0 }
        if isQueued { wake() }
    }
}

// MARK: - The thread

extension BusConnection {
    /// Reads, dispatches and checks deadlines, until one side closes the connection.
    private func run() {
        var descriptor: Int32 = -1
        dbus_connection_get_unix_fd(raw, &descriptor)
        while !state.withLock({ $0.isClosed }) {
            guard dbus_connection_read_write(raw, 0) != 0 else { break }
            while let message = dbus_connection_pop_message(raw) { handle(BusMessage(adopting: message)) }
            guard dbus_connection_get_is_connected(raw) != 0 else { break }
            let next = expire()
            wait(for: descriptor, until: next)
        }
        finish()
    }

    private func wait(for descriptor: Int32, until deadline: ContinuousClock.Instant?) {
        let toSend = dbus_connection_has_messages_to_send(raw) != 0
        var files = [
            pollfd(fd: descriptor, events: Int16(POLLIN | (toSend ? POLLOUT : 0)), revents: 0),
            pollfd(fd: wakeUp.read.raw, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = deadline.map { ($0 - .now).seconds * 1000 }
        _ = poll(&files, 2, milliseconds.map { Int32(max(0, min($0.rounded(.up), 1e6))) } ?? -1)
        if files[1].revents != 0 { _ = try? wakeUp.read.read(upTo: 256) }
    }

    private func wake() {
        // If the pipe is full, the thread wakes up anyway.
        var byte: UInt8 = 0
        _ = Glibc.write(wakeUp.write.raw, &byte, 1)
    }

    /// Fails the calls whose deadlines have passed, and returns the next deadline.
    private func expire() -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        let (due, next) = state.withLock { state in
            let due = state.pending.filter { $0.value.deadline <= now }
            return (due, state.pending.values.lazy.map(\.deadline).filter { $0 > now }.min())
        }
        for (serial, pending) in due {
            fail(serial, name: BusError.Name.noReply, message: "no reply came within \(pending.limit.short)")
        }
        return next
    }

    private func handle(_ message: BusMessage) {
        let monitor = state.withLock { state in
            state.pending.isEmpty ? state.monitor : nil
        }
        if let monitor {
            // The bus tells a new monitor that it has lost its name.
            if message.destination != uniqueName { monitor(OverheardMessage(message)) }
            return
        }
        switch message.kind {
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR:
            let pending = state.withLock { $0.pending.removeValue(forKey: message.replySerial) }
            if message.kind != DBUS_MESSAGE_TYPE_ERROR { pending?.hear(message.arguments) }
            pending?.continuation.resume(returning: message)
        case DBUS_MESSAGE_TYPE_SIGNAL: deliver(message)
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            let object = state.withLock { $0.objects[message.path] }
            BusCall(message, on: self).dispatch(to: object)
        default: break
        }
    }

    private func deliver(_ message: BusMessage) {
        let (path, interface, member) = (message.path, message.interface, message.member)
        let handlers = state.withLock { state in
            state.subscriptions.filter { $0.match.matches(path: path, interface: interface, member: member) }
        }
        guard !handlers.isEmpty else { return }
        let signal = BusSignal(
            sender: message.sender, path: path, interface: interface, member: member, arguments: message.arguments)
        for subscription in handlers { subscription.handler(signal) }
    }

    private func finish() {
        let last = state.withLock { state in
            defer { state = State(isClosed: true) }
            return state
        }
        for call in last.pending.values {
            call.continuation.resume(
                throwing: BusError(name: BusError.Name.disconnected, message: "", action: call.action))
        }
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
        last.closeHandler?()
    }
}

extension BusError {
    fileprivate init(_ error: DBusError, _ action: String) {
        self.init(
            name: error.name.map { String(cString: $0) } ?? Name.disconnected,
            message: error.message.map { String(cString: $0) } ?? "", action: action)
    }
}
