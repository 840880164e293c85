import Synchronization

/// Changes under way: those of one thing run one after the other, those of different things at once, and what concerns all
/// things runs alone.
final class ChangeOrder<Name: Hashable & Sendable>: Sendable {
    private typealias Change = (number: Int, task: Task<Void, any Error>)

    private struct State {
        var count = 0
        /// The last change of each thing that has one; it waits for those before it.
        var last: [Name: Change] = [:]
        var lastOfAll: Change?
    }

    private let state = Mutex(State())

    /// Runs a change once those before it have ended, however they did.
    ///
    /// - Parameter name: What it concerns; nil for all things.
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
