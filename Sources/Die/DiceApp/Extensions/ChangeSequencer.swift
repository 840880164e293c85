import Synchronization

/// Runs changes in order. Changes with the same name run one after the other; with different names they run in
/// parallel. A change without a name runs alone.
final class ChangeSequencer<Name: Hashable & Sendable>: Sendable {
    private typealias Change = (number: Int, task: Task<Void, any Error>)

    private struct State {
        var count = 0
        /// The last change for each name. It waits for those before it.
        var last: [Name: Change] = [:]
        var lastOfAll: Change?
    }

    private let state = Mutex(State())

    /// Runs a change after the changes before it have ended, with or without an error.
    ///
    /// - Parameter name: The name of the change; nil for a change that runs alone.
    @discardableResult
    func add(_ name: Name?, _ change: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        state.withLock { state in
            state.count += 1
            let number = state.count
            let others = if let name { [state.last[name]] } else { state.last.values.map(Optional.some) }
            let before = (others + [state.lastOfAll]).compactMap { $0?.task }
            let task = Task {
                for one in before { _ = await one.result }
                defer { ended(name, number) }
                try await change()
            }
            if let name {
                state.last[name] = (number, task)
            } else {
                (state.last, state.lastOfAll) = ([:], (number, task))
            }
            return task
        }
    }

    private func ended(_ name: Name?, _ number: Int) {
        state.withLock { state in
            if let name {
                if state.last[name]?.number == number { state.last[name] = nil }
            } else if state.lastOfAll?.number == number {
                state.lastOfAll = nil
            }
        }
    }
}
