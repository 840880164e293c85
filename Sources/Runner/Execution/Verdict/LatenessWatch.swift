import BoardProtocol
import HIL
import HILPOSIX
import HILRecord
import HILTiming
import RigModel
import Synchronization

/// What all witnesses of lateness have counted up to one moment.
struct LatenessSample: Sendable {
    /// The time of the sample, in nanoseconds of `CLOCK_BOOTTIME`.
    var time: UInt64
    var machine = MachineTimes()
    /// The runner itself.
    var runner: TickRecord?
    var worker = PartTimes()
    var rig: [RigPart: PartTimes] = [:]
    /// For how long each board of a bench has left heartbeats unanswered.
    var owed: [BoardRole: Duration] = [:]
    /// For how long each board's system could not run, as its agent reported.
    var told: [BoardRole: Double] = [:]

    /// How late everything was since an earlier sample.
    func lateness(since before: LatenessSample) -> Lateness {
        let window = Double(time - min(time, before.time)) / 1e9
        var witnesses: [Lateness.Witness] = []
        func compare(_ what: String, _ now: PartTimes, _ then: PartTimes?, isBoard: Bool = false) {
            if let ticks = now.ticks {
                witnesses.append(stood(what, ticks, since: then?.ticks, before.time, window))
            }
            guard let processor = now.processor, let then = then?.processor else { return }
            guard let demand = processor.demand(since: then) else { return }
            let (waited, ready) = (demand.waited.seconds, (demand.ran + demand.waited).seconds)
            witnesses.append(
                isBoard
                    ? Lateness.Witness(.waited, what, seconds: waited, of: ready)
                    : Lateness.Witness(.queued, what, seconds: waited, of: window))
        }
        compare("the runner", PartTimes(ticks: runner), PartTimes(ticks: before.runner))
        compare("the scenario's process", worker, before.worker)
        for (part, times) in rig {
            compare(part.name, times, before.rig[part], isBoard: part == .host || part == .accessory)
        }
        for (board, owed) in owed {
            let late = max(.zero, owed - (before.owed[board] ?? .zero)).seconds
            witnesses.append(Lateness.Witness(.owed, RigPart(board).name, seconds: late, of: window))
        }
        for (board, told) in told {
            let late = max(0, told - (before.told[board] ?? 0))
            witnesses.append(
                Lateness.Witness(.stood, "the system of \(RigPart(board).name)", seconds: late, of: window))
        }
        let stolen = zip(machine.stolen, before.machine.stolen).map { max(.zero, $0 - $1).seconds }.max() ?? 0
        witnesses.append(Lateness.Witness(.stolen, "the machine around this one", seconds: stolen, of: window))
        // All processors are throttled at the same time, and each is counted.
        let throttled = min(window, max(.zero, machine.throttled - before.machine.throttled).seconds)
        witnesses.append(Lateness.Witness(.throttled, "the quota of processor time", seconds: throttled, of: window))
        return Lateness(seconds: window, witnesses)
    }

    private func stood(
        _ what: String, _ ticks: TickRecord, since then: TickRecord?, _ beginning: UInt64, _ window: Double
    ) -> Lateness.Witness {
        // What first ticked after the earlier sample had not stood before.
        let before = then?.stood(at: beginning) ?? 0
        let stood = ticks.stood(at: time)
        return Lateness.Witness(.stood, what, seconds: Double(stood - min(stood, before)) / 1e9, of: window)
    }
}

/// Measures how late the machine, the rig and the worker are during one attempt.
final class LatenessWatch: Sendable {
    private struct State {
        var before: LatenessSample
        var course = LatenessCourse()
        var told: [BoardRole: Double] = [:]
        var rig: (any RunningRig)?
    }

    private let machine: MachineWitness
    private let worker: any RunningWorker
    private let state: Mutex<State>

    /// Begins to measure the machine and the worker.
    init(_ worker: any RunningWorker, on machine: MachineWitness) {
        self.machine = machine
        self.worker = worker
        state = Mutex(State(before: LatenessWatch.sample(machine, worker, nil, told: [:])))
    }

    /// Measures a rig as well, from now on.
    func begin(on rig: any RunningRig) {
        let sample = LatenessWatch.sample(machine, worker, rig, told: [:])
        state.withLock { state in
            state.rig = rig
            (state.before.rig, state.before.owed) = (sample.rig, sample.owed)
        }
    }

    /// An agent reported that its board's system could not run.
    func take(_ seconds: Double, of board: BoardRole) {
        state.withLock { $0.told[board, default: 0] += max(0, seconds) }
    }

    /// The lateness from the beginning until now.
    var lateness: Lateness { sample.lateness(since: state.withLock { $0.before }) }

    /// What was counted up to now, at several moments.
    var course: LatenessCourse {
        mark()
        return state.withLock { $0.course }
    }

    /// Adds this moment to the course.
    func mark() {
        let sample = sample
        state.withLock { $0.course.add(sample) }
    }

    private var sample: LatenessSample {
        let (told, rig) = state.withLock { ($0.told, $0.rig) }
        return LatenessWatch.sample(machine, worker, rig, told: told)
    }

    private static func sample(
        _ machine: MachineWitness, _ worker: any RunningWorker, _ rig: (any RunningRig)?, told: [BoardRole: Double]
    ) -> LatenessSample {
        var sample = LatenessSample(time: machine.now(), machine: machine.times(), runner: machine.ticks(), told: told)
        sample.worker = PartTimes(processor: worker.processorTime, ticks: worker.ticks)
        if let rig {
            sample.rig = rig.times
            let now = ContinuousClock.now
            sample.owed = rig.answerTimes.mapValues { $0.late(at: now) }
        }
        return sample
    }
}
