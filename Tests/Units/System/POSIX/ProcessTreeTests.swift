import Glibc
import HILTiming
import TestSupport
import Testing

@testable import HILPOSIX

@Suite("The processes that a process has started")
struct ProcessTreeTests {
    /// A shell with a child that has said a word, and waits.
    private func withTree(_ script: String, _ body: (ChildProcess) async throws -> Void) async throws {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let child = try ChildProcess.spawn(
            ["sh", "-c", script], streams: [.descriptor(input.read), .descriptor(output.write), .null], ownGroup: true)
        input.read.close()
        output.write.close()
        defer { child.signal(SIGKILL, group: true) }
        _ = try output.read.read()
        try await body(child)
    }

    @Test("It has the process and its descendants; of one that is gone there is nothing but its number")
    func tree() async throws {
        try await withTree("sleep 600 & echo ready; wait") { child in
            let processes = ProcessTree(of: child.pid).processes
            #expect(processes.first == child.pid && processes.count == 2)
        }
        #expect(ProcessTree(of: 0x3fff_ffff).processes == [0x3fff_ffff])
        #expect(ProcessTree(of: 0x3fff_ffff).processorTime == .zero)
    }

    @Test("Its processor time has that of children which have ended, and of the process itself while it runs")
    func processorTime() async throws {
        let loop = "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done"
        try await withTree("sh -c '\(loop)'; echo ready; cat") { child in
            let ended = ProcessTree(of: child.pid).processorTime
            #expect(ended >= .milliseconds(10), "\(ended)")
        }
        try await withTree("\(loop); echo ready; cat") { child in
            #expect(ProcessTree(of: child.pid).processorTime >= .milliseconds(10))
        }
    }

    @Test("The memory of a small program is counted in bytes")
    func memory() async throws {
        try await withTree("echo ready; cat") { child in
            let memory = ProcessTree(of: child.pid).memory
            #expect((50_000..<20_000_000).contains(memory), "\(memory)")
        }
    }

    @Test("A process that has ended tells its processor time")
    func ended() async throws {
        let child = try ChildProcess.spawn(["sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done"])
        #expect(await child.wait() == .exited(0))
        let used = try #require(child.processorTime)
        #expect(used >= .milliseconds(5) && used < .seconds(30), "\(used)")
    }
}
