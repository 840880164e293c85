import Foundation
import HILRecord
import Testing

@testable import HILHistory

struct EventSequenceTests {
    /// Events of one source, each a letter, at these milliseconds.
    private func events(_ moments: [(Int, String)], source: String = "phone") -> [TimelineEvent] {
        moments.map { TimelineEvent(t: UInt64($0.0) * 1_000_000, source: source, kind: "told", text: $0.1) }
    }

    private func key(_ text: String, _ source: String = "phone") -> EventKey {
        EventKey(source: source, kind: "told", text: text)
    }

    @Test("The same events at other times are the same")
    func same() {
        let order = EventSequence(
            events([(0, "a"), (10, "b"), (500, "a")]), events([(5, "a"), (900, "b"), (999, "a")]))
        #expect(order.isSame && order.common == 3)
    }

    @Test("What only one run has is told with how often")
    func surplus() {
        let first = events([(0, "a"), (1, "b"), (2, "a"), (3, "b"), (4, "c")])
        let order = EventSequence(first, events([(0, "c"), (1, "d")]))
        #expect(order.onlyFirst == [.init(event: key("a"), count: 2), .init(event: key("b"), count: 2)])
        #expect(order.onlySecond == [.init(event: key("d"), count: 1)] && order.common == 1)
    }

    @Test("An event that repeats itself at once counts once, whatever others tell meanwhile")
    func repeats() {
        let first = events([(0, "seen"), (1, "seen"), (2, "seen")]) + events([(1, "x")], source: "app")
        let order = EventSequence(
            first.sorted { $0.t < $1.t }, events([(0, "seen")]) + events([(9, "x")], source: "app"))
        #expect(order.isSame && order.common == 2)
    }

    @Test(
        "Two events in opposite order count from 100 ms apart in both runs",
        arguments: [(100, 100, true), (99, 500, false), (500, 99, false), (300, 400, true)])
    func exchange(first: Int, second: Int, counts: Bool) {
        let order = EventSequence(events([(0, "a"), (first, "b")]), events([(0, "b"), (second, "a")]))
        #expect(order.exchanged == (counts ? [.init(first: key("a"), second: key("b"))] : []))
        #expect(order.isSame != counts && order.onlyFirst.isEmpty)
    }

    @Test("A timeline with a hundred thousand events is compared in bounded time")
    func many() {
        let many = (0..<100_000).map { TimelineEvent(t: UInt64($0), source: "s\($0 % 3000)", kind: "told", text: "x") }
        #expect(EventSequence(many, many.reversed()).common > 0)
    }
}

struct RecordedTimelineTests {
    private let folder = NSTemporaryDirectory() + "hil-timeline-\(UUID().uuidString)"

    private func read(_ text: String?) throws -> [TimelineEvent] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        if let text { try text.write(toFile: "\(folder)/timeline.json", atomically: false, encoding: .utf8) }
        return try RecordedTimeline.read(in: folder)
    }

    private func why(_ text: String?) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch { return (error as? RecordedTimeline.Unreadable)?.description }
    }

    @Test("Events are read in order of time, of format 1 as well")
    func reads() throws {
        let text = """
            {"format":1,"events":[{"t":2,"source":"b","kind":"k","text":"2"},{"t":1,"source":"a","kind":"k","text":"1"}]}
            """
        #expect(try read(text).map(\.source) == ["a", "b"])
    }

    @Test("What is missing, is of a later version, or is anything else is said")
    func hostile() {
        #expect(why(nil) == "there is no \(folder)/timeline.json")
        #expect(why(#"{"format":3,"events":{}}"#)?.contains("has format 3, and this version reads up to 2") == true)
        for text in [
            "", "[]", "{", #"{"format":2}"#, #"{"format":2,"events":[{"t":-1}]}"#, "\u{0}",
            #"{"format":2,"events":[{"t":1e400,"source":"","kind":"","text":""}]}"#,
            String(repeating: "[", count: 100_000),
        ] { #expect(why(text) == "\(folder)/timeline.json is not a timeline") }
    }
}
