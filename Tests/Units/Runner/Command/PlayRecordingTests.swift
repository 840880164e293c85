import HIL
import HILExecution
import HILPhone
import HILRecord
import RadioModel
import Testing

@testable import HILCommand

/// What was done by hand becomes the source of a scenario.
struct PlayRecordingTests {
    private let place = SourceLocation(file: "S/a.swift", path: "/S/a.swift", line: 1)

    private var played: PlannedScenario {
        let scenario = Scenario("It joins") { _ in }
        return PlannedScenario(NamedScenario("lampJoins", file: "a.swift", scenario), scenario.cases[0])
    }

    /// The lines of the script for these events.
    private func script(_ events: [WorkerMessage]) -> [String] {
        var recording = PlayRecording()
        for event in events { recording.take(event) }
        let source = recording.source(named: "evening", of: played, on: "today")
        return source.split(separator: "\n").map(String.init).filter { $0.hasPrefix("    ") }.dropFirst(2)
            .map { String($0.dropFirst(4)) }
    }

    private func shows(_ kind: Screen.Kind?) -> WorkerMessage {
        .played(.screen(kind.map { Screen($0, title: "A screen") }))
    }

    @Test("Presses, taps and their ends become calls, in the order in which they were seen")
    func onboarding() {
        let lines = script([
            .play(.offers(buttons: ["Add Lamp"])), .play(.did(.press(button: "Add Lamp"))), shows(.picker),
            .play(.did(.act(.pick("Lamp 7"), on: .picker))), shows(.passkeyEntry),
            .play(.did(.act(.enterPasskey(42), on: .passkeyEntry))), shows(nil),
            .told(.stepEnded(name: "Add Lamp", seconds: 1, outcome: .done, number: 1)),
            .play(.ended(button: "Add Lamp", failure: nil)), .play(.did(.openSettings(.switches))),
            .play(.did(.act(.switchBluetoothOff, on: .switches))),
        ])
        #expect(
            lines == [
                #"try await person.presses("Add Lamp")"#, #"try await person.does(.pick("Lamp 7"), on: .picker)"#,
                "try await person.does(.enterPasskey(42), on: .passkeyEntry)",
                #"try await person.finishes("Add Lamp")"#, "try await person.sees(nil)",
                "try await person.opens(.switches)", "try await person.does(.switchBluetoothOff, on: .switches)",
            ])
    }

    @Test("A number that the accessory shows is read from it again, and a wrong one stays as it was entered")
    func shownPasskey() {
        func shows(_ text: String, kind: String = "told") -> WorkerMessage {
            .told(.accessory(AccessoryNote(accessory: "lamp", adapter: .first, kind: kind, text: text)))
        }
        func enters(_ number: UInt32) -> WorkerMessage { .play(.did(.act(.enterPasskey(number), on: .passkeyEntry))) }
        #expect(
            script([shows("shows passkey: 4711", kind: PeripheralEvent.passkeyKind), enters(4711)])
                == ["try await person.does(.enterPasskey(shownBy: .accessory), on: .passkeyEntry)"])
        #expect(
            script([shows("Passkey for 02:00:00:00:00:B0 (random): 004711"), enters(4711)])
                == ["try await person.does(.enterPasskey(shownBy: .accessory), on: .passkeyEntry)"])
        #expect(
            script([shows("shows passkey: 4711", kind: PeripheralEvent.passkeyKind), enters(4712)])
                == ["try await person.does(.enterPasskey(4712), on: .passkeyEntry)"])
    }

    @Test("What went wrong is expected to go wrong again")
    func failures() {
        let lines = script([
            .play(.did(.press(button: "Join"))), .told(.failure(Failure(.product, "got 6, not 5"))),
            .play(.ended(button: "Join", failure: "no “Home” here")), .told(.bodyEnded(seconds: 1)),
        ])
        #expect(
            lines == [
                #"person.expects(failure: "got 6, not 5")"#, #"try await person.presses("Join")"#,
                #"try await person.finishes("Join", failing: "no “Home” here")"#, "try await person.seesTheEnd()",
            ])
    }

    @Test("A move waits for the step before it, and the next deed for what the move caused, once")
    func moves() throws {
        let device = try #require(DeviceAddress("02:00:00:00:02:B0"))
        let lost = WorkerMessage.told(.phone(PhoneNote(.radio(.disconnected(device, reason: "gone")))))
        let lines = script([
            lost, .told(.stepEnded(name: "connect", seconds: 1, outcome: .done, number: 1)),
            .told(.stepEnded(name: "connect", seconds: 1, outcome: .done, number: 2)), .play(.did(.move(metres: nil))),
            lost,
            lost, .play(.did(.move(metres: 2.5))),
        ])
        #expect(
            lines == [
                #"try await person.passes("connect", times: 2)"#, "try await person.movesAway()",
                "try await person.loses(.link)", "try await person.moves(to: 2.5)",
            ])
    }

    @Test("A notification that the accessory got is waited for, and another one is not")
    func notifications() {
        let lines = script([
            .play(.did(.post(app: "com.example.chat", title: "Kim", body: "1"))),
            .play(.did(.post(app: "com.example.chat", title: "Kim", body: "2"))), .play(.forwarded(number: 1)),
        ])
        #expect(
            lines == [
                #"try await person.gets(from: "com.example.chat", title: "Kim", body: "1", isForwarded: true)"#,
                #"try await person.gets(from: "com.example.chat", title: "Kim", body: "2")"#,
            ])
    }

    @Test("A rig that failed leaves no recording, and neither does doing nothing")
    func nothing() {
        var recording = PlayRecording()
        #expect(recording.isEmpty && recording.rigFailure == nil)
        recording.take(.told(.failure(Failure(.rig, "the air is gone"))))
        #expect(recording.rigFailure == "the air is gone")
    }

    @Test(
        "No text ends its literal or becomes code",
        arguments: [
            (#"a "quote" \(exit(1))"#, #""a \"quote\" \\(exit(1))""#), ("line\nline", #""line\nline""#),
            ("\u{0}\u{1B}[0m\u{202E}", #""\u{0}\u{1b}[0m\u{202e}""#), ("Würfel 🎲", #""Würfel 🎲""#),
        ])
    func literals(text: String, literal: String) {
        #expect(SwiftText.literal(text) == literal)
    }

    @Test("Every action of a person is written as Swift has it")
    func actions() throws {
        let address = try #require(DeviceAddress("02:00:00:00:02:B0"))
        let expected: [(PersonAction, String)] = [
            (.pick(.number(2)), ".pick(.number(2))"), (.cancel, ".cancel"), (.rename("L"), #".rename("L")"#),
            (.pick(.address(address)), #".pick(.address(DeviceAddress("02:00:00:00:02:B0")!))"#),
            (.allowForwarding(.only(["b", "a"])), #".allowForwarding(.only(["a", "b"]))"#),
            (.renameInSettings("L", to: "M"), #".renameInSettings("L", to: "M")"#),
            (.removeInSettings("L"), #".removeInSettings("L")"#),
            (.forwardInSettings("L", .none), #".forwardInSettings("L", .none)"#),
            (.shareInSettings("L", false), #".shareInSettings("L", false)"#),
        ]
        for (action, text) in expected { #expect(SwiftText.action(action) == text) }
    }

    @Test("Names of constants are accepted, and nothing else")
    func names() {
        for name in ["lampIsSetUp", "a1"] { #expect(SwiftText.isName(name)) }
        for name in ["", "Lamp", "1a", "a-b", "../x", "a b", "let", "ä"] { #expect(!SwiftText.isName(name)) }
    }
}

extension WorkerMessage {
    fileprivate static func told(_ event: ScenarioEvent) -> WorkerMessage {
        WorkerMessage(StampedEvent(time: 1, event: event))
    }

    fileprivate static func played(_ played: Played) -> WorkerMessage {
        WorkerMessage(StampedEvent(time: 1, event: .note(text: "played")), played: played)
    }

    fileprivate static func play(_ event: PlayEvent) -> WorkerMessage { played(.play(event)) }
}
