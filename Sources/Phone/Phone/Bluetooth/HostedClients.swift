import Foundation
import Synchronization

/// The central managers of extensions, by the accessory that each extension was launched for.
final class HostedClients: Sendable {
    private struct State {
        var hosts: [CentralCore.ClientID: UUID] = [:]
        var waiting: [UUID: [AsyncStream<Never>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// Adds a new central manager.
    ///
    /// - Parameter accessory: The ``AccessoryRecord/id`` of its extension's accessory; nil for a central manager of the
    ///   app.
    func add(_ client: CentralCore.ClientID, for accessory: UUID?) {
        if let accessory { state.withLock { $0.hosts[client] = accessory } }
    }

    /// Removes a central manager, and ends the waits for the last one of its accessory.
    func remove(_ client: CentralCore.ClientID) {
        let waiting = state.withLock { state -> [AsyncStream<Never>.Continuation] in
            guard let accessory = state.hosts.removeValue(forKey: client), !state.hosts.values.contains(accessory)
            else { return [] }
            return state.waiting.removeValue(forKey: accessory) ?? []
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Whether a central manager belongs to an extension.
    func contains(_ client: CentralCore.ClientID) -> Bool { state.withLock { $0.hosts[client] != nil } }

    /// Returns when no extension for this accessory has a central manager, or when the task is cancelled.
    func untilGone(_ accessory: UUID) async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        state.withLock { state in
            guard state.hosts.values.contains(accessory) else { return continuation.finish() }
            state.waiting[accessory, default: []].append(continuation)
        }
        for await _ in stream {}
    }
}
