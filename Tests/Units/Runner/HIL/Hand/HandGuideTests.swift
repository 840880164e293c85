import BoardProtocol
import HILRecord
import HILTiming
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import HIL

@MainActor
@Suite("A person with a real phone is led through what the simulated phone did")
struct HandGuideTests {
    /// A desk with answers by the text that they are for; others are done or yes.
    private final class Desk: HandDesk {
        let turns = Mutex<[HandTurn]>([])
        private let answer: @Sendable (HandTurn) async -> HandAnswer?

        init(_ answer: @escaping @Sendable (HandTurn) async -> HandAnswer? = { _ in nil }) { self.answer = answer }

        func tell(_ turn: HandTurn) { turns.withLock { $0.append(turn) } }

        func ask(_ turn: HandTurn) async throws -> HandAnswer {
            tell(turn)
            return await answer(turn) ?? turn.answers[0]
        }

        var asked: [String] { turns.withLock { $0.filter { !$0.answers.isEmpty }.map(\.text) } }
    }

    private final class Story: Sendable {
        let events = Mutex<[ScenarioEvent]>([])

        var failures: [Failure] {
            events.withLock { $0.compactMap { if case .failure(let failure) = $0 { failure } else { nil } } }
        }
        var texts: [String] { events.withLock { $0.compactMap(\.text) } }
        var unseen: [String] { events.withLock { $0.compactMap(\.whatWasNotSeen) } }
    }

    private let story = Story()
    private let reports = AccessoryReports()
    private let clock = ManualClock()
    private let place = SourceLocation(file: "S.swift", path: "S.swift", line: 7)

    private func note(_ text: String, kind: String = "told") -> AccessoryNote {
        AccessoryNote(accessory: "lamp", adapter: .first, kind: kind, text: text)
    }

    private func guide(
        _ items: [RehearsedItem], _ desk: Desk,
        perform: @escaping @Sendable (RehearsedCommand) async throws -> Void = { _ in }
    ) -> HandGuide {
        let recorder = ScenarioRecorder { [story] message in
            story.events.withLock { $0.append(message.stamped.event) }
        }
        return HandGuide(
            items, reports: reports, desk: desk, recorder: recorder, at: place, clock: clock, perform: perform)
    }

    private func pick() -> [RehearsedItem] {
        [
            .stepBegan("pick", budget: .seconds(5), at: place), .launched(app: "com.example.lamp", version: nil),
            .screen(ScreenNote(kind: "picker", title: "Finding Accessories", text: "Finding Accessories · ‹Lamp›")),
            .drawn(ScreenPicture(number: 1, light: "1.light.svg", dark: "1.dark.svg")),
            .acted(ActionNote(control: "pick", text: "pick “Lamp”"), on: "Finding Accessories"),
            .accessory(note("connected: 02:00:00:00:01:B0")), .stepEnded("pick", needsPerson: false),
            .expected("the lamp is in the list", at: place),
        ]
    }

    @Test("What it did is asked in order, and the record has what was confirmed")
    func journey() async throws {
        let desk = Desk()
        reports.add(note("connected: 42:11:22:33:44:55"))
        let guide = guide(pick(), desk)
        try await guide.lead("A lamp", socket: nil)
        #expect(story.failures.isEmpty)
        #expect(guide.confirmed == 2)
        #expect(
            desk.asked.dropFirst() == [
                "in the app, do what the step “pick” says; nothing if the app does it by itself",
                "open the app com.example.lamp", "on “Finding Accessories”: pick “Lamp”",
                "is it so: the lamp is in the list?",
            ])
        let picture = desk.turns.withLock { $0.first { $0.action?.control == "pick" }?.picture }
        #expect(picture?.light == "1.light.svg")
        #expect(story.texts.contains { $0.contains("pick “Lamp”, on “Finding Accessories”") })
        #expect(desk.turns.withLock { [$0.first?.kind, $0.last?.kind] } == [.begin, .end])
    }

    @Test("A no is a failure that no lateness excuses, and an act that is not possible ends the journey")
    func refusals() async throws {
        let unseen = Desk { $0.kind == .ask ? .no : nil }
        reports.add(note("connected: 42:11:22:33:44:55"))
        try await guide(pick(), unseen).lead("A lamp", socket: nil)
        #expect(
            story.failures.map(\.message) == [
                "expected that the lamp is in the list; the person says that it is not so"
            ])
        #expect(story.failures.allSatisfy { $0.basis == .certain && $0.kind == .product })

        let impossible = Desk { $0.action?.control == "pick" ? .no : nil }
        try await guide(pick(), impossible).lead("A lamp", socket: nil)
        #expect(story.failures.last?.message == "the person could not do this: on “Finding Accessories”: pick “Lamp”")
        #expect(impossible.asked.last == "on “Finding Accessories”: pick “Lamp”")
    }

    @Test("What nobody can see is named, and confirms nothing")
    func skipped() async throws {
        let desk = Desk { $0.answers.contains(.skip) ? .skip : nil }
        let items: [RehearsedItem] = [.expected("the link is up", at: place), .alone("the phone is restarted")]
        let guide = guide(items, desk)
        try await guide.lead("A lamp", socket: nil)
        #expect(guide.confirmed == 0)
        #expect(story.unseen.contains("the link is up (the person cannot see it)"))
        #expect(
            story.unseen.contains("the phone is restarted (only a simulated phone does this on request)"))
        #expect(!story.texts.contains { $0.hasPrefix("holds") })
    }

    @Test("A person has as much time as they want; then the accessory has the step's")
    func patience() async throws {
        let (asked, open) = (EventLog<HandTurn>(), EventLog<Void>())
        let desk = Desk { turn in
            guard turn.action?.control == "pick" else { return nil }
            asked.append(turn)
            _ = try? await open.first()
            return .done
        }
        let run = Task { try await guide(pick(), desk).lead("A lamp", socket: nil) }
        _ = try await asked.first()
        clock.advance(by: .seconds(3600))
        #expect(story.failures.isEmpty)
        open.append(())
        await clock.sleepers(atLeast: 1)
        reports.add(note("connected: 42:11:22:33:44:55"))
        try await run.value
        #expect(story.failures.isEmpty)
    }

    @Test("What does not come in time is asked about, and fails only if the person does not wait on")
    func late() async throws {
        let desk = Desk { [reports] turn in
            guard turn.kind == .late else { return nil }
            if turn.text.contains("bonded") { return .no }
            reports.add(
                AccessoryNote(accessory: "lamp", adapter: .first, kind: "told", text: "connected: 42:11:22:33:44:55"))
            return .wait
        }
        let items = pick() + [.accessory(note("bonded: 02:00:00:00:01:B0"))]
        reports.add(note("read: FF01"))
        let run = Task { try await guide(items, desk).lead("A lamp", socket: nil) }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        await clock.sleeper(until: .seconds(15))
        clock.advance(by: .seconds(10))
        try await run.value
        #expect(
            story.failures.map(\.message) == [
                "the accessory did not report this: lamp: bonded: the phone; what was reported beside the expected: "
                    + "lamp: read: FF01"
            ])
    }

    @Test("The person compares the number of the real accessory, and the record has that one")
    func numbers() async throws {
        let desk = Desk()
        let items: [RehearsedItem] = [
            .screen(ScreenNote(kind: "passkey", title: "Pairing", text: "the code “111111”")),
            .acted(ActionNote(control: "confirmPasskey", text: "confirm the number"), on: "Pairing"),
        ]
        reports.add(note("passkey shown: 482913"))
        try await guide(items, desk).lead("A lamp", socket: nil)
        #expect(desk.asked.last == "is 482 913 on both, phone and accessory? If so, confirm it on the phone")
        #expect(desk.turns.withLock { $0.last { $0.kind == .ask }?.passkey } == "482913")
        #expect(story.texts.contains { $0.contains("482913") } && !story.texts.contains { $0.contains("111111") })
    }

    @Test(
        "The person is told the home's network while it is open, the record is not, and its router must report the same"
    )
    func home() async throws {
        let desk = Desk()
        let station = try #require(DeviceAddress("02:00:00:00:01:00"))
        let home = HandHome(ssid: "Home", passphrase: "a2b3c4d5e6f7g8h9")
        let items: [RehearsedItem] = [
            .command(RehearsedCommand(words: "open the home's network “Home”") { _ in }), .home(home),
            .expected("the app asks for the network", at: place), .router(.joined(station: station)), .home(nil),
            .expected("the app is offline", at: place),
        ]
        reports.add(AccessoryNote(.joined(station: try #require(DeviceAddress("42:11:22:33:44:55")))))
        try await guide(items, desk).lead("A lamp", socket: nil)
        #expect(desk.turns.withLock { $0.map(\.home) } == [nil, nil, home, home, nil, nil, nil])
        #expect(story.texts.contains("holds: the home's router reports a station joined"))
        #expect(!story.texts.contains { $0.contains("a2b3c4d5e6f7g8h9") })
    }

    @Test("A line that the scenario awaited may come from a program or from a host stack")
    func lines() async throws {
        for kind in ["printed", "output"] { reports.add(note("12:04 paired", kind: kind)) }
        reports.add(note("address 192.168.60.99", kind: "printed"))
        let guide = guide([.line("paired"), .line("paired"), .line("address 192.168.60.12")], Desk())
        try await guide.lead("A lamp", socket: nil)
        #expect(guide.confirmed == 3)
    }

    @Test("Commands go to the real accessory, and its refusal ends the scenario")
    func commands() async throws {
        let done = EventLog<String>()
        let command = RehearsedCommand(words: "lamp: roll face 6") { _ in }
        try await guide([.command(command)], Desk()) { done.append($0.words) }.lead("A lamp", socket: nil)
        #expect(done.events == ["lamp: roll face 6"])
        await #expect(throws: RadioError.self) {
            try await guide([.command(command)], Desk()) { _ in throw RadioError.invalid("no lamp") }
                .lead("A lamp", socket: nil)
        }
    }
}
