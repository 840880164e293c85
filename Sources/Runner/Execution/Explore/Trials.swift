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
        /// When the edges of what was found begin to go first; nil is never.
        var edges: (begin: ContinuousClock.Instant, info: ExplorationInfo)?
        var haveEdgesBegun = false
        /// Whether the trials that proved nothing are to be made again before any other.
        var isHeld = false

        mutating func next(_ now: ContinuousClock.Instant) -> TrialOrder? {
            guard let edges, now >= edges.begin else { return waiting.popFirst() }
            if !haveEdgesBegun {
                haveEdgesBegun = true
                isHeld = results.contains(where: \.outcome.isUnproven)
            }
            guard !isHeld else { return nil }
            let wanted = Set(ExplorationFinding.all(in: results, of: edges.info).flatMap { $0.range?.edges ?? [] })
            let edge = waiting.firstIndex { $0.cell.map(wanted.contains) == true }
            return edge.map { waiting.remove(at: $0) } ?? waiting.popFirst()
        }
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

    func plan(_ orders: [TrialOrder]) {
        state.withLock { state in
            state.waiting += orders
            state.isHeld = false
        }
    }

    /// Plans the trials that proved nothing once more, each only once, and with more patience: the machine may be late again.
    func planUnproven() {
        state.withLock { state in
            let unproven = state.results.filter(\.outcome.isUnproven).map { result in
                var order = TrialOrder(result.cell, second: result.second)
                order.patience *= Trials.morePatience
                return order
            }
            state.waiting += unproven.filter { state.repeated.insert($0).inserted }
            state.isHeld = false
        }
    }

    /// From this time on, the trials at the edges of what was found go first. If trials have proved nothing by then, none
    /// begins until they or others are planned.
    func preferEdges(of info: ExplorationInfo, from begin: ContinuousClock.Instant) {
        state.withLock { $0.edges = (begin, info) }
    }

    /// The next trial; nil if none is left, or the time is over.
    func next() -> TrialOrder? {
        let now = ContinuousClock.now
        if let end, now >= end { return nil }
        return state.withLock { $0.next(now) }
    }

    /// Whether a trial is next.
    var hasNext: Bool {
        let isOver = end.map { ContinuousClock.now >= $0 } ?? false
        return !isOver && state.withLock { !$0.isHeld && !$0.waiting.isEmpty }
    }

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
