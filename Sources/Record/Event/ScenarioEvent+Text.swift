import HILPOSIX
import HILTiming

extension ScenarioEvent {
    /// The text of the event for people, usually one line; nil for events that only machines need. Control characters
    /// are removed, because names may come from the air.
    package var text: String? { words.map(PlainText.lines) }

    private var words: String? {
        switch self {
        case .preparing: "boards are being made ready"
        case .boardsReady: "boards ready"
        case .bodyBegan: "scenario begins"
        case .stepBegan(let name, _, _, _): "step “\(name)”"
        case .stepEnded(let name, let seconds, let outcome, _):
            switch outcome {
            case .done: "step “\(name)” done in \(Duration.seconds(seconds).short)"
            case .threw: "step “\(name)” threw after \(Duration.seconds(seconds).short)"
            case .overran: "step “\(name)” missed its budget"
            }
        case .expectation(let text, let held, _): "\(held ? "holds" : "does not hold"): \(text)"
        case .phone(let event): event.text
        case .accessory(let told) where told.adapter == .first: "\(told.accessory): \(told.text)"
        case .accessory(let told): "\(told.accessory) of adapter \(told.adapter): \(told.text)"
        case .accessoryVersion(let name, let version): "\(name): version \(version)"
        case .air(let event): "air: \(event.text)"
        case .failure(let failure): "\(failure.kind == .rig ? "rig" : "failure"): \(failure.message)"
        case .lacks(let what): "cannot continue: \(what)"
        case .standing(let text): "is \(text)"
        case .note(let text), .remark(let text): text
        case .crashing(let text): "crashes: \(text)"
        case .onAir(let address, let whose): "\(address) is \(whose)"
        case .bodyEnded(let seconds): "scenario ended after \(Duration.seconds(seconds).short)"
        case .stood(let board, let seconds):
            "the \(board.rawValue) board could not run for \(Duration.seconds(seconds).short)"
        case .paused: "paused in the state of the failure"
        case .play(let event): event.text
        case .audit(let note): note.text
        case .drawn, .done, .waited, .trial: nil
        }
    }
}
