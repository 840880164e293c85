import BoardProtocol
import Foundation
import HIL
import HILPhone
import HILRecord
import RadioModel
import Testing

@testable import HILExecution

struct TimelineTests {
    @Test("Each event of a timeline has the step in which it happened, and a screen the file of its picture")
    func steps() throws {
        let place = SourceLocation(file: "S/a.swift", path: "/S/a.swift", line: 1)
        let device = try #require(DeviceAddress("02:00:00:00:02:B0"))
        let screen = Screen(.picker, title: "Dice")
        let told: [ScenarioEvent] = [
            .bodyBegan(budget: 9), .stepBegan(name: "pick", budget: 5, at: place, number: 1),
            .phone(PhoneNote(.screen(screen))),
            .stepBegan(name: "pair", budget: 5, at: place, number: 2), .phone(.told("com.example.dice", "activated")),
            .stepEnded(name: "pair", seconds: 1, outcome: .done, number: 2),
            .phone(PhoneNote(.radio(.connected(device)))),
            .stepEnded(name: "pick", seconds: 2, outcome: .done, number: 1), .note(text: "after"),
            // The drawing is finished later.
            .drawn(ScreenPicture(number: 1, light: "screens/01-picker.light.svg", dark: "screens/01-picker.dark.svg")),
        ]
        var timeline = Timeline()
        timeline.add(
            told.enumerated().map { RunLine(scenario: "s", worker: StampedEvent(time: UInt64($0 + 1), event: $1)) })
        timeline.add(board: "host", journal: [.init(t: 5, source: "agent", line: "x")], kernel: "")
        struct Content: Decodable { let events: [Timeline.Event] }
        let events = try JSONDecoder().decode(Content.self, from: Data(timeline.json(of: "s"))).events
        #expect(events.map(\.step) == [nil, 1, 1, 2, 2, 2, 2, 1, 1, nil])
        #expect(events[5].lane == .hostBoard, "a log line has the step as well")
        #expect(events.map(\.file).compactMap(\.self) == ["screens/01-picker.light.svg"])
        #expect(events[2].text.hasSuffix(" → screens/01-picker.light.svg"))
        #expect(events.compactMap(\.to) == ["com.example.dice", "02:00:00:00:02:B0"])
    }

    @Test("An event of a timeline of format 1 still reads")
    func olderTimeline() throws {
        let event = #"{"kind":"line","source":"host/agent","t":7,"text":"a client is connected"}"#
        let read = try JSONDecoder().decode(Timeline.Event.self, from: Data(event.utf8))
        #expect(read == Timeline.Event(t: 7, source: "host/agent", kind: "line", text: "a client is connected"))
    }
}
