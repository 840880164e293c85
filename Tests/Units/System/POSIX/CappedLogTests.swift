import Foundation
import Testing

@testable import HILPOSIX

@Suite("A log of which beginning and end are kept")
struct CappedLogTests {
    private let path = NSTemporaryDirectory() + "hil-capped-\(UUID().uuidString).log"

    private func append(_ lines: Range<Int>) throws {
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND)
        try file.write(Array(lines.map { "line \($0)\n" }.joined().utf8))
        file.close()
    }

    private var used: Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }

    @Test("It takes no more of the disk than its limit while it is written, and begins and ends as it was written")
    func long() throws {
        defer { unlink(path) }
        let log = CappedLog(path, limit: 64 << 10)
        for part in 0..<100 {
            try append(part * 10_000..<(part + 1) * 10_000)
            log.release()
            #expect(used <= 256 << 10)
        }
        let content = try #require(log.read())
        #expect(content.head.starts(with: Array("line 0\nline 1\n".utf8)) && content.head.last == 10)
        #expect(content.tail.starts(with: Array("line ".utf8)) && content.tail.suffix(7) == Array("999999\n".utf8)[...])
        var last = ""
        let written = try log.settle { leftOut, line in
            last = String(decoding: line, as: UTF8.self)
            return "[\(leftOut) bytes are left out]"
        }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.utf8.count <= 64 << 10 + 100 && !text.contains("\0"))
        #expect(last.wholeMatch(of: /line \d+/) != nil && text.contains("\(last)\n["))
        let note = try #require(text.firstMatch(of: /\n\[(\d+) bytes are left out\]\n/))
        #expect(try #require(written) == text.utf8.count - note.output.0.utf8.count + 1 + (Int(note.output.1) ?? 0))
        #expect(try log.settle { _, _ in "twice" } == nil, "it is within its limit now")
    }

    @Test("One within its limit stays as it is, and one that is gone is nothing")
    func short() throws {
        defer { unlink(path) }
        let log = CappedLog(path, limit: 64 << 10)
        #expect(log.read() == nil)
        #expect(try log.settle { _, _ in "never" } == nil)
        try append(0..<10)
        log.release()
        #expect(try log.settle { _, _ in "never" } == nil)
        #expect(log.read() == CappedLog.Content(head: Array((0..<10).map { "line \($0)\n" }.joined().utf8)))
    }

    @Test("A single line longer than the limit is cut as well")
    func oneLine() throws {
        defer { unlink(path) }
        try Data(repeating: UInt8(ascii: "x"), count: 1 << 20).write(to: URL(fileURLWithPath: path))
        _ = try CappedLog(path, limit: 64 << 10).settle { leftOut, _ in "\n[\(leftOut)]" }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\n[983552]\n"))
        #expect(text.utf8.count < 65 << 10)
    }
}
