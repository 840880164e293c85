import Foundation
import HIL
import HILPOSIX
import HILRecord
import HILTiming
import RigModel

/// Runs single trials of an exploration, each on a fresh rig.
struct TrialRunner: Sendable {
    /// A trial that has ended, and what its worker saw.
    struct Trial: Sendable {
        let order: TrialOrder
        let note: TrialNote?
        let judgement: Judgement
        let seconds: Double
        /// Its folder, with everything that its boards wrote.
        let folder: String
        /// The events of its worker.
        let story: Story
        /// How late everything was; nil if it is not known.
        let lateness: Lateness?
        /// The same, when it was.
        var course: LatenessCourse?
    }

    let planned: PlannedScenario
    let rigs: any RigProvider
    let workers: any WorkerLauncher
    let interruption: Interruption
    let clock: any Clock<Duration>
    let limits: Supervision.Limits
    let package: String
    let uuidNames: [String: String]
    let machine: MachineWitness
    let versions = KnownVersions()

    /// How much longer than its scenario a trial may take: a person who waits, patience, and two more attempts.
    private static func budget(of planned: PlannedScenario) -> Duration {
        planned.scenario.traits.budget * 3 + .seconds(120)
    }

    /// Runs a trial in a folder that exists.
    ///
    /// - Returns: Nil if it was interrupted.
    func run(_ order: TrialOrder, in folder: String) async -> Trial? {
        let began = ContinuousClock.now
        let story = Story()
        let attempt = Attempt(
            planned: planned, rigs: rigs, workers: workers, folder: folder, interruption: interruption, clock: clock,
            limits: limits, versions: versions, system: planned.accessoryNeeds.hasBoard ? rigs.accessorySystem : nil,
            package: package, uuidNames: uuidNames, keepsKeys: true, machine: machine, pause: nil, saver: nil,
            avoided: nil, rigAhead: nil, onRoom: { _ in },
            trial: Attempt.OrderedTrial(order, within: TrialRunner.budget(of: planned))
        ) { story.add(RunLine(scenario: planned.identifier, worker: $0)) }
        guard let outcome = await attempt.run() else { return nil }
        let note: TrialNote? = story.lines.lazy.compactMap { line in
            if case .trial(let note)? = line.worker { note } else { nil }
        }.first
        return Trial(
            order: order, note: note, judgement: outcome.judgement,
            seconds: (ContinuousClock.now - began).seconds, folder: folder, story: story, lateness: outcome.lateness,
            course: outcome.course)
    }
}
