import Synchronization

/// Observes a run while it happens: the terminal, a report, a page. No observer changes what another one sees.
package protocol RunObserver: Sendable {
    /// Takes the next line of the run.
    ///
    /// - Parameter record: The run so far, the line included.
    func take(_ line: RunLine, _ record: RunRecord)
}

/// A run in progress: the record that grows with each line, and its observers, who hear of each line in their order,
/// one line at a time, from whichever thread it comes.
package final class ObservedRun: Sendable {
    private struct State {
        var record = RunRecord()
        /// The scenario that ended last. All observers have seen its events when the next line comes.
        var ended: String?
    }

    private let observers: [any RunObserver]
    /// Held until all observers have taken a line: trials side by side tell their results at the same time.
    private let turn = Mutex(())
    private let state = Mutex(State())

    package init(_ observers: [any RunObserver]) { self.observers = observers }

    /// The run so far.
    package var record: RunRecord { state.withLock { $0.record } }

    /// Takes the next line.
    package func take(_ line: RunLine) {
        turn.withLock { _ in tell(line) }
    }

    private func tell(_ line: RunLine) {
        let record = state.withLock { state in
            // Only now: while somebody looks at the record as it was, a change would copy all of it.
            if let ended = state.ended { state.record.forgetStory(of: ended) }
            state.ended = nil
            state.record.take(line)
            if case .scenarioEnded? = line.runner { state.ended = line.scenario }
            return state.record
        }
        for observer in observers { observer.take(line, record) }
    }
}
