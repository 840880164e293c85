import HILExploration
import HILRecord
import Synchronization

/// The trials of an exploration: those that are to be made, and the results.
final class Trials: Sendable {
    private struct State {
        var waiting: ArraySlice<TrialOrder> = []
        var results: [TrialResult] = []
        /// The trials that are kept: the shortest of each finding.
        var kept: [TrialResult: TrialRunner.Trial] = [:]
        var lastNumber = 0
        /// The trials that were planned once more.
        var repeated: Set<TrialOrder> = []
        /// When no trial begins for now.
        var pause: ContinuousClock.Instant?
    }

    /// How many times the patience a trial has that proved nothing before.
    private static let morePatience = 3.0

    let journey: Journey
    let judge: TrialJudge
    /// When no trial begins any more; nil is never.
    let end: ContinuousClock.Instant?
    private let state = Mutex(State())

    /// - Parameter seconds: How long trials may begin; nil is without end.
    init(journey: Journey, seconds: Double?) {
        self.journey = journey
        judge = TrialJudge(journey)
        end = seconds.map { .now + .seconds($0) }
    }

    func plan(_ orders: [TrialOrder]) { state.withLock { $0.waiting += orders } }

    /// Plans the trials that proved nothing once more, each only once, and with more patience: the machine may be late again.
    func planUnproven() {
        state.withLock { state in
            let unproven = state.results.filter(\.outcome.isUnproven).map { result in
                var order = TrialOrder(result.cell, second: result.second)
                order.patience *= Trials.morePatience
                return order
            }
            state.waiting += unproven.filter { state.repeated.insert($0).inserted }
        }
    }

    /// The next trial; nil if none is left, or the time is over.
    func next() -> TrialOrder? {
        let now = ContinuousClock.now
        if let end, now >= end { return nil }
        return state.withLock { state in
            if let pause = state.pause, now >= pause { return nil }
            return state.waiting.popFirst()
        }
    }

    /// Lets trials begin only until this time; nil is until the end.
    func pause(at time: ContinuousClock.Instant?) { state.withLock { $0.pause = time } }

    func number() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Adds a result, in place of one that proved nothing.
    ///
    /// - Parameter trial: The trial; nil if it was made earlier.
    /// - Returns: The folders of trials that are not kept any more.
    @discardableResult
    func add(_ result: TrialResult, _ trial: TrialRunner.Trial?) -> [String] {
        let hasWiFi = journey.moments.contains(where: \.hasWiFi)
        return state.withLock { state in
            state.results.add(result)
            if let trial, result.outcome.isFinding { state.kept[result] = trial }
            let shortest = Set(ExplorationFinding.all(in: state.results, hasWiFi: hasWiFi).map(\.shortest))
            let old = state.kept.filter { !shortest.contains($0.key) }
            for key in old.keys { state.kept[key] = nil }
            return old.values.map(\.folder)
        }
    }

    var results: [TrialResult] { state.withLock { $0.results } }

    /// Forgets the trials that were not made, and returns them.
    @discardableResult
    func takeWaiting() -> [TrialOrder] {
        state.withLock { state in
            defer { state.waiting = [] }
            return Array(state.waiting)
        }
    }

    func trial(of result: TrialResult) -> TrialRunner.Trial? { state.withLock { $0.kept[result] } }
}
