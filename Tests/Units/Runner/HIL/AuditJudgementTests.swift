import HILBluetoothHost
import Testing

@testable import HIL

@Suite("What an audit reads from names and numbers")
struct AuditJudgementTests {
    @Test(
        "A name that tells of a person or of a single device is told apart from one of a kind",
        arguments: [
            ("Kim's Lamp", "of a person"), ("Kim’s Lamp", "of a person"),
            ("Lamp 4F2A19", "a single device by “4F2A19”"),
            ("SN0042917", "a single device by “0042917”"),
            ("Lamp-02:00:00:00:02:B8", "a single device by “02:00:00:00:02:B8”"), ("Lamp", nil),
            ("Lamp 7", nil),
            ("Facade", nil), ("Die-12", nil), ("", nil),
        ])
    func names(name: String, what: String?) { #expect(TellingName(name).what == what) }

    @Test("Values that repeat, count or keep bytes follow a rule, and values of chance do not")
    func values() {
        #expect(DrawnNumbers([[1, 2], [3, 4], [1, 2]]).weakness == "repeat")
        #expect(DrawnNumbers([[254, 0], [255, 0], [0, 1], [1, 1]]).weakness == "grow by the same step each time")
        #expect(DrawnNumbers([[10, 0], [4, 0], [7, 0]]).weakness == "have 1 of 2 bytes that never change")
        #expect(DrawnNumbers([[10, 3], [4, 200], [7, 41]]).weakness == nil)
        #expect(DrawnNumbers([[1], [1]]).weakness == nil, "two values tell nothing")
    }

    @Test("Who begins to pair and then waits for its person in vain has not refused: the check is out of reach")
    func waiting() {
        let (late, refused) = (
            PairingEnd(.timeout, by: .peer, while: .response),
            PairingEnd(.refused(.authenticationRequirements), by: .peer, while: .response)
        )
        func isOutOfReach(_ finding: AuditFinding) -> Bool { if case .outOfReach = finding { true } else { false } }
        #expect(isOutOfReach(.refusal(late, hasAnswered: true)))
        #expect(!isOutOfReach(.refusal(late, hasAnswered: false)), "it did not even answer")
        #expect(!isOutOfReach(.refusal(refused, hasAnswered: true)) && !isOutOfReach(.refusal(nil, hasAnswered: true)))
    }
}
