import HILPOSIX
import RigModel
import Synchronization
import Testing

@testable import VirtualRig

@Suite("Locks on files")
struct FileLockTests {
    @Test("A lock that was given back is free, although child processes are started meanwhile")
    func isFree() async throws {
        try await withTemporaryFolder { folder in
            let children = Atomic(200)
            async let starts: Void = start(children)
            while children.load(ordering: .relaxed) > 0 {
                let lock = try #require(try FileLock.tryTake("\(folder)/lock"), "it is free")
                #expect(try FileLock.tryTake("\(folder)/lock") === nil, "it is taken")
                lock.release()
            }
            try await starts
        }
    }

    /// Starts this many child processes, one after the other.
    private func start(_ children: borrowing Atomic<Int>) async throws {
        while children.load(ordering: .relaxed) > 0 {
            defer { children.subtract(1, ordering: .relaxed) }
            _ = await (try ChildProcess.spawn(["true"])).wait()
        }
    }
}
