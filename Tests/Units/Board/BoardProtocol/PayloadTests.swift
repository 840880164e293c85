import BoardProtocol
import Foundation
import HILTiming
import TestSupport
import Testing

@Suite struct PayloadTests {
    @Test("Files, folders and links are read as they were written")
    func roundTrip() throws {
        let payload = try Payload([
            .init("a", mode: 0o755, .folder), .init("a/é b", mode: 0o640, .file([0, 255])),
            .init("a/link", .link(target: "../x")), .init("empty", .file([])),
        ])
        #expect(try Payload(decoding: payload.encoded()) == payload)
        #expect(try Payload(decoding: Payload([]).encoded()).entries.isEmpty)
    }

    private static let hostile: [Payload.Entry] = [
        .init("", .file([])), .init("/etc/passwd", .file([])), .init("..", .folder), .init("a/../b", .file([])),
        .init("./a", .file([])), .init("a//b", .file([])), .init("a/", .folder), .init("a\nb", .file([])),
        .init("a\0", .file([])), .init(String(repeating: "a", count: 256), .file([])),
        .init(String(repeating: "a/", count: 512) + "a", .file([])), .init("nowhere/a", .file([])),
        .init("x", mode: 0o4755, .file([])), .init("l", .link(target: "")), .init("l", .link(target: "a\0b")),
        .init("l", .link(target: String(repeating: "a", count: 1025))),
    ]

    @Test("A hostile entry is refused", arguments: 0..<16)
    func refusal(number: Int) {
        #expect(throws: PayloadError.self) { try Payload([PayloadTests.hostile[number]]) }
    }

    @Test("Nothing is written through a link, into a file, or twice")
    func order() {
        let link = Payload.Entry("a", .link(target: "/etc"))
        #expect(throws: PayloadError.noFolder("a/passwd")) { try Payload([link, .init("a/passwd", .file([]))]) }
        #expect(throws: PayloadError.noFolder("f/x")) { try Payload([.init("f", .file([])), .init("f/x", .file([]))]) }
        #expect(throws: PayloadError.twice("f")) { try Payload([.init("f", .file([])), .init("f", .folder)]) }
    }

    @Test("A payload that is too large for a board is refused")
    func size() throws {
        let half = Payload.Entry("a", .file([UInt8](repeating: 0, count: Payload.longest / 2)[...]))
        let other = Payload.Entry("b", half.content)
        #expect(throws: PayloadError.self) { try Payload([half, other]).encoded() }
        let many = (0...Payload.mostEntries).map { Payload.Entry("\($0)", .file([])) }
        #expect(throws: PayloadError.tooMany(many.count)) { try Payload(many) }
    }

    @Test("Random payloads survive their encoding, and no shortened or lengthened one is read")
    func random() throws {
        var numbers = SeededNumbers(seed: 16)
        for _ in 0..<200 {
            let names = (0..<Int.random(in: 0...9, using: &numbers)).map { "n\($0)" }
            let payload = try Payload(
                names.map { name in
                    let bytes = (0..<Int.random(in: 0...20, using: &numbers)).map { _ in
                        UInt8.random(in: 0...255, using: &numbers)
                    }
                    let contents: [Payload.Entry.Content] = [.folder, .file(bytes[...]), .link(target: "x\(name)")]
                    return .init(
                        name, mode: .random(in: 0...0o777, using: &numbers),
                        contents[Int.random(in: 0...2, using: &numbers)])
                })
            let bytes = try payload.encoded()
            #expect(try Payload(decoding: bytes) == payload)
            #expect(throws: PayloadError.self) { try Payload(decoding: bytes + [0]) }
            let cut = Int.random(in: 0..<bytes.count, using: &numbers)
            #expect(throws: PayloadError.self) { try Payload(decoding: Array(bytes.prefix(cut))) }
        }
    }

    @Test("A payload's name is a digest, so that it cannot be another path")
    func names() {
        let digest = String(repeating: "0a", count: 32)
        #expect(PayloadID(digest: digest, size: 1).isValid)
        for wrong in ["", "../" + digest.dropFirst(3), digest.uppercased(), digest + "0"] {
            #expect(!PayloadID(digest: wrong, size: 1).isValid)
        }
        #expect(!PayloadID(digest: digest, size: 0).isValid && !PayloadID(digest: digest, size: .max).isValid)
    }
}

@Suite struct CommandRunTests {
    private func run(_ command: [String], within limit: Duration = .seconds(20)) async throws -> CommandOutcome {
        try await CommandRun.run(command, environment: ["PATH=/usr/bin:/bin", "WORD=é"], in: "/", within: limit)
    }

    @Test("A command's end and its output are told, and no shell reads its words")
    func outcome() async throws {
        let ended = try await run(["sh", "-c", "pwd; echo \"$WORD $1\"; echo err >&2; exit 3", "sh", "a'b $HOME"])
        #expect(ended.exit == .code(3))
        #expect(ended.text == "/\né a'b $HOME\nerr")
    }

    @Test("A command that does not end is killed with its children")
    func deadline() async throws {
        let outcome = try await run(["sh", "-c", "echo begun; sleep 1000 & sleep 1000"], within: .milliseconds(300))
        #expect(outcome.exit == nil && outcome.text == "begun")
    }

    @Test("Of a long output the end is kept")
    func longOutput() async throws {
        let outcome = try await run(["seq", "1", "200000"])
        #expect(outcome.output.count == CommandRun.outputLimit && outcome.text.hasSuffix("\n199999\n200000"))
    }
}
