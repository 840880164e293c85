import HIL
import HILExecution
import HILRecord
import Testing

@testable import HILReports

@Suite("What the terminal says of a failure")
struct CauseLinesTests {
    private func causes(_ events: [ScenarioEvent], _ failures: [Failure]) -> CauseLines {
        let lines = SampleRun.lines()
        var record = RunRecord()
        record.take(lines[0])
        let scenario = record.entries[0].info.identifier
        let told = [.bodyBegan(budget: 60)] + events + failures.map { ScenarioEvent.failure($0) }
        for (index, event) in told.enumerated() {
            record.take(
                RunLine(scenario: scenario, worker: StampedEvent(time: UInt64(index) * 1_000_000_000, event: event)))
        }
        return CauseLines(judgement: Judgement(failures), attempt: record.entries[0].attempts[0])
    }

    @Test(
        "A crash stands first, then the failure, what is known of it, the last wait, and the last lines of both sides")
    func chosen() {
        let message = """
            the lamp does not answer
            write of 2 bytes to 4C410002 of Lamp 7 not answered for 4.8 s
            the picker: heard Lamp 8, but the name “Lamp 8”, wanted one with “Lamp 7”
            """
        let crash = Failure(.product, "bluetoothd has crashed", finding: Finding(.daemon, of: .accessory))
        let lamp = { (text: String) in
            ScenarioEvent.accessory(AccessoryNote(accessory: "Lamp 7", adapter: .first, AccessoryLine(text)))
        }
        let causes = causes(
            [
                .note(text: "first"), lamp("boots"), lamp("pairs"), lamp("sleeps"), .note(text: "second"),
                .note(text: "third"), .waited(what: "the lamp's answer", seconds: 4.8),
            ], [Failure(.product, message), crash])
        #expect(causes.found == [crash])
        #expect(
            causes.lines == [
                "write of 2 bytes to 4C410002 of Lamp 7 not answered for 4.8 s",
                "the picker: heard Lamp 8, but the name “Lamp 8”, wanted one with “Lamp 7”",
                "waited 4.8 s for the lamp's answer", "   3.000 Lamp 7: pairs", "   4.000 Lamp 7: sleeps",
                "   5.000 second",
            ])
    }

    @Test("No more than eight lines in all, and no wait that the failure names itself")
    func bounded() {
        let message = (["waited 10 s for the roll"] + (1...20).map { "line \($0)" }).joined(separator: "\n")
        let causes = causes([.waited(what: "the roll", seconds: 10)], [Failure(.product, message)])
        #expect(causes.lines == (1...7).map { "line \($0)" })
        let short = self.causes(
            [.waited(what: "the roll", seconds: 10)], [Failure(.product, "waited 10 s for the roll")])
        #expect(short.lines == ["   0.000 scenario begins"])
    }
}
