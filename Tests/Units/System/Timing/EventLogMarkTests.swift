import Testing

@testable import HILTiming

private enum DoorEvent: Sendable, Equatable {
    case opened(degrees: Int)
    case closed
}

extension EventPattern where Event == DoorEvent, Value == Int {
    fileprivate static var opened: Self {
        Self("the door to open") { if case .opened(let degrees) = $0 { degrees } else { nil } }
    }
}

@Suite("An event log, searched by patterns and since marks")
struct EventLogMarkTests {
    private let log = EventLog<DoorEvent>()

    @Test("gives the values of the events that a pattern means, and no others")
    func values() {
        for event: DoorEvent in [.opened(degrees: 10), .closed, .opened(degrees: 90)] { log.append(event) }
        #expect(log.all(.opened) == [10, 90])
        #expect(log.last(.opened) == 90)
        #expect(log.count(.opened) == 2)
        #expect(log.all(.opened.where { $0 > 50 }) == [90])
        #expect(log.contains(.event(.closed)) && !log.contains(.event(.opened(degrees: 11))))
    }

    @Test("counts nothing from before a mark, also where the oldest events are forgotten")
    func marks() {
        let log = EventLog<DoorEvent>(keepingAtMost: 4)
        for degrees in 1...9 { log.append(.opened(degrees: degrees)) }
        let mark = log.mark
        #expect(log.all(.opened, since: mark) == [] && log.last(.opened, since: mark) == nil)
        log.append(.opened(degrees: 10))
        #expect(log.all(.opened, since: mark) == [10])
        #expect(log.latest(.opened) == mark, "the moment just before the latest event")
        #expect(log.latest(.event(.closed)) == nil)
    }

    @Test(
        "is waited for since a mark, and the next wait goes on behind the event that was found", .timeLimit(.minutes(1))
    )
    func first() async throws {
        log.append(.opened(degrees: 1))
        let mark = log.mark
        async let awaited = log.first(.opened, since: mark)
        log.append(.closed)
        log.append(.opened(degrees: 2))
        log.append(.opened(degrees: 3))
        let found = try await awaited
        #expect(found.value == 2)
        #expect(try await log.first(.opened, since: found.mark).value == 3)
    }

    @Test("begins again: its start is then here, and later marks stay")
    func beginsAgain() async throws {
        log.append(.opened(degrees: 1))
        let mark = log.mark
        log.append(.opened(degrees: 2))
        log.beginAgain()
        #expect(log.all(.opened).isEmpty && log.all(.opened, since: mark) == [2])
        log.append(.opened(degrees: 3))
        #expect(try await log.first(.opened).value == 3)
    }

    @Test("names in an error what was awaited", .timeLimit(.minutes(1)))
    func words() async {
        await #expect(throws: TimedOut(waitingFor: "the door to open", limit: .zero)) {
            try await log.first(.opened, within: .zero)
        }
        await #expect(throws: TimedOut(waitingFor: "a wide door", limit: .zero)) {
            try await log.first(.opened.where("a wide door") { $0 > 90 }, within: .zero)
        }
    }

    @Test("is a sequence of what was and what comes, which ends with the log's error", .timeLimit(.minutes(1)))
    func sequence() async {
        struct Broken: Error {}
        log.append(.closed)
        let mark = log.mark
        log.append(.opened(degrees: 1))
        let reader = Task { [log] in
            var seen: [DoorEvent] = []
            do {
                for try await event in log.events(since: mark) { seen.append(event) }
                return (seen, false)
            } catch { return (seen, error is Broken) }
        }
        log.append(.opened(degrees: 2))
        log.finish(throwing: Broken())
        let (seen, isBroken) = await reader.value
        #expect(seen == [.opened(degrees: 1), .opened(degrees: 2)] && isBroken)
    }
}
