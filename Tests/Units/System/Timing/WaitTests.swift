import Foundation
import HILPOSIX
import TestSupport
import Testing

@testable import HILTiming

/// What tests wait with.
@Suite("Waiting in tests", .timeLimit(.minutes(1)))
struct WaitTests {
    @Test("looks again at each event of a log, and names what did not come")
    func log() async throws {
        let log = EventLog<Int>()
        let wait = Task.immediate {
            var looks = 0
            try await log.wait(for: "a sum of six") {
                looks += 1
                return log.events.reduce(0, +) == 6
            }
            return looks
        }
        for number in 1...3 { log.append(number) }
        #expect((2...4).contains(try await wait.value))
        await #expect(throws: TimedOut(waitingFor: "a seventh", limit: .zero)) {
            try await log.wait(for: "a seventh", within: .zero) { log.count == 7 }
        }
    }

    @Test("hears of the end of any process, and of those that are found later")
    func processes() async throws {
        let child = try ChildProcess.spawn(["sleep", "600"])
        let others = try (0..<2).map { _ in try ChildProcess.spawn(["sleep", "600"]) }
        defer { for process in [child] + others { process.signal(9) } }
        await #expect(throws: TimedOut(waitingFor: "2 processes to end", limit: .milliseconds(1))) {
            try await waitForEnd(of: [child.pid, others[0].pid], within: .milliseconds(1))
        }
        child.signal(9)
        try await waitForEnd(of: [child.pid], within: .seconds(30))
        _ = await child.wait()
        try await waitForEnd(of: [child.pid], within: .seconds(30))
        var left = others
        try await waitForEnd(within: .seconds(30)) {
            guard let next = left.popLast() else { return [] }
            next.signal(9)
            return [next.pid]
        }
        #expect(left.isEmpty)
    }

    @Test("hears of files that come and go, and names what did not come")
    func files() async throws {
        let folder = NSTemporaryDirectory() + "hil-wait-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        @Sendable func isThere() -> Bool { FileManager.default.fileExists(atPath: "\(folder)/word") }
        async let coming: Void = waitForFiles("the word", in: folder, until: isThere)
        try Data("word".utf8).write(to: URL(fileURLWithPath: "\(folder)/word"), options: .atomic)
        try await coming
        async let going: Void = waitForFiles("its end", in: folder) { !isThere() }
        try FileManager.default.removeItem(atPath: "\(folder)/word")
        try await going
        await #expect(throws: TimedOut(waitingFor: "the word", limit: .milliseconds(1))) {
            try await waitForFiles("the word", in: folder, within: .milliseconds(1), until: isThere)
        }
        try await waitForFiles("nothing", in: "\(folder)/none") { true }
        await #expect(throws: SystemError(code: ENOENT, action: "watching \(folder)/none")) {
            try await waitForFiles("something", in: "\(folder)/none") { false }
        }
    }

    @Test("on a manual clock hears of the sleeper that wakes at a certain time")
    func sleeper() async throws {
        let clock = ManualClock()
        let tasks = [5, 60].map { seconds in Task { try await clock.sleep(for: .seconds(seconds)) } }
        await clock.sleeper(until: .seconds(60))
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(60))
        for task in tasks { try await task.value }
    }
}
