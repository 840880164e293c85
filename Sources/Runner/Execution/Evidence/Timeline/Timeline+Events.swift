import HILRecord

extension TimelineEvent {
    /// An event of a worker; nil if it has no text for people.
    init?(_ event: ScenarioEvent, at time: UInt64) {
        guard let text = event.text else { return nil }
        let (source, kind) = event.sourceAndKind
        self.init(
            t: time, source: source, kind: kind, text: text, lane: event.lane(of: source), to: event.receiver,
            step: event.stepNumber)
    }

    /// An event of the runner about the scenario; nil for any other.
    init?(_ event: RunnerEvent, at time: UInt64) {
        switch event {
        case .scenarioBegan:
            self.init(t: time, source: "runner", kind: "scenarioBegan", text: "the rig is started", lane: .runner)
        case .scenarioInterrupted:
            self.init(t: time, source: "runner", kind: "interrupted", text: "interrupted", lane: .runner)
        default: return nil
        }
    }
}

extension ScenarioEvent {
    /// The source of the event, and its kind.
    fileprivate var sourceAndKind: (source: String, kind: String) {
        switch self {
        case .preparing: ("runner", "preparing")
        case .boardsReady: ("runner", "boardsReady")
        case .bodyBegan: ("scenario", "bodyBegan")
        case .stepBegan: ("scenario", "stepBegan")
        case .stepEnded: ("scenario", "stepEnded")
        case .expectation: ("scenario", "expectation")
        case .phone(let kind): kind.sourceAndKind
        case .accessoryVersion(let name, _): (name, "version")
        case .air: ("air", "told")
        case .accessory(let told): (told.accessory, told.kind)
        case .failure: ("scenario", "failure")
        case .lacks: ("scenario", "lacks")
        case .standing: ("runner", "standing")
        case .bodyEnded: ("scenario", "bodyEnded")
        case .onAir: ("scenario", "onAir")
        case .note, .audit: ("scenario", "note")
        case .remark: ("runner", "note")
        case .crashing: ("runner", "crash")
        case .stood: ("runner", "stood")
        case .paused: ("runner", "paused")
        case .drawn: ("phone", "drawn")
        case .waited: ("scenario", "waited")
        case .play: ("person", "played")
        case .trial: ("runner", "trial")
        case .done: ("runner", "done")
        }
    }
}

extension ScenarioEvent {
    /// The number of the step that begins or ends; nil for any other event.
    fileprivate var stepNumber: Int? {
        switch self {
        case .stepBegan(_, _, _, let number), .stepEnded(_, _, _, let number): number
        default: nil
        }
    }

    fileprivate func lane(of source: String) -> TimelineEvent.Lane {
        switch self {
        case .accessory, .accessoryVersion: .accessory
        // The other sources are lanes of the same name.
        default: TimelineEvent.Lane(rawValue: source) ?? .runner
        }
    }

    /// The receiver of the event; nil if it has none.
    fileprivate var receiver: String? {
        switch self {
        case .phone(.person), .phone(.app): "phone"
        case .phone(.told(let app, _)): app
        case .phone(.radio(let radio)): radio.devices.first?.description
        case .accessory(let told): told.link?.description
        default: nil
        }
    }
}

extension PhoneNote {
    fileprivate var sourceAndKind: (source: String, kind: String) {
        switch self {
        case .screen: ("phone", "screen")
        case .person: ("person", "action")
        case .app: ("app", "called")
        case .told: ("app", "told")
        case .radio: ("phone", "radio")
        case .authorization: ("phone", "authorization")
        case .warning: ("phone", "warning")
        case .rigFailure: ("phone", "rigFailure")
        case .note: ("phone", "note")
        }
    }
}
