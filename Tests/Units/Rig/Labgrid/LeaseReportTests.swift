import Foundation
import HILPOSIX
import Testing

@testable import HILLabgrid

struct LeaseReportTests {
    private func report(_ line: String) -> LeaseReport? { LeaseReport(Array(line.utf8)) }

    @Test("Events are read")
    func reads() {
        #expect(report(#"{"event":"ready","owner":"kim"}"#) == .ready)
        #expect(report(#"{"event":"note","text":"released a"}"#) == .note("released a"))
        #expect(
            report(#"{"event":"lost","place":"a","why":"gone","remedy":"look"}"#)
                == .lost(place: "a", why: "gone", remedy: "look"))
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

    @Test("A call is one line, whatever is in it")
    func call() throws {
        let wish = LeaseWish(place: "a\nb", tags: ["kind": "\u{2028}"], excluding: [], patience: 0)
        let line = try JSONEncoder().encode(NumberedCall(id: 1, call: LeaseCall.take(wish, Reply())))
        #expect(!line.contains(UInt8(ascii: "\n")))
        guard case .take(let read, _) = try JSONDecoder().decode(NumberedCall<LeaseCall>.self, from: line).call else {
            Issue.record("another call")
            return
        }
        #expect(read.place == "a\nb")
    }
}
