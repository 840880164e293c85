import Dispatch
import Foundation
import Synchronization

/// The news for the pages of a played scenario: facts with their current values, and events in order. Values are JSON
/// on one line.
final class PlayFeed: Sendable {
    /// The most events that a page which opens late gets.
    private static let mostEvents = 4000

    /// How much a page has received.
    struct Cursor {
        fileprivate var version = 0
        fileprivate var event = 0
        fileprivate var round = 0
    }

    private struct State {
        var facts: [String: (json: String, version: Int)] = [:]
        var version = 0
        var events: [String] = []
        /// The number of the first event that is kept.
        var first = 0
        /// Raised when everything begins again.
        var round = 1
        var listeners: [ObjectIdentifier: DispatchSemaphore] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Sets a fact.
    func set(_ name: String, _ value: some Encodable) {
        let json = PlayFeed.json(value)
        change { state in
            state.version += 1
            state.facts[name] = (json, state.version)
        }
    }

    /// Adds events.
    func add(_ events: [String]) {
        guard !events.isEmpty else { return }
        change { state in
            state.events += events
            let excess = state.events.count - PlayFeed.mostEvents
            guard excess > PlayFeed.mostEvents / 4 else { return }
            state.events.removeFirst(excess)
            state.first += excess
        }
    }

    /// Forgets all events and facts but those with these names.
    func beginAgain(keeping names: Set<String>) {
        change { state in
            state.facts = state.facts.filter { names.contains($0.key) }
            state.first += state.events.count
            state.events = []
            state.round += 1
            state.version += 1
            for name in state.facts.keys { state.facts[name]?.version = state.version }
        }
    }

    /// Ends all streams.
    func close() { change { $0.isClosed = true } }

    /// The JSON of a fact; nil if it is not set.
    func fact(_ name: String) -> String? { state.withLock { $0.facts[name]?.json } }

    private func change(_ body: (inout State) -> Void) {
        let listeners = state.withLock { state in
            body(&state)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.signal() }
    }

    /// Waits for news.
    ///
    /// - Parameters:
    ///   - cursor: How much the page has received; it advances.
    ///   - listener: The semaphore of ``listen(_:)``.
    ///   - seconds: How long to wait at most.
    /// - Returns: The news as server-sent events; a comment if there are none; nil when the feed is closed.
    func news(since cursor: inout Cursor, _ listener: DispatchSemaphore, seconds: Double) -> String? {
        var waited = false
        while true {
            let (text, isClosed) = state.withLock { state in (PlayFeed.text(of: state, since: &cursor), state.isClosed)
            }
            if isClosed { return nil }
            if let text { return text }
            if waited { return ": still here\n\n" }
            waited = listener.wait(timeout: .now() + seconds) == .timedOut
        }
    }

    /// Runs `body` with a semaphore that is signalled at every change.
    func listen(_ body: (DispatchSemaphore) -> Void) {
        let listener = DispatchSemaphore(value: 0)
        state.withLock { $0.listeners[ObjectIdentifier(listener)] = listener }
        defer { state.withLock { _ = $0.listeners.removeValue(forKey: ObjectIdentifier(listener)) } }
        body(listener)
    }

    private static func text(of state: State, since cursor: inout Cursor) -> String? {
        var text = ""
        if cursor.round != state.round {
            cursor = Cursor(version: 0, event: state.first, round: state.round)
            text += "event: begin\ndata: \(state.round)\n\n"
        }
        let facts = state.facts.filter { $0.value.version > cursor.version }.sorted { $0.key < $1.key }
        if !facts.isEmpty {
            text +=
                "event: facts\ndata: {" + facts.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",")
                + "}\n\n"
        }
        let events = state.events.dropFirst(max(0, cursor.event - state.first))
        if !events.isEmpty { text += "event: events\ndata: [\(events.joined(separator: ","))]\n\n" }
        cursor.version = state.version
        cursor.event = state.first + state.events.count
        return text.isEmpty ? nil : text
    }

    private static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
