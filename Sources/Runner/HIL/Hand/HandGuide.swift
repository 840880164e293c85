import HILPhone
import HILRecord
import HILTiming

/// Leads a person with a real phone through what the simulated phone did, and expects the same of the real accessory.
///
/// A person has as much time as they want: a limit runs only after they have said that something is done, and at its
/// end they are asked whether to wait on.
@MainActor
final class HandGuide {
    private let items: [RehearsedItem]
    private let perform: @Sendable (RehearsedCommand) async throws -> Void
    private let reports: AccessoryReports
    private let desk: any HandDesk
    private let recorder: ScenarioRecorder
    private let clock: any Clock<Duration>
    /// The number of the latest turn; the beginning is turn 0.
    private var turns = -1
    /// The screens that the person has confirmed.
    private var screens = 0
    private var screen: ScreenNote?
    /// The drawings of the simulated phone's screens, by their numbers.
    private let pictures: [Int: ScreenPicture]
    private var launches: LaunchActs
    /// The home's network that is open on the real rig.
    private var home: HandHome?
    /// The number of the screen among those of the simulated phone.
    private var shown = 0
    private var picture: ScreenPicture? { screen == nil ? nil : pictures[shown] }
    /// The steps under way: name, number in the record, and how long the accessory may take in it.
    private var steps: [(name: String, token: Int, budget: Duration)] = []
    private var location: SourceLocation
    /// What the person, or the accessory, has confirmed.
    private(set) var confirmed = 0
    /// What nobody has seen, and why.
    private(set) var skipped: [String] = []

    /// - Parameter perform: Carries out a command on the real rig.
    init(
        _ items: [RehearsedItem], reports: AccessoryReports, desk: any HandDesk, recorder: ScenarioRecorder,
        at location: SourceLocation, clock: any Clock<Duration> = ContinuousClock(),
        perform: @escaping @Sendable (RehearsedCommand) async throws -> Void
    ) {
        (self.items, self.perform, self.reports, self.desk) = (items, perform, reports, desk)
        (self.recorder, self.location, self.clock) = (recorder, location, clock)
        launches = LaunchActs(items)
        pictures = items.reduce(into: [:]) { if case .drawn(let picture) = $1 { $0[picture.number] = picture } }
    }

    /// The journey cannot go on. The failure is recorded already.
    private struct Stopped: Error {}

    /// Leads through all of it, or to the first act or report that fails.
    ///
    /// - Parameters:
    ///   - title: The scenario's sentence.
    ///   - socket: The controller for a program in the phone's place; nil if the air is real.
    /// - Throws: `CancellationError`, or the error with which the rig refused a command.
    func lead(_ title: String, socket: String?) async throws {
        desk.tell(turn(.begin, title, socket: socket))
        defer { desk.tell(turn(.end, title)) }
        do {
            try await act(
                "make the phone ready: Bluetooth and Wi-Fi are on, and neither Settings nor the app knows the accessory "
                    + "of an earlier run")
            for place in items.indices { try await follow(items[place], at: place) }
        } catch is Stopped {}
        while let step = steps.popLast() { recorder.endStep(step.token, outcome: .threw) }
    }

    private func follow(_ item: RehearsedItem, at place: Int) async throws {
        switch item {
        case .stepBegan(let name, let budget, let location): try await begin(name, budget, location, at: place)
        case .stepEnded(let name, _):
            guard let index = steps.lastIndex(where: { $0.name == name }) else { return }
            recorder.endStep(steps.remove(at: index).token, outcome: .done)
        case .launched(let app, let version): try await act(launches.act(toOpen: app, version: version))
        case .tapped(let what): try await act("tap “\(what)” in the app")
        case .screen(let screen):
            self.screen = screen
            if screen != nil { shown += 1 }
        case .drawn: break
        case .acted(let action, let title): try await act(action, on: title)
        case .posted(let app, let title, let body):
            try await act("let the phone get a notification of \(app): “\(title)”, “\(body)”")
        case .accessory(let note):
            try await report("\(note.accessory): \(note.likeness)") { $0.isLike(note) }
        case .router(let event):
            let note = AccessoryNote(event)
            try await report("\(event.likeness)", by: note.accessory) { $0.isLike(note) }
        case .line(let text):
            try await report("a line with “\(text)”") { $0.isLine(with: text) }
        case .command(let command):
            if !command.words.isEmpty { recorder.record(.note(text: "as in the scenario: \(command.words)")) }
            try await perform(command)
        case .home(let home):
            self.home = home
            desk.tell(turn(.tell, home == nil ? "the home's network is closed" : "the home's network is open"))
        case .expected(let text, let location): try await ask(text, at: location)
        case .alone(let what): skip(what, "only a simulated phone does this on request")
        }
    }

    private func begin(
        _ name: String, _ budget: Duration, _ location: SourceLocation, at place: Int
    ) async throws {
        self.location = location
        steps.append((name, recorder.beginStep(name, budget: budget, at: location), budget))
        guard items.needsPerson(inStepAt: place) else { return }
        try await act("in the app, do what the step “\(name)” says; nothing if the app does it by itself")
    }

    // MARK: The person

    private func turn(
        _ kind: HandTurn.Kind, _ text: String, action: ActionNote? = nil, passkey: String? = nil,
        picture: ScreenPicture? = nil, socket: String? = nil
    ) -> HandTurn {
        turns += 1
        return HandTurn(
            kind, number: turns, text, picture: picture, action: action, passkey: passkey, socket: socket,
            home: home)
    }

    private func act(_ text: String) async throws {
        try await take(desk.ask(turn(.act, text)), of: text)
    }

    /// Asks for an act on a screen. The record has screen and act only when the person has confirmed them.
    private func act(_ action: ActionNote, on title: String) async throws {
        let place = title.hasPrefix("“") ? title : "“\(title)”"
        var (text, passkey) = ("on \(place): \(action.text)", String?.none)
        if HandGuide.comparing.contains(action.control) {
            passkey = try await number()
            let digits = passkey.map { "\($0.prefix(3)) \($0.suffix(3))" } ?? "a number"
            switch action.control {
            case "confirmPasskey": text = "is \(digits) on both, phone and accessory? If so, confirm it on the phone"
            case "enterPasskey": text = "enter \(digits), which the accessory shows, on the phone"
            default: text = "on \(place): \(action.text); the accessory shows \(digits)"
            }
        }
        let kind: HandTurn.Kind = action.control == "confirmPasskey" ? .ask : .act
        let answer = try await desk.ask(turn(kind, text, action: action, passkey: passkey, picture: picture))
        if try take(answer, of: text) { record(action, on: title, passkey) }
    }

    /// The controls for which the accessory shows a number.
    private static let comparing: Set<String> = ["confirmPasskey", "refusePasskey", "enterPasskey"]

    /// - Parameter passkey: The number of the real accessory, in place of the simulated one's.
    private func record(_ action: ActionNote, on title: String, _ passkey: String?) {
        if var screen {
            screens += 1
            if let passkey { screen.text = screen.text.replacing(/\b\d{6}\b/, with: passkey) }
            recorder.record(.phone(.screen(screen)))
            // The picture of a number has the simulated phone's number.
            if passkey == nil, let picture {
                recorder.record(
                    .drawn(ScreenPicture(number: screens, light: picture.light, dark: picture.dark)))
            }
        }
        recorder.record(.phone(.person(action, on: title)))
    }

    /// - Returns: Whether it was done.
    @discardableResult
    private func take(_ answer: HandAnswer, of text: String) throws -> Bool {
        switch answer {
        case .done, .yes: return true
        case .skip, .wait:
            skip(text, "it cannot be done with this phone")
            return false
        case .no:
            fail("the person could not do this: \(text)", at: location)
            throw Stopped()
        }
    }

    private func ask(_ text: String, at location: SourceLocation) async throws {
        switch try await desk.ask(turn(.ask, "is it so: \(text)?", picture: picture)) {
        case .done, .yes:
            confirmed += 1
            recorder.record(.expectation(text: text, held: true, at: location))
        case .no:
            recorder.record(.expectation(text: text, held: false, at: location))
            fail("expected that \(text); the person says that it is not so", at: location)
        case .skip, .wait: skip(text, "the person cannot see it")
        }
    }

    private func skip(_ what: String, _ why: String) {
        skipped.append(what)
        recorder.record(.notSeen(what, because: why))
    }

    private func fail(_ message: String, at location: SourceLocation) {
        recorder.record(.failure(Failure(.product, message, at: location, basis: .certain)))
    }

    // MARK: The accessory

    private var patience: Duration { steps.last?.budget ?? SharedDeadline.usual }

    /// Waits for a report. At the limit the person decides whether it may still come.
    private func report(
        _ what: String, by whom: String = "the accessory", _ matches: @escaping @Sendable (AccessoryNote) -> Bool
    ) async throws {
        if reports.takeNow(where: matches) { return confirm(what, by: whom) }
        desk.tell(turn(.tell, "\(whom) is to report: \(what)"))
        while true {
            do {
                try await reports.take(within: patience, waitingFor: what, clock: clock, where: matches)
                return confirm(what, by: whom)
            } catch is TimedOut { try await wait(for: what, by: whom) }
        }
    }

    private func confirm(_ what: String, by whom: String) {
        confirmed += 1
        recorder.record(.expectation(text: "\(whom) reports \(what)", held: true, at: location))
    }

    /// The number that the accessory shows now.
    private func number() async throws -> String? {
        let what = "a number of six digits"
        while true {
            do {
                return try await reports.see(within: patience, waitingFor: what, clock: clock, \.sixDigits)
            } catch is TimedOut { try await wait(for: what) }
        }
    }

    private func wait(for what: String, by whom: String = "the accessory") async throws {
        let question = "\(whom) has not reported this within \(patience.short): \(what). Wait on?"
        guard try await desk.ask(turn(.late, question)) == .wait else {
            let seen = reports.untaken.suffix(3).map { "\($0.accessory): \($0.text)" }.joined(separator: "; ")
            recorder.record(.expectation(text: "\(whom) reports \(what)", held: false, at: location))
            fail(
                "\(whom) did not report this: \(what); what was reported beside the expected: "
                    + (seen.isEmpty ? "nothing" : seen), at: location)
            throw Stopped()
        }
    }
}
