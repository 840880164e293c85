import HILTiming
import Synchronization

/// A clock that stands still while it is a person's turn: a person in front of a browser must not cause a missed limit.
final class PlayClock: Clock, Sendable {
    private struct State {
        /// For how long it has stood still so far, without the current pause.
        var paused = Duration.zero
        var pausedSince: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    /// An event for each time that it begins to run again.
    private let resumptions = EventLog<Void>(keepingAtMost: 4)

    var now: ContinuousClock.Instant {
        state.withLock { state in (state.pausedSince ?? .now) - state.paused }
    }

    var minimumResolution: Duration { ContinuousClock().minimumResolution }

    /// Whether it stands still.
    var isPaused: Bool {
        get { state.withLock { $0.pausedSince != nil } }
        set {
            let runsAgain = state.withLock { state in
                if newValue {
                    state.pausedSince = state.pausedSince ?? .now
                    return false
                }
                guard let since = state.pausedSince else { return false }
                state.paused += ContinuousClock.now - since
                state.pausedSince = nil
                return true
            }
            if runsAgain { resumptions.append(()) }
        }
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        while true {
            let place = resumptions.count
            if isPaused {
                _ = try await resumptions.first(from: place) { true }
                continue
            }
            let left = now.duration(to: deadline)
            if left <= .zero { return }
            try await Task.sleep(for: left, tolerance: tolerance, clock: .continuous)
        }
    }
}
