import Foundation
import TestSupport
import Testing

@testable import HILPOSIX

@Suite("A program with a guard", .timeLimit(.minutes(1)))
struct GuardedProcessTests {
    private static let guardProgram = TestProgram.path(of: TestProgram.probe)

    /// Starts a line for the shell. What it prints can be read from the result's descriptor.
    private func start(_ line: String, in folder: String = "/") throws -> (GuardedProcess, output: Descriptor) {
        try start(["sh", "-c", line], in: folder)
    }

    private func start(_ command: [String], in folder: String) throws -> (GuardedProcess, output: Descriptor) {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        input.write.close()
        let process = try GuardedProcess.start(
            command, in: folder, streams: (input.read, output.write, output.write), guardProgram: Self.guardProgram)
        output.write.close()
        return (process, output.read)
    }

    /// The first line that the program prints.
    private func line(_ output: Descriptor) throws -> String {
        var bytes: [UInt8] = []
        while !bytes.contains(0x0A), case let more = try output.read(), !more.isEmpty { bytes += more }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    private func isGone(_ process: pid_t) -> Bool {
        guard let status = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return true }
        return String(decoding: status, as: UTF8.self).contains(") Z ")
    }

    /// A program with two children: one in the background, one in a session of its own. All three print their numbers.
    private static let family = "sleep 7653 & a=$!; setsid sleep 7653 & echo $$ $a $!; wait"

    private func family(_ output: Descriptor) throws -> [pid_t] {
        try line(output).split(separator: " ").compactMap { pid_t($0) }
    }

    @Test("ends with its exit code, in its folder, with its own process group")
    func exits() async throws {
        let (process, output) = try start("pwd; exit 3", in: "/usr")
        #expect(try line(output) == "/usr")
        #expect(await process.wait() == .ended(.exited(3), wasAsked: false))
        #expect(process.ending == .ended(.exited(3), wasAsked: false))
        let (other, numbers) = try start("ps -o pgid= -p $$; sleep 7653")
        #expect(try line(numbers).contains("\(other.pid)") && getpgid(other.pid) == other.pid)
        other.stop(within: .zero)
        _ = await other.wait()
    }

    @Test("that cannot be started gives the reason")
    func missing() {
        #expect(throws: SystemError(code: ENOENT, action: "starting no-such-program")) {
            try start(["no-such-program"], in: "/")
        }
        #expect(throws: SystemError(code: ENOENT, action: "entering the working folder /no/such")) {
            try start(["true"], in: "/no/such")
        }
    }

    @Test("ends when it is asked to, and is killed if it does not")
    func stops() async throws {
        let (polite, output) = try start("trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done")
        _ = try line(output)
        polite.stop(within: .seconds(30))
        #expect(await polite.wait() == .ended(.exited(5), wasAsked: true))
        let (deaf, itsOutput) = try start("trap '' TERM; echo ready; while :; do sleep 0.01; done")
        _ = try line(itsOutput)
        deaf.stop(within: .milliseconds(50))
        #expect(await deaf.wait() == .ended(.signalled(SIGKILL), wasAsked: true))
        deaf.stop(within: .zero)
    }

    @Test("leaves no child behind, whether it ends by itself or not", arguments: ["exit 0", "sleep 7653"])
    func children(end: String) async throws {
        let (process, output) = try start(Self.family.replacing("wait", with: end))
        let family = try family(output)
        try #require(family.count == 3 && family[0] == process.pid)
        if end != "exit 0" { process.stop(within: .zero) }
        _ = await process.wait()
        #expect(family.allSatisfy(isGone), "\(family.filter { !isGone($0) })")
        #expect(try output.read().isEmpty, "all writers have ended")
    }

    @Test("ends with its owner, and all that it started")
    func ownerEnds() async throws {
        var family: [pid_t] = []
        do {
            let (process, output) = try start(Self.family)
            family = try self.family(output)
            withExtendedLifetime(process) {}
        }
        try #require(family.count == 3)
        try await waitForEnd(of: family, within: .seconds(20))
    }

    @Test("ends when its guard is killed, and says so")
    func keeperEnds() async throws {
        let (process, output) = try start("sleep 7653 & echo $!; wait")
        let child = try #require(pid_t(try line(output)))
        let status = try #require(FileManager.default.contents(atPath: "/proc/\(process.pid)/stat"))
        let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
        kill(try #require(pid_t(fields[1])), SIGKILL)
        #expect(await process.wait() == .guardLost)
        try await waitForEnd(of: [process.pid, child], within: .seconds(20))
    }

    @Test("A guard's reports read as they were written, and other lines are none")
    func reports() {
        let reports: [GuardedProcess.Report] = [
            .started(7), .failed(code: ENOENT, while: "starting a keyboard"), .ended(.exited(3), wasAsked: false),
            .ended(.signalled(15), wasAsked: true),
        ]
        for report in reports { #expect(GuardedProcess.Report(report.line) == report) }
        for line in [
            "", "started", "started x", "started 1", "started -7", "started 7 8", "failed", "failed x y",
            "ended true exited",
            "ended maybe exited 1", "ended true flown 1", "ended true exited one", "begun 7",
        ] { #expect(GuardedProcess.Report(line) == nil, "\(line)") }
    }
}
