import HILExploration
import HILPhone
import HILRecord

/// A fault at a moment of a journey, by the names that `hil explore --moments` shows.
public struct FaultAtMoment: Sendable {
    let cell: TrialOrder.Cell

    /// - Parameters:
    ///   - fault: The name of a fault: `linkLost`, or of one of the team's.
    ///   - moment: The name of a moment: `write(FF03)#2`.
    public init(_ fault: String, at moment: String) { cell = TrialOrder.Cell(fault, at: Moment(moment)) }
}

extension Scenario {
    /// Declares a scenario that makes one trial of an exploration again. `hil explore --keep` writes these.
    ///
    /// It runs the body of `base` with the faults, and then what a person does next. It has failed if that is a finding, as for
    /// `hil explore`, or if a moment does not come.
    ///
    /// - Parameters:
    ///   - title: One sentence that says what happens. It must be unique among all scenarios.
    ///   - traits: Its tags and rules. What it needs is what `base` declares.
    ///   - base: The scenario that was explored.
    ///   - label: The case, as the list has it in brackets: `security=wpa3`. Empty for a scenario without axes.
    ///   - faults: One fault, or two in the order of their moments.
    ///   - usual: What phone, app and accessory have at the end without a fault: `phoneBonds=1 accessoryBonds=1`.
    ///   - left: The same after the person has removed the accessory.
    public init(
        _ title: String, _ traits: ScenarioTrait..., exploring base: Scenario, where label: String = "",
        faults: [FaultAtMoment], usual: String = "", left: String = "", fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) {
        let chosen = base.cases.first { $0.label == label }
        let journey = Journey(usual: usual, left: left)
        let cells = faults.map(\.cell)
        self.init(
            title: title, traits: base.traits.played(with: traits, more: base.traits.budget * 2 + .seconds(120)),
            cases: [
                ScenarioCase(settings: [], system: chosen?.system) { lab in
                    guard let chosen, let first = cells.first, cells.count <= 2 else {
                        throw NoSuchCase(scenario: base.title, label: label)
                    }
                    let order = TrialOrder(first, second: cells.dropFirst().first)
                    try await Scenario.retry(order, of: base, chosen, in: lab, journey)
                }
            ], location: SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// Makes a trial, and judges it.
    @MainActor
    private static func retry(
        _ order: TrialOrder, of base: Scenario, _ one: ScenarioCase, in lab: Lab, _ journey: Journey
    ) async throws {
        let note = await Trial(base, one, lab, journey.order(order)).run()
        lab.recorder.collect(nil)
        lab.patience = .zero
        let judge = TrialJudge(journey)
        guard let result = judge.result(of: order, note, Judgement([]), seconds: 0) else { return }
        lab.recorder.record(
            .expectation(
                text: "\(order.cell.map { "\($0)" } ?? "") does no harm", held: !result.outcome.isFinding,
                at: base.location))
        switch result.outcome {
        case .unharmed, .recoveredAlone, .toldAndRecovered: return
        case .notReached, .error, .stuck, .silent, .crashed, .split, .leaked, .brokenPromise:
            let sentence = ExplorationFinding(shortest: result, trials: [result]).sentence
            var failure = judge.failure(of: result, note, "\(result.outcome.words): \(sentence)")
            failure.location = base.location
            lab.recorder.record(.failure(failure))
        }
    }
}
