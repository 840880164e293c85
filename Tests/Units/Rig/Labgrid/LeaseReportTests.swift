import Foundation
import Testing

@testable import HILLabgrid

struct LeaseReportTests {
    private func report(_ line: String) -> LeaseReport? { LeaseReport(Array(line.utf8)) }

    @Test("Answers, refusals and events are read")
    func reads() throws {
        guard case .answer(to: 7, let answer?)? = report(#"{"id":7,"answer":{"place":"a"}}"#) else {
            Issue.record("no answer")
            return
        }
        #expect(String(decoding: answer, as: UTF8.self) == #"{"place":"a"}"#)
        if case .answer(to: 8, nil)? = report(#"{"id":8,"answer":null}"#) {} else { Issue.record("no empty answer") }
        if case .refusal(of: 9, "held", nil)? = report(#"{"id":9,"reason":"held","remedy":null}"#) {
        } else {
            Issue.record("no refusal")
        }
        if case .lost("a", "gone", "look")? = report(#"{"event":"lost","place":"a","why":"gone","remedy":"look"}"#) {
        } else {
            Issue.record("no loss")
        }
    }

    @Test(
        "What is none of them is left out",
        arguments: [
            "", "{", "[]", "null", "7", #"{"id":1}"#, #"{"id":"1","answer":1}"#, #"{"event":"lost"}"#, #"{"event":7}"#,
            #"{"event":"x"}"#, "\u{0}\u{1B}[31m", #"{"id":1e99,"answer":1}"#, "Traceback (most recent call last):",
        ])
    func hostile(_ line: String) {
        #expect(report(line) == nil)
    }

    @Test("An order is one line, whatever is in it")
    func order() throws {
        var order = LeaseRequest("take")
        (order.place, order.tags) = ("a\nb", ["kind": "\u{2028}"])
        let line = order.line
        #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
        let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        #expect(object?["do"] as? String == "take" && object?["place"] as? String == "a\nb")
    }
}
