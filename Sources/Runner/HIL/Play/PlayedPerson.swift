import BoardProtocol
import HILPhone
import HILRecord
import HILTiming

/// The person of a scenario that is played by hand: in the browser by `hil play`, or again, as it was recorded.
///
/// In the body of a recorded scenario it does what the person did. Each of its calls waits for what the person saw
/// before they continued.
@MainActor
public final class PlayedPerson {
    let lab: Lab
    private var buttons: [AppButton] = []
    /// The buttons whose action is under way.
    private var pressed: Set<String> = []
    /// How the actions of buttons ended, in order.
    private let endings = EventLog<(button: String, failure: String?)>()
    /// Whether the played body has ended, with its error as a failure's message.
    let bodyEnding = EventLog<String?>()
    /// How many notifications were posted.
    private var posts = 0
    private var lastSuggestions: [PersonAction] = []
    private var lastAwaited: ([String], Bool)?
    /// Where in the logs a wait of the script begins.
    var marks = Marks()

    /// Events before these moments do not count, because an earlier call has seen them.
    struct Marks {
        var phone = EventLog<PhoneEvent>.Mark.start
        var endings = EventLog<(button: String, failure: String?)>.Mark.start
    }

    init(_ lab: Lab) {
        self.lab = lab
        lab.phone.person.isByHand = true
    }

    /// Shows the buttons of a scenario, and returns when the task is cancelled.
    func offer(_ buttons: [AppButton]) async throws {
        self.buttons = buttons
        lab.recorder.record(play: .offers(buttons: buttons.map(\.title)))
        lab.changes.tell()
        try await Task.sleep(for: .seconds(1_000_000))
    }

    /// Does what a command says, and records that it was done, or why it could not be.
    @discardableResult
    func perform(_ command: PlayCommand) async -> Bool {
        let told = named(command)
        if let why = command.mistake {
            lab.recorder.record(play: .refused(told, why: why))
            return false
        }
        if let why = await attempt(command) {
            lab.recorder.record(play: .refused(told, why: why))
            return false
        }
        return true
    }

    /// - Returns: Why it was not possible; nil if it was done.
    private func attempt(_ command: PlayCommand) async -> String? {
        let recorder = lab.recorder
        switch command {
        case .press(let title): return press(title)
        case .act(let action, let kind):
            let told = lab.phone.screen.last.map { $0.named(action) } ?? action
            guard lab.phone.display.act(action, on: kind) else { return "the screen does not allow it now" }
            recorder.record(play: .did(.act(told, on: kind)))
        case .openSettings(let page):
            // Recorded first, so that the screen comes after its cause.
            guard !lab.phone.screen.contains(where: { $0.kind.isPageOfSettings }) else {
                return "Settings is open"
            }
            recorder.record(play: .did(command))
            guard lab.phone.openSettings(page) else { return "Settings is open" }
        case .move(let metres):
            guard let distance = lab.rig.connection.distance else { return "this rig cannot set the distance" }
            recorder.record(play: .did(command))
            do { try await distance.set(metres: metres) } catch { return Failure(error).message }
        case .post(let app, let title, let body):
            recorder.record(play: .did(command))
            post(PhoneNotification(app: app, title: title, body: body))
        }
        return nil
    }

    /// The command with its accessory as a person would name it.
    private func named(_ command: PlayCommand) -> PlayCommand {
        guard case .act(let action, let kind) = command, let top = lab.phone.screen.last else { return command }
        return .act(top.named(action), on: kind)
    }

    // MARK: Buttons

    /// Whether a button is offered and not under way.
    func canPress(_ title: String) -> Bool { buttons.contains { $0.title == title } && !pressed.contains(title) }

    private func press(_ title: String) -> String? {
        guard let button = buttons.first(where: { $0.title == title }) else { return "there is no such button" }
        guard pressed.insert(title).inserted else { return "it is under way" }
        lab.recorder.record(play: .did(.press(button: title)))
        lab.phone.person.taps(title)
        let recorder = lab.recorder
        let clock = SharedDeadline.pausingClock
        Task {
            let token = recorder.beginStep(title, budget: button.limit, at: button.location)
            var failure: String?
            do {
                try await recorder.recording {
                    try await SharedDeadline.$pausingClock.withValue(clock) { try await button.press() }
                }
            } catch { failure = Failure(error).message }
            recorder.endStep(token, outcome: failure == nil ? .done : .threw)
            self.pressed.remove(title)
            recorder.record(play: .ended(button: title, failure: failure))
            self.endings.append((title, failure))
            self.lab.changes.tell()
        }
        return nil
    }

    /// Waits for the end of what a button began.
    ///
    /// - Returns: The failure's message; nil if it worked.
    func ending(of title: String) async throws -> String? {
        let wanted = EventPattern<(button: String, failure: String?), String?>("“\(title)” to be done") {
            $0.button == title ? .some($0.failure) : nil
        }
        let (value, mark) = try await endings.first(wanted, since: marks.endings, within: PlayedPerson.patience)
        marks.endings = mark
        return value
    }

    /// How long the person waits for what they saw when it was recorded.
    static let patience = Duration.seconds(30)

    // MARK: Notifications

    /// Posts a notification. An event reports whether the accessory gets it and alerts.
    func post(_ notification: PhoneNotification) {
        posts += 1
        let number = posts
        let mark = lab.forwarding.mark
        lab.phone.notifications.post(notification)
        Task { [lab] in
            let alerted = try? await lab.forwarding.first(
                .added(notification.identifier), since: mark, within: .seconds(60)
            ).value
            if alerted == true { lab.recorder.record(play: .forwarded(number: number)) }
        }
    }

    // MARK: What the page shows

    /// Whether the person is asked something, so that limits of time do not run.
    var isTurn: Bool {
        if lab.phone.display.awaitsPerson { return true }
        let top = lab.phone.screen.last?.kind
        // The app waits for somebody to press a button.
        if !buttons.isEmpty, pressed.isEmpty, top == nil { return true }
        return lab.phone.person.suggestions.contains { suggestion in
            switch suggestion.action {
            case .removeInSettings, .renameInSettings, .forwardInSettings, .shareInSettings, .switchBluetoothOff,
                .switchBluetoothOn, .switchWiFiOff, .switchWiFiOn:
                suggestion.moment == nil || suggestion.moment == top
            default: false
            }
        }
    }

    /// Records what the scenario waits for and suggests, if that has changed; and stops the clock while it is the person's
    /// turn.
    func tellState(_ clock: PlayClock) {
        let isTurn = isTurn
        clock.isPaused = isTurn
        let suggestions = lab.phone.person.suggestions.map(\.action)
        if suggestions != lastSuggestions {
            lastSuggestions = suggestions
            lab.recorder.record(play: .suggests(suggestions))
        }
        let awaited = lab.recorder.awaited
        if lastAwaited.map({ $0 != (awaited, isTurn) }) ?? true {
            lastAwaited = (awaited, isTurn)
            lab.recorder.record(play: .awaits(awaited, isPersonsTurn: isTurn))
        }
    }
}
