import Dispatch
import Synchronization
import Testing

@testable import HILRecord

@Suite("Observers of a run")
struct ObservedRunTests {
    /// Writes down what it sees.
    private final class Witness: RunObserver {
        let seen = Mutex<[String]>([])
        let name: String
        let others: Witness?

        init(_ name: String, tellingAlso others: Witness? = nil) { (self.name, self.others) = (name, others) }

        func take(_ line: RunLine, _ record: RunRecord) {
            let logs = record["a"].map { $0.log.count } ?? 0
            let text = "\(name) \(line.time) \(record["a"]?.result?.judgement.verdict.rawValue ?? "-") \(logs)"
            seen.withLock { $0.append(text) }
            others?.seen.withLock { $0.append(text) }
        }
    }

    /// The first line, with one scenario, `a`.
    private static let began = RunLine(
        time: 1,
        runner: .runBegan(
            RunInfo(
                version: "1", rig: "stub", machine: "m", folder: "/f",
                scenarios: [RunInfo.Entry(identifier: "a", title: "A", folder: "a")])))

    @Test(
        "All see each line with the record up to it, in their order; the story of what passed is forgotten afterwards")
    func order() {
        let all = Witness("all")
        let (first, second) = (Witness("first", tellingAlso: all), Witness("second", tellingAlso: all))
        let run = ObservedRun([first, second])
        run.take(ObservedRunTests.began)
        run.take(RunLine(scenario: "a", worker: StampedEvent(time: 2, event: .note(text: "hello"))))
        let result = ScenarioResult(Judgement([]), seconds: 1)
        run.take(RunLine(time: 3, scenario: "a", runner: .scenarioEnded(result)))
        run.take(RunLine(time: 4, runner: .runEnded(RunEnd(seconds: 1))))
        #expect(
            all.seen.withLock { $0 } == [
                "first 1 - 0", "second 1 - 0", "first 2 - 1", "second 2 - 1", "first 3 passed 1", "second 3 passed 1",
                "first 4 passed 0", "second 4 passed 0",
            ])
        #expect(run.record.end?.seconds == 1)
    }

    @Test("One line at a time reaches the observers, from many threads, in the order in which the record has it")
    func manyThreads() {
        let all = Witness("all")
        let run = ObservedRun([Witness("first", tellingAlso: all), Witness("second", tellingAlso: all)])
        run.take(ObservedRunTests.began)
        all.seen.withLock { $0 = [] }
        DispatchQueue.concurrentPerform(iterations: 500) { number in
            run.take(
                RunLine(
                    scenario: "a", worker: StampedEvent(time: UInt64(number), event: .note(text: "hello"))))
        }
        let seen = all.seen.withLock { $0.map { $0.split(separator: " ") } }
        let counts = stride(from: 0, to: seen.count, by: 2).map { [seen[$0][0], seen[$0 + 1][0], seen[$0][3]] }
        #expect(counts.count == 500)
        #expect(counts == (1...counts.count).map { ["first", "second", "\($0)"] })
    }
}
