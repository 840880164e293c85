import RigModel
import Testing

@testable import HILExecution

struct StarvationTests {
    private func finding(late: Int, of asked: Int) -> String? {
        Starvation(role: .accessory, measure: .answers(late: .milliseconds(late), asked: .milliseconds(asked))).finding
    }

    @Test("A board that owes answers for a third of the time is too slow for a verdict")
    func slowBench() {
        #expect(finding(late: 1_000, of: 10_000) == nil)
        let told = finding(late: 4_100, of: 9_000)
        #expect(told?.hasPrefix("the bench was too slow for a verdict: for 4.1 s of 9 s the accessory board") == true)
    }

    @Test("In less than two seconds too little is known of a bench")
    func short() {
        #expect(finding(late: 1_800, of: 1_900) == nil && finding(late: 1_900, of: 2_000) != nil)
    }

    @Test("The share that stands in the record is never above 1")
    func share() {
        let measure = Starvation.Measure.answers(late: .seconds(3), asked: .seconds(2))
        #expect(Starvation(role: .host, measure: measure).share == 1)
        #expect(Starvation(role: .host, measure: .answers(late: .zero, asked: .zero)).share == 0)
    }
}
