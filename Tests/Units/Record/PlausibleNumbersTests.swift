import Foundation
import HILTiming
import Testing

@testable import HILRecord

@Suite("Numbers of a damaged record")
struct PlausibleNumbersTests {
    @Test(
        "A line whose numbers nothing can be computed with is no line",
        arguments: [
            (#"{"time":1768383015123456789,"x":{"seconds":1.5e3}}"#, true), (#"{"x":[0,18446744073709551615]}"#, true),
            (#"{"seed":18446744073709551615,"rssi":-60}"#, true), (#"{"text":"99999999999999999999","n":1}"#, true),
            (#"{"seconds":1e300}"#, false), (#"{"seconds":99999999999999999999}"#, false),
            (#"{"number":-9223372036854775808}"#, false), (#"{"number":9223372036854775807}"#, false),
            (#"{"budget":[9223372036854775807,0]}"#, false), (#"{"time":18446744073709551616}"#, false),
            (#"{"text":"a\\\"b","seconds":1e300}"#, false), (#"{"text":"unfinished 1e300"#, true), ("", true),
        ])
    func lines(line: String, isPlausible: Bool) {
        #expect(PlausibleNumbers.are(in: Data(line.utf8)) == isPlausible)
    }

    @Test("Each number of a record can be replaced by any other, and the record is still read and printed")
    func replaced() throws {
        let told = StampedEvent(time: 7, event: .stepEnded(name: "open", seconds: 1.5, outcome: .done, number: 3))
        let result = ScenarioResult(Judgement([Failure(.product, "wrong")]), seconds: 2.5)
        let lines = [
            RunLine(scenario: "join", worker: told), RunLine(time: 9, scenario: "join", runner: .scenarioEnded(result)),
            RunLine(time: 9, runner: .runEnded(RunEnd(missedBudget: 60, seconds: 3))),
        ].map { String(decoding: $0.json, as: UTF8.self) }
        for line in lines {
            for match in line.matches(of: /[:\[,](-?[0-9.]+)/) {
                for number in [
                    "1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
                ] {
                    var damaged = line
                    damaged.replaceSubrange(match.output.1.startIndex..<match.output.1.endIndex, with: number)
                    guard let read = RunLine(Data(damaged.utf8)) else { continue }
                    var record = RunRecord()
                    record.take(read)
                    _ = record.exitCode
                    if case .scenarioEnded(let result)? = read.runner { _ = Duration.seconds(result.seconds).short }
                }
            }
        }
    }

    @Test("A duration and a number beyond all others have a text")
    func texts() {
        #expect(Duration(secondsComponent: .max, attosecondsComponent: 0).short == "∞")
        #expect((1e300).formatted(decimals: 3) == "∞" && (-1e300).formatted(decimals: 1) == "-∞")
        #expect((-1.25).formatted(decimals: 1) == "-1.3" && Duration.milliseconds(1500).short == "1.5 s")
    }
}
