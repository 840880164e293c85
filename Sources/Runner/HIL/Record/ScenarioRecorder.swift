import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import Synchronization

/// Records a scenario's events: passes each on, and keeps failures and open steps. Any thread may use it.
package final class ScenarioRecorder: Sendable {
    struct OpenStep {
        /// Its number among the attempt's steps, from 1.
        let token: Int
        let name: String
        let began: ContinuousClock.Instant
        let attempt: Int
    }

    struct Wait {
        let token: Int
        let began: ContinuousClock.Instant
        let what: @Sendable () -> String
        let attempt: Int
    }

    /// A wait that ended this long before a failure is the wait that failed.
    private static let justNow = Duration.milliseconds(200)

    struct State {
        var lastToken = 0
        var openSteps: [OpenStep] = []
        var failures: [Failure] = []
        /// Those of daemons that the accessory brought down, whether they count as failures or not.
        var broughtDown: [Failure] = []
        /// The number that an accessory showed last.
        var shownPasskey: UInt32?
        /// The first thing that the scenario needs and the rig lacks.
        var lack: Lack?
        /// How many steps of each name have ended.
        var endedSteps: [String: Int] = [:]
        /// The name of the step that began last.
        var lastStep: String?
        /// The name of the last step that ended without an error.
        var lastDone: String?
        var lastThrown: (error: String, location: SourceLocation)?
        /// The last call of the lab that the scenario made.
        var lastCall: SourceLocation?
        var lastWait = 0
        /// The waits under way, by token; the oldest is first.
        var waits: [Wait] = []
        /// The wait that ended last.
        var lastEndedWait: (at: ContinuousClock.Instant, time: Duration)?
        /// Says more about a failure of the product, a line each.
        var explain: (@Sendable () -> [String])?
        /// When each attempt of a trial began; empty in any other run.
        var attempts: [ContinuousClock.Instant] = []
        /// The attempt under way, from 1; 0 if there is none.
        var attempt: Int { attempts.count }
        /// Is called when a wait begins or ends.
        var onWaits: (@Sendable () -> Void)?
        /// The failures that the scenario is played to have, equal except for numbers, and whether each came.
        var foreseen: [String: Bool] = [:]
        /// Whether the remaining body does not matter any more.
        var isOver = false
        /// Takes the failures of the product in a trial, and says of each whether it decides nothing.
        var collector: (@Sendable (Failure) -> Bool)?
        /// Is called with the name of each step that begins.
        var onStep: (@Sendable (String) -> Void)?
        /// Is called with the text of each line for which the scenario waited, when it has come.
        var onLine: (@Sendable (String) -> Void)?
        /// Takes the scenario's commands to its accessory, and to the home's network.
        var onCommand: (@Sendable (RehearsedCommand) -> Void)?
        /// Is called with what the home's network is, and what its router reports.
        var onHome: (@Sendable (HomeNews) -> Void)?
        /// Is called with each note of the scenario.
        var onNote: (@Sendable (String) -> Void)?
        /// Are called with each report of an accessory.
        var onAccessory: [@Sendable (AccessoryNote) -> Void] = []
        /// Takes secrets out of events.
        var redaction = Redaction([])

        /// Keeps failures, and returns the event to record.
        ///
        /// A failure of the product after the rig lacked something is a consequence of that, so it becomes a note.
        mutating func take(_ event: ScenarioEvent) -> ScenarioEvent {
            if case .failure(let failure) = event, failure.kind == .product, failure.finding?.kind == .daemon {
                broughtDown.append(failure)
            }
            switch event {
            case .lacks(let what): lack = lack ?? what
            case .note(let text): onNote?(text)
            case .accessory(let note):
                shownPasskey = note.shownPasskey ?? shownPasskey
                for listener in onAccessory { listener(note) }
            case .failure(let failure) where failure.kind == .product && lack != nil:
                return .note(text: "not counted, because the rig lacks what the scenario needs: \(failure.message)")
            case .failure(let failure) where failure.kind == .product && foreseen[failure.alike] != nil:
                foreseen[failure.alike] = true
                return .note(text: "as recorded: \(failure.message)")
            case .failure(let failure) where failure.kind == .product && collector?(failure) == true:
                return .note(text: "in the trial: \(failure.message)")
            case .failure(let failure) where failure.kind == .product && isOver:
                return .note(text: "after its end: \(failure.message)")
            case .failure(var failure):
                failure.waited = failure.waited ?? waited(at: .now)?.seconds
                failures.append(failure)
                return .failure(failure)
            default: break
            }
            return event
        }

        /// How long the scenario has waited in vain for what fails now: the longest wait that is under way or has just
        /// ended; nil if there is none.
        private func waited(at now: ContinuousClock.Instant) -> Duration? {
            let ended = lastEndedWait.flatMap { $0.at.duration(to: now) < ScenarioRecorder.justNow ? $0.time : nil }
            return (waits.map { $0.began.duration(to: now) } + [ended].compactMap { $0 }).max()
        }
    }

    let state = Mutex(State())
    private let write: @Sendable (WorkerMessage) -> Void

    /// - Parameter write: Is called with each event, in order. It runs under a lock, so it must not record.
    package init(write: @escaping @Sendable (WorkerMessage) -> Void) { self.write = write }

    /// All failures so far.
    package var failures: [Failure] { state.withLock { $0.failures } }

    /// The failures of daemons that the accessory brought down, also those that do not count: in a trial, or accepted.
    package var broughtDown: [Failure] { state.withLock { $0.broughtDown } }

    /// Records what the rig lacks, unless it was recorded when the scenario asked for it.
    func recordOnce(_ lack: RigLacks) {
        if state.withLock({ $0.lack }) == nil { record(lack: lack) }
    }

    /// Takes a secret out of all events from now on, for example the passphrase of a real network.
    package func hide(_ secret: String) {
        // Events are searched in their written form.
        let written = (try? Self.encoder.encode(secret)).map {
            String(decoding: $0.dropFirst().dropLast(), as: UTF8.self)
        }
        state.withLock { $0.redaction = Redaction([secret, written ?? secret]) }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }

    /// The value without secrets; nil if it cannot be read without them.
    private func hidden<Value: Codable>(_ value: Value) -> Value? {
        let redaction = state.withLock { $0.redaction }
        guard !redaction.isEmpty else { return value }
        guard let data = try? Self.encoder.encode(value) else { return nil }
        let before = String(decoding: data, as: UTF8.self)
        let after = redaction.apply(before)
        return before == after ? value : try? JSONDecoder().decode(Value.self, from: Data(after.utf8))
    }

    /// Passes an event on, with the time now. Long texts are cut.
    ///
    /// - Parameter played: What the person of a played scenario sees or does.
    package func record(_ event: ScenarioEvent, played: WorkerMessage.Played? = nil) {
        let event = (hidden(event) ?? .note(text: Redaction.mark)).bounded
        let played = played.flatMap { hidden($0) }
        let more = explanation(of: event)
        let attempt = ScenarioRecorder.attempt
        state.withLock { state in
            var event = state.take(attempt < state.attempt && attempt > 0 ? event.late(of: attempt) : event)
            if case .failure(var failure) = event, !more.isEmpty {
                failure.message = ([failure.message] + more).joined(separator: "\n")
                event = .failure(failure)
            }
            write(WorkerMessage(StampedEvent(time: wallClockNanoseconds(), event: event), played: played))
        }
    }

    /// Asks for more about each failure of the product, a line each.
    func explain(with lines: @escaping @Sendable () -> [String]) { state.withLock { $0.explain = lines } }

    /// More lines about a failure of the product; none for any other event.
    private func explanation(of event: ScenarioEvent) -> [String] {
        guard case .failure(let failure) = event, failure.kind == .product else { return [] }
        let (explain, redaction) = state.withLock { ($0.explain, $0.redaction) }
        return (explain?() ?? []).map { PlainText.cut(redaction.apply($0), to: PlainText.longestName * 2) }
    }

    /// The number that an accessory has shown and nobody has entered.
    var shownPasskey: UInt32? { state.withLock { $0.shownPasskey } }

    func forgetShownPasskey() { state.withLock { $0.shownPasskey = nil } }

    /// Expects a failure with this text; its numbers do not matter.
    func foresee(_ failure: String) { state.withLock { $0.foreseen[Failure.alike(failure)] = false } }

    /// The foreseen failures that did not come.
    var missingFailures: [String] { state.withLock { $0.foreseen.filter { !$0.value }.keys.sorted() } }

    /// From now on, failures of the product are notes.
    func ignoreRest() { state.withLock { $0.isOver = true } }

    /// Passes the failures of the product to `body` from now on, which says of each whether it stays out of the verdict; nil
    /// ends that.
    func collect(_ body: (@Sendable (Failure) -> Bool)?) { state.withLock { $0.collector = body } }

    /// Calls `body` with the name of each step that begins.
    func onStep(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.onStep = body } }

    /// Calls `body` with the text of each line of a program for which the scenario waited, when it has come.
    func onLine(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.onLine = body } }

    /// Calls `body` with each note of the scenario from now on; nil ends that. It must not record.
    func onNote(_ body: (@Sendable (String) -> Void)?) { state.withLock { $0.onNote = body } }

    /// Calls `body` with each command of the scenario to its accessory or to the home's network, before it is sent.
    func onCommand(_ body: @escaping @Sendable (RehearsedCommand) -> Void) { state.withLock { $0.onCommand = body } }

    /// Calls `body` when the home's network has another name or passphrase, and with what its router reports.
    func onHome(_ body: @escaping @Sendable (HomeNews) -> Void) { state.withLock { $0.onHome = body } }

    /// Calls `body` with each report of an accessory. It must not record.
    func onAccessory(_ body: @escaping @Sendable (AccessoryNote) -> Void) {
        state.withLock { $0.onAccessory.append(body) }
    }

    /// Whether what the accessory is asked now is a part of a command that was noted, or an answer to a phone.
    @TaskLocal static var isPartOfCommand = false

    /// Notes a command of the scenario to its accessory, or to the home's network.
    func noteCommand(
        _ words: @autoclosure () -> String, _ perform: @escaping @Sendable (Lab) async throws -> Void
    ) {
        guard !ScenarioRecorder.isPartOfCommand, let take = state.withLock({ $0.onCommand }) else { return }
        take(RehearsedCommand(words: words(), perform: perform))
    }

    /// Notes news of the home's network. They have its passphrase, which must not get into an event.
    func noteHome(_ news: HomeNews) { state.withLock { $0.onHome }?(news) }

    /// Notes that a line of a program has come that contains this text.
    func noteLine(_ text: String) { state.withLock { $0.onLine }?(text) }
}
