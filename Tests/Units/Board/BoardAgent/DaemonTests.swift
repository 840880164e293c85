import Foundation
import Glibc
import HILPOSIX
import HILTiming
import Synchronization
import Testing

@testable import BoardAgent

@Suite struct DaemonTests {
    let lines = EventLog<String>()
    let losses = EventLog<String>()
    var journal: Journal { Journal(clock: { 42 }) { [lines] in lines.append(String(decoding: $0, as: UTF8.self)) } }

    @Test func everyLineIsWrittenWithItsTime() async throws {
        let daemon = try await start("echo one; echo 'two \"x\"/é' >&2; printf three; exec sleep infinity")
        try await daemon.waitForLine(containing: "two", within: .seconds(10))
        await daemon.stop()
        _ = try await lines.first(within: .seconds(300), waitingFor: "the last line") { $0.contains("three") }
        #expect(lines.events.first == "{\"line\":\"one\",\"source\":\"shell\",\"t\":42}\n")
        #expect(lines.events.dropFirst().first == "{\"line\":\"two \\\"x\\\"/é\",\"source\":\"shell\",\"t\":42}\n")
        #expect(losses.events.isEmpty, "it was asked to end")
    }

    @Test func manyLinesGoToTheJournalWithoutFillingTheMemory() async throws {
        let daemon = try await start("seq 1 5000; echo last; exec sleep infinity")
        try await daemon.waitForLine(containing: "last", within: .seconds(10))
        await daemon.stop()
        #expect(daemon.lines.count == 5001 && daemon.lines.events.last == "last")
        #expect(daemon.lines.events.count <= Daemon.keptLines)
        _ = try await lines.first(within: .seconds(300), waitingFor: "the last line") { $0.contains("last") }
        #expect(lines.count == 5001)
    }

    @Test func anUnexpectedEndIsReported() async throws {
        let daemon = try await start("exit 3")
        let loss = try await losses.first(within: .seconds(300), waitingFor: "the loss")
        #expect(loss.event == "shell: it exited with 3")
        await #expect(throws: (any Error).self) {
            try await daemon.waitForLine(containing: "ready", within: .seconds(10))
        }
    }

    @Test func aDaemonThatIgnoresTheRequestIsKilled() async throws {
        let daemon = try await start("trap '' TERM; echo ready; while :; do read x </dev/zero; done")
        try await daemon.waitForLine(containing: "ready", within: .seconds(10))
        await daemon.stop(gracePeriod: .milliseconds(10))
        #expect(!daemon.isRunning)
        #expect(losses.events.isEmpty)
    }

    private func start(_ script: String) async throws -> Daemon {
        try await Daemon("shell", ["/bin/sh", "-c", script], journal: journal) { [losses] name, how in
            losses.append("\(name): \(how)")
        }
    }

    @Test func versionsAreFoundInTheOutputOfPrograms() {
        #expect(BoardDaemons.version(in: "hostapd v2.10\nUser space daemon") == "2.10")
        #expect(BoardDaemons.version(in: "5.82\n") == "5.82")
        #expect(BoardDaemons.version(in: "Dnsmasq version 2.91  Copyright (c) 2000-2025") == "2.91")
        #expect(BoardDaemons.version(in: "not found") == nil)
    }
}
