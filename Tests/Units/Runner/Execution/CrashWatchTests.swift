import Foundation
import Testing

@testable import HILExecution

@Suite("A crash is seen before its backtrace is written")
struct CrashWatchTests {
    @Test(
        "The runtime's line is the reason, and what an app prints is none",
        arguments: [
            (
                "Lamp/Lamp.swift:7: Fatal error: Index out of range\n",
                "Lamp/Lamp.swift:7: Fatal error: Index out of range"
            ),
            ("hello\n*** Signal 11: Backtracing from 0x7f…\n", "*** Signal 11: Backtracing from 0x7f…"),
            ("*** not a crash ***\nfatal errors: 0\n", nil), ("", nil),
        ])
    func reasons(text: String, reason: String?) { #expect(CrashWatch.reason(in: text) == reason) }

    @Test("It is told once the line is there, however much was written before", .timeLimit(.minutes(1)))
    func seen() async throws {
        let path = NSTemporaryDirectory() + "hil-crash-\(UUID().uuidString).log"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let watch = Task { await CrashWatch(log: path).reason() }
        try Data(repeating: UInt8(ascii: "x"), count: 1 << 20).write(to: URL(fileURLWithPath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        file.write(Data("\nLamp.swift:7: Fatal error: no lamp\n*** Program crashed".utf8))
        #expect(await watch.value == "Lamp.swift:7: Fatal error: no lamp")
    }
}
