import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import Synchronization

/// Records a scenario's events: passes each on, and keeps failures and open steps. Any thread may use it.
package final class ScenarioRecorder: Sendable {
    private struct OpenStep {
        /// Its number among the attempt's steps, from 1.
        let token: Int
        let name: String
        let began: ContinuousClock.Instant
        let attempt: Int
    }

    private struct Wait {
        let token: Int
        let began: ContinuousClock.Instant
        let what: @Sendable () -> String
        let attempt: Int
    }

    private struct State {
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

    private let state = Mutex(State())
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

    /// The open steps and their times so far, for people; the innermost is last.
    package var standing: String {
        let steps = state.withLock { $0.openSteps }
        guard !steps.isEmpty else { return "between steps" }
        return steps.map { "in “\($0.name)” for \((ContinuousClock.now - $0.began).short)" }.joined(separator: ", ")
    }

    /// What the scenario waits for now, as noun phrases, the oldest first.
    package var awaited: [String] {
        // What an earlier attempt left behind may wait for ever.
        state.withLock { state in state.waits.filter { $0.attempt >= state.attempt } }.map { $0.what() }
    }

    /// An attempt of a trial begins: its number, from 1. What an earlier one still does is marked, and does not count.
    func beginAttempt() -> Int {
        state.withLock { state in
            state.attempts.append(.now)
            return state.attempt
        }
    }

    /// The attempt of a trial that was under way so long ago, from 1; 0 outside of trials.
    func attempt(before time: Duration = .zero) -> Int {
        let instant = ContinuousClock.now - time
        return state.withLock { state in
            state.attempts.isEmpty ? 0 : max(1, state.attempts.count { $0 <= instant })
        }
    }

    /// Calls `body` whenever a wait begins or ends.
    func onWaits(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onWaits = body } }

    /// A wait that ended this long before a failure is the wait that failed.
    private static let justNow = Duration.milliseconds(200)

    /// The shortest wait that is recorded. Most events have already come when a scenario waits for them.
    private static let shortestWait = Duration.milliseconds(10)

    /// Notes a wait.
    ///
    /// - Returns: Call it when the wait has ended.
    @Sendable func beginWait(_ what: @escaping @Sendable () -> String) -> @Sendable () -> Void {
        let began = ContinuousClock.now
        let (token, told) = state.withLock { state in
            state.lastWait += 1
            state.waits.append(
                Wait(token: state.lastWait, began: began, what: what, attempt: ScenarioRecorder.attempt))
            return (state.lastWait, state.onWaits)
        }
        told?()
        return { [self] in
            let time = ContinuousClock.now - began
            state.withLock { state in
                state.waits.removeAll { $0.token == token }
                state.lastEndedWait = (began + time, time)
            }
            told?()
            if time >= ScenarioRecorder.shortestWait { record(.waited(what: what(), seconds: time.seconds)) }
        }
    }

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

    func beginStep(_ name: String, budget: Duration, at location: SourceLocation) -> Int {
        let token = state.withLock { state in
            // The scenario continues, so it has handled any earlier error.
            state.lastThrown = nil
            state.lastCall = location
            state.lastToken += 1
            state.openSteps.append(
                OpenStep(
                    token: state.lastToken, name: name, began: .now, attempt: ScenarioRecorder.attempt))
            if ScenarioRecorder.attempt >= state.attempt { state.lastStep = name }
            return state.lastToken
        }
        record(.stepBegan(name: name, budget: budget.seconds, at: location, number: token))
        state.withLock { $0.onStep }?(name)
        return token
    }

    func endStep(_ token: Int, outcome: StepOutcome) {
        let step = state.withLock { state in
            defer { state.openSteps.removeAll { $0.token == token } }
            if let name = state.openSteps.first(where: { $0.token == token })?.name {
                state.endedSteps[name, default: 0] += 1
            }
            if outcome == .done { state.lastDone = state.openSteps.first { $0.token == token }?.name }
            return state.openSteps.first { $0.token == token }
        }
        guard let step else { return }
        let seconds = (ContinuousClock.now - step.began).seconds
        record(.stepEnded(name: step.name, seconds: seconds, outcome: outcome, number: token))
    }

    /// The name of the innermost open step, or else of the step that began last; nil before the first.
    var lastStep: String? {
        state.withLock { state in state.openSteps.last { $0.attempt >= state.attempt }?.name ?? state.lastStep }
    }

    /// How many steps of this name have ended.
    func endedSteps(_ name: String) -> Int { state.withLock { $0.endedSteps[name] ?? 0 } }

    /// The place of a scenario between two steps, for people: `after step “join”`.
    var place: String {
        state.withLock { state in state.lastDone.map { "after step “\($0)”" } ?? "before any step" }
    }

    /// Runs a call of the lab. If its error ends the scenario, the failure is at the line of the call.
    func call<Value>(
        at location: SourceLocation, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        recordCallSite(at: location)
        do { return try await body() } catch {
            noteThrown(error, at: location)
            throw error
        }
    }

    /// The recorder of the scenario whose body runs; nil elsewhere.
    @TaskLocal static var current: ScenarioRecorder?

    /// The same for methods that have no lab, such as those of the phone.
    static func call<Value>(
        at location: SourceLocation, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        guard let current else { return try await body() }
        return try await current.call(at: location, body)
    }

    /// Runs the body of a scenario: its calls know this recorder, and its waits are recorded.
    func recording<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        try await ScenarioRecorder.$current.withValue(self) {
            try await SharedDeadline.$onWait.withValue({ self.beginWait($0) }) { try await body() }
        }
    }

    /// Remembers the line that the scenario has reached, for an error without a line.
    func recordCallSite(at location: SourceLocation) {
        state.withLock { state in
            state.lastThrown = nil
            state.lastCall = location
        }
    }

    /// The line of the last call of the lab; nil before the first.
    var lastCall: SourceLocation? { state.withLock { $0.lastCall } }

    /// Remembers where an error came from, in case it ends the scenario.
    func noteThrown(_ error: any Error, at location: SourceLocation) {
        let text = String(reflecting: error)
        state.withLock { state in
            // An outer step rethrows the error of an inner one; the inner line says more.
            if state.lastThrown?.error != text { state.lastThrown = (text, location) }
        }
    }

    /// The line of the step or the call that threw this error last; nil if none did.
    func origin(of error: any Error) -> SourceLocation? {
        let text = String(reflecting: error)
        return state.withLock { $0.lastThrown?.error == text ? $0.lastThrown?.location : nil }
    }
}
