import Foundation
import Testing

@testable import HILURLLoading

@Suite("The beginning of an answer")
struct AnswerHeadTests {
    @Test(
        "says whether only the end of the connection ends it",
        arguments: [
            ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbody", true), ("HTTP/1.0 200 OK\r\n\r\n", true),
            ("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody", false),
            ("HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n", false),
            ("HTTP/1.1 200 OK\r\n", false), ("", false), ("\u{16}\u{3}\u{3}\r\n\r\n", false),
        ])
    func ends(answer: String, endsWithConnection: Bool) {
        var (whole, parts) = (AnswerHead(), AnswerHead())
        whole.take(Data(answer.utf8))
        for byte in answer.utf8 { parts.take(Data([byte])) }
        #expect(whole.endsWithConnection == endsWithConnection && parts.endsWithConnection == endsWithConnection)
    }

    @Test("is not kept without end")
    func long() {
        var head = AnswerHead()
        for _ in 0..<100 { head.take(Data(repeating: 65, count: 10_000)) }
        #expect(!head.endsWithConnection)
    }
}
