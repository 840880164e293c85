/// Everything that one attempt at a scenario reported, by kind.
package struct AttemptRecord: Sendable {
    /// A part of the scenario with a name and a budget.
    package struct Step: Sendable, Hashable {
        /// Counted from 1 in the attempt.
        package var number: Int
        package var name: String
        /// Seconds.
        package var budget: Double
        package var location: SourceLocation
        /// Nanoseconds since 1970.
        package var began: UInt64
        /// How long it took; nil if it did not end.
        package var seconds: Double?
        /// nil if it did not end.
        package var outcome: StepOutcome?
    }

    /// Something that happened, with its time and the step in which it happened.
    package struct Moment<Value: Sendable>: Sendable {
        /// Nanoseconds since 1970.
        package var time: UInt64
        /// The number of the innermost open step; nil between steps.
        package var step: Int?
        package var value: Value
    }

    package struct Expectation: Sendable, Hashable {
        package var text: String
        package var held: Bool
        package var location: SourceLocation
    }

    /// A screen that the phone showed.
    package struct ShownScreen: Sendable, Hashable {
        /// Counted from 1 in the attempt.
        package var number: Int
        /// The purpose of the screen, in one word: `picker`.
        package var kind: String
        package var title: String
        /// The files with its drawings, relative to the attempt's folder; nil if it was not drawn, and in format 1.
        package var picture: ScreenPicture?
    }

    /// A wait of the scenario, recorded at its end.
    package struct Wait: Sendable, Hashable {
        /// What it waited for, as a noun phrase: `the lamp to be bonded`.
        package var what: String
        package var seconds: Double
    }

    /// An event as a line for people.
    package struct LogLine: Sendable, Hashable {
        /// Nanoseconds since 1970.
        package var time: UInt64
        package var text: String
        /// Whether something went wrong: a failure, an expectation that does not hold, a missed budget.
        package var isBad: Bool
        /// Whether it comes from the accessory: its firmware's output, or what it did.
        package var isOfAccessory = false
    }

    /// Counted from 1.
    package let number: Int
    /// When its rig was requested, in nanoseconds since 1970; nil before that.
    package internal(set) var began: UInt64?
    /// When the scenario's body began, in nanoseconds since 1970; nil before that. Times for people count from it.
    package internal(set) var bodyBegan: UInt64?
    /// The budget of the body, in seconds; nil before it began.
    package internal(set) var budget: Double?
    package internal(set) var steps: [Step] = []
    package internal(set) var expectations: [Moment<Expectation>] = []
    /// What failed, in the order in which it was found.
    package internal(set) var failures: [Moment<Failure>] = []
    package internal(set) var warnings: [Moment<Warning>] = []
    package internal(set) var screens: [Moment<ShownScreen>] = []
    package internal(set) var faults: [Moment<AirNote.FiredFault>] = []
    /// Each with the time of its end.
    package internal(set) var waits: [Moment<Wait>] = []
    /// What a check of an audit told; nil if it is none.
    package internal(set) var audit: AuditAttempt?
    package internal(set) var log: [LogLine] = []
    /// Its result; nil until it has ended, or if it was interrupted.
    package internal(set) var result: AttemptResult?

    init(_ number: Int, began: UInt64? = nil) {
        self.number = number
        self.began = began
    }

    /// The number of the innermost step that has not ended; nil if there is none.
    private var openStep: Int? { steps.last { $0.outcome == nil }?.number }

    /// The moment from which times for people count: when the body began, or the first event.
    package var zero: UInt64 { bodyBegan ?? log.first?.time ?? began ?? 0 }
}

/// The fold: one event after the other.
extension AttemptRecord {
    /// Adds the next event of the worker.
    mutating func take(_ event: ScenarioEvent, at time: UInt64) {
        func moment<Value>(_ value: Value) -> Moment<Value> { Moment(time: time, step: openStep, value: value) }
        switch event {
        case .bodyBegan(let budget): (bodyBegan, self.budget) = (time, budget)
        case .stepBegan(let name, let budget, let location, let number):
            // Format 1 has no numbers; they count the steps in the order in which they began.
            steps.append(
                Step(
                    number: number ?? steps.count + 1, name: name, budget: budget, location: location, began: time))
        case .stepEnded(let name, let seconds, let outcome, let number):
            let place = steps.lastIndex { step in
                number.map { step.number == $0 } ?? (step.name == name && step.outcome == nil)
            }
            if let place { (steps[place].seconds, steps[place].outcome) = (seconds, outcome) }
        case .expectation(let text, let held, let location):
            expectations.append(moment(Expectation(text: text, held: held, location: location)))
        case .failure(let failure): failures.append(moment(failure))
        case .phone(.warning(let rule, let text)): warnings.append(moment(Warning(rule: rule, text)))
        case .phone(.screen(let screen?)):
            let shown = ShownScreen(number: screens.count + 1, kind: screen.kind, title: screen.title)
            screens.append(moment(shown))
        case .waited(let what, let seconds): waits.append(moment(Wait(what: what, seconds: seconds)))
        case .drawn(let picture):
            if screens.indices.contains(picture.number - 1) { screens[picture.number - 1].value.picture = picture }
        case .audit(let note):
            audit = audit ?? AuditAttempt()
            audit?.take(note, at: time)
        case .air(let air): if let fired = air.fired { faults.append(moment(fired)) }
        default: break
        }
        if let text = event.text {
            log.append(LogLine(time: time, text: text, isBad: event.isBad, isOfAccessory: event.isOfAccessory))
        }
    }

    /// The log for people, one line for each event: seconds since the body began, as in the story, and the text.
    package func lines(_ log: some Collection<LogLine>) -> [String] {
        log.map { line in
            let seconds = (Double(Int64(bitPattern: line.time &- zero)) * 1e-9).formatted(decimals: 3)
            return String(repeating: " ", count: max(0, 8 - seconds.count)) + "\(seconds) \(line.text)"
        }
    }

    /// The last line of its log: why the scenario ran again; nil if it did not.
    func whyAgain(isLast: Bool) -> String? {
        guard !isLast, let judgement = result?.judgement else { return nil }
        return "         \(judgement.verdict.rawValue), so it runs again: \(judgement.cause?.message ?? "")"
    }
}

extension ScenarioEvent {
    fileprivate var isOfAccessory: Bool { if case .accessory = self { true } else { false } }

    /// Whether the event says that something went wrong.
    fileprivate var isBad: Bool {
        switch self {
        case .failure, .expectation(_, false, _), .standing: true
        case .phone(.rigFailure): true
        default: false
        }
    }
}
