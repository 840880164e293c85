import Dispatch
import Glibc
import Synchronization
import Testing

@testable import HILPOSIX

@Suite("System calls")
struct POSIXTests {
    private let folder = "/tmp/hil-posix-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"

    @Test("give errors that contain the action, its object and the reason")
    func errors() {
        let missing = "/nonexistent/file"
        #expect(throws: SystemError(code: ENOENT, action: "opening \(missing)")) {
            try Descriptor.open(missing, O_RDONLY)
        }
        #expect(SystemError(code: ENOENT, action: "opening x").description == "opening x: No such file or directory")
    }

    @Test("can be forced to fail")
    func forced() throws {
        let (_, write) = try Descriptor.pipe()
        #expect(throws: SystemError(code: ENOSPC, action: "writing descriptor \(write.raw)")) {
            try ForcedError.$next.withValue(("write", ENOSPC)) { try write.write([1]) }
        }
    }

    @Test("make sockets that only their owner may use, and refuse paths that are too long")
    func sockets() throws {
        let path = folder + ".sock"
        defer { unlink(path) }
        let listener = try UnixSocket.listen(at: path)
        var info = stat()
        #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)
        let client = try UnixSocket.connect(to: path)
        let server = try UnixSocket.accept(on: listener)
        try client.write([1, 2, 3])
        #expect(try server.read() == [1, 2, 3])
        client.close()
        #expect(try server.read().isEmpty)
        #expect(throws: SystemError.self) { try UnixSocket.listen(at: String(repeating: "x", count: 200)) }
    }

    @Test("make sockets without changing what other threads make meanwhile", .timeLimit(.minutes(1)))
    func socketsBesideFolders() async throws {
        let (path, other) = (folder + ".sock", folder + ".other")
        let isOver = Mutex(false)
        let modes = Task.detached {
            defer { isOver.withLock { $0 = true } }
            return (0..<2000).reduce(into: Set<mode_t>()) { modes, _ in
                var info = stat()
                if mkdir(other, 0o700) == 0, stat(other, &info) == 0 { modes.insert(info.st_mode & 0o777) }
                rmdir(other)
            }
        }
        while !isOver.withLock({ $0 }) {
            try UnixSocket.listen(at: path).close()
            unlink(path)
            await Task.yield()
        }
        #expect(await modes.value == [0o700])
    }

    @Test("report how a child ended", .timeLimit(.minutes(1)))
    func children() async throws {
        #expect(await (try ChildProcess.spawn(["sh", "-c", "exit 7"])).wait() == .exited(7))
        let sleeper = try ChildProcess.spawn(["sleep", "100"])
        sleeper.signal(SIGTERM)
        #expect(await sleeper.wait() == .signalled(SIGTERM))
        #expect(throws: SystemError.self) { try ChildProcess.spawn(["/nonexistent/program"]) }
    }

    @Test("give a child its streams in order and no other descriptors", .timeLimit(.minutes(1)))
    func streams() async throws {
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            ["sh", "-c", "echo out; echo err >&2; echo three >&3; ls /proc/self/fd | wc -l >&3"],
            streams: [.null, .descriptor(write), .descriptor(write), .descriptor(write)])
        write.close()
        var output: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { output += bytes }
        // `ls` has descriptors 0 to 3 and the folder that it lists.
        #expect(String(decoding: output, as: UTF8.self) == "out\nerr\nthree\n5\n")
        #expect(await child.wait().isSuccess)
    }

    @Test("need no high numbers to connect a child, and overwrite no stream before it is copied")
    func copies() {
        #expect(ChildProcess.copies(of: [nil, 900, 900]) == [nil, 3, 4])
        #expect(ChildProcess.copies(of: [1, 0, 3, 4]) == [5, 6, 7, 8])
    }

    @Test("end a child with this process, whichever thread started it", .timeLimit(.minutes(1)))
    func parentDeath() async throws {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let started = Mutex<ChildProcess?>(nil)
        let isStarted = DispatchSemaphore(value: 0)
        // The thread that asked for the child has ended long before the child.
        startThread(named: "short-lived") {
            let child = try? ChildProcess.spawn(
                ["cat"], streams: [.descriptor(input.read), .descriptor(output.write)], atParentDeath: .kill)
            started.withLock { $0 = child }
            isStarted.signal()
        }
        #expect(isStarted.wait(timeout: .now() + 10) == .success)
        let child = try #require(started.withLock { $0 })
        try input.write.write([7])
        #expect(try output.read.read() == [7])
        let told = try ChildProcess.spawn(
            ["setpriv", "--dump"], streams: [.null, .descriptor(output.write)], atParentDeath: .terminate)
        #expect(await told.wait().isSuccess)
        #expect(String(decoding: try output.read.read(), as: UTF8.self).contains("Parent death signal: TERM"))
        child.signal(SIGKILL)
        #expect(await child.wait() == .signalled(SIGKILL))
    }

    @Test("start no child for a parent that has already ended", .timeLimit(.minutes(1)))
    func deadParent() async throws {
        let (read, write) = try Descriptor.pipe()
        // The shell stands for the process that adopts the orphan: it is not the process that the child is tied to.
        let shell = try ChildProcess.spawn(
            ["sh", "-c", "\"$@\"; echo over", "sh"] + ChildProcess.tied(["echo", "alive"], .kill),
            streams: [.null, .descriptor(write)])
        write.close()
        #expect(await shell.wait().isSuccess)
        #expect(String(decoding: try read.read(), as: UTF8.self) == "over\n")
    }

    @Test("report for each thread how long it ran and waited for a processor, if the kernel does")
    func processorTime() {
        typealias Thread = ProcessorTime.Thread
        func milliseconds(_ ran: Int, _ waited: Int) -> Thread {
            Thread(ran: .milliseconds(ran), waited: .milliseconds(waited))
        }
        #expect(Thread("3000000 1000000 12\n") == milliseconds(3, 1))
        for content in ["", "1 2", "1 x 3", "1 -2 3", "1 2 3 4", "1 99999999999999999999 3"] {
            #expect(Thread(content) == nil, "“\(content)”")
        }
        #expect(milliseconds(3, 1).waitShare == 0.25)
        #expect(milliseconds(0, 0).waitShare == 0)
        let before = ProcessorTime(["1": milliseconds(2, 1), "2": milliseconds(9, 7)])
        let after = ProcessorTime(["1": milliseconds(3, 4), "2": milliseconds(19, 8), "3": milliseconds(0, 20)])
        #expect(after.busiest(since: before) == milliseconds(10, 1), "of the second thread")
        #expect(before.busiest(since: after) == nil, "a thread's number may be reused")
        #expect(ProcessorTime(of: 0) == nil)
        #expect(after.demand(since: before) == after.busiest(since: before))
    }

    @Test("count of threads that take turns only what they waited for others")
    func turns() {
        typealias Thread = ProcessorTime.Thread
        func milliseconds(_ ran: Int, _ waited: Int) -> Thread {
            Thread(ran: .milliseconds(ran), waited: .milliseconds(waited))
        }
        let before = ProcessorTime(["1 1": milliseconds(50, 40), "2 2": milliseconds(30, 30)], takesTurns: true)
        // The machine is idle: each waits only until the other sleeps.
        let idle = ProcessorTime(["1 1": milliseconds(60, 48), "3 3": milliseconds(10, 10)], takesTurns: true)
        #expect(idle.demand(since: before) == milliseconds(20, 0))
        // Others have the core three times as long.
        let busy = ProcessorTime(["1 1": milliseconds(60, 78), "2 2": milliseconds(40, 72)], takesTurns: true)
        #expect(busy.demand(since: before) == milliseconds(20, 60))
        // The number is another's now, which began after `before`.
        let reused = ProcessorTime(["1 1": milliseconds(5, 1)], takesTurns: true)
        #expect(reused.demand(since: before) == milliseconds(5, 0))
        #expect(ProcessorTime(takingTurns: [0]) == nil)
    }
}
