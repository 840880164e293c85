import Glibc
import HILTiming
import Synchronization
import TestSupport
import Testing

@testable import HILPOSIX

/// Waiting for descriptors and for connections.
@Suite("Readiness", .serialized) struct ReadinessTests {
    /// The names of this process's threads.
    private func threadNames() -> [String] {
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let task = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let comm = try? Descriptor.open("/proc/self/task/\(task)/comm", O_RDONLY).read(upTo: 64) else {
                continue
            }
            names.append(String(decoding: comm.dropLast(), as: UTF8.self))
        }
        return names
    }

    @Test("of many descriptors needs one thread", .timeLimit(.minutes(1)))
    func oneThread() async throws {
        let pipes = try (0..<50).map { _ in try Descriptor.pipe() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Each begins its wait before the next.
            for pipe in pipes { group.addImmediateTask { try await waitUntilReady(pipe.read) } }
            #expect(ReadinessPoller.shared.waiterCount >= pipes.count)
            // A new thread takes its name when it first runs.
            let (read, write) = try Descriptor.pipe()
            try write.write([1])
            try await waitUntilReady(read)
            // If there were a thread for each, it would be named after its descriptor.
            #expect(threadNames().filter { $0.hasPrefix("read") } == ["readiness"])
            for pipe in pipes.reversed() { try pipe.write.write([1]) }
            try await group.waitForAll()
        }
    }

    @Test("is not taken from the event of a closed file whose number the file has now", .timeLimit(.minutes(1)))
    func staleEvent() async throws {
        let poller = ReadinessPoller()
        let (read, write) = try Descriptor.pipe()
        let wait = Task.immediate { try await poller.wait(for: read, UInt32(POLLIN)) }
        try #require(poller.waiterCount == 1)
        // Fetched before this wait began, for another file.
        poller.wake(ReadinessPoller.name(read.raw, 0), UInt32(POLLIN | POLLHUP))
        #expect(poller.waiterCount == 1)
        try write.write([1])
        try await wait.value
    }

    @Test("of each direction of a socket wakes only its own waiters", .timeLimit(.minutes(1)))
    func bothDirections() async throws {
        let (near, far) = try UnixSocket.pair()
        let input = Task { try await waitUntilReady(near) }
        try await waitUntilReady(near, for: POLLOUT)
        let both = Task { try await waitUntilReady(near, for: POLLIN | POLLOUT) }
        try await both.value
        try far.write([1])
        try await input.value
        // It is ready until it is read.
        try await waitUntilReady(near)
        #expect(try near.read() == [1])
    }

    @Test("includes a hang-up, for all waiters", .timeLimit(.minutes(1)))
    func hangUp() async throws {
        let (near, far) = try UnixSocket.pair()
        let waits = (0..<3).map { _ in Task { try await waitUntilReady(near) } }
        far.close()
        for wait in waits { try await wait.value }
    }

    @Test("is no longer awaited when the task is cancelled; other waiters go on", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        let (read, write) = try Descriptor.pipe()
        for yields in 0..<20 {
            let stays = Task { try await waitUntilReady(read) }
            let ends = Task { try await waitUntilReady(read) }
            for _ in 0..<yields { await Task.yield() }
            ends.cancel()
            await #expect(throws: CancellationError.self) { try await ends.value }
            try write.write([1])
            try await stays.value
            #expect(try read.read() == [1])
        }
    }

    @Test("works for a number that was closed and now belongs to another file", .timeLimit(.minutes(1)))
    func reusedNumber() async throws {
        for _ in 0..<20 {
            let (read, write) = try Descriptor.pipe()
            try write.write([1])
            try await waitUntilReady(read)
            read.close()
            write.close()
        }
        let (closed, _) = try Descriptor.pipe()
        closed.close()
        await #expect(throws: SystemError(code: EBADF, action: "waiting for descriptor -1")) {
            try await waitUntilReady(closed)
        }
    }

    @Test("of a file on a disk is immediate", .timeLimit(.minutes(1)))
    func plainFile() async throws {
        try await waitUntilReady(try Descriptor.open("/proc/self/exe", O_RDONLY))
    }

    @Test("gives an error if the kernel cannot watch the descriptor", .timeLimit(.minutes(1)))
    func forced() async throws {
        let (read, _) = try Descriptor.pipe()
        await #expect(throws: SystemError(code: ENOMEM, action: "waiting for descriptor \(read.raw)")) {
            try await ForcedError.$next.withValue(("epoll_ctl", ENOMEM)) { try await waitUntilReady(read) }
        }
    }

    @Test(
        "to accept a connection without free descriptors is tried again after a pause, not at once",
        .timeLimit(.minutes(1)), arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func noRoom(code: Int32) async throws {
        let path = "/tmp/hil-accept-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
        defer { unlink(path) }
        let listener = try UnixSocket.listen(at: path)
        try listener.setNonBlocking()
        let clock = ManualClock()
        let attempts = Mutex(0)
        let taken = EventLog<Int32>()
        let loop = Task {
            await acceptConnections(
                on: listener, clock: clock,
                accept: { listener throws(SystemError) in
                    let attempt = attempts.withLock { count in
                        count += 1
                        return count
                    }
                    var result: Result<Descriptor, SystemError> = .failure(SystemError(code: 0, action: ""))
                    // The first three fail.
                    ForcedError.$next.withValue(attempt <= 3 ? ("accept", code) : nil) {
                        do throws(SystemError) { result = .success(try UnixSocket.accept(on: listener)) } catch {
                            result = .failure(error)
                        }
                    }
                    return try result.get()
                }, { taken.append($0.raw) })
        }
        let client = try UnixSocket.connect(to: path)
        for attempt in 1...3 {
            await clock.sleepers(atLeast: 1)
            #expect(attempts.withLock { $0 } == attempt)
            clock.advance(by: .milliseconds(100))
        }
        _ = try await taken.first(within: .seconds(300), waitingFor: "the connection")
        #expect(attempts.withLock { $0 } == 4)
        loop.cancel()
        await loop.value
        client.close()
    }

    @Test("to accept connections ends with the socket", .timeLimit(.minutes(1)))
    func endOfListening() async throws {
        let path = "/tmp/hil-accept-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
        defer { unlink(path) }
        let listener = try UnixSocket.listen(at: path)
        try listener.setNonBlocking()
        let loop = Task { await acceptConnections(on: listener) { _ in } }
        listener.shutDown()
        await loop.value
    }
}
