import HILPOSIX
import HILTiming
import RigModel
import Synchronization
import Testing

@testable import VirtualRig

@Suite("Locks on files")
struct FileLockTests {
    @Test("A lock that was given back is free, although child processes are started meanwhile")
    func isFree() async throws {
        try await withTemporaryFolder { folder in
            let isOver = Mutex(false)
            let found = EventLog<Result<String, any Error>>()
            // A thread of its own: a loop without end in a task would hold up every other test on one processor.
            startThread(named: "locks") {
                found.append(Result { try takeAndGiveBack("\(folder)/lock") { isOver.withLock { $0 } } })
            }
            for _ in 0..<200 { _ = await (try ChildProcess.spawn(["true"])).wait() }
            isOver.withLock { $0 = true }
            let defect = try await found.first(within: .seconds(20), waitingFor: "the end of the thread").event.get()
            #expect(defect == "")
        }
    }

    /// Takes a lock and gives it back until this is over.
    ///
    /// - Returns: What was wrong, which ends the loop; or an empty text.
    private func takeAndGiveBack(_ path: String, until isOver: () -> Bool) throws -> String {
        repeat {
            guard let lock = try FileLock.tryTake(path) else { return "a lock that was given back is not free" }
            defer { lock.release() }
            guard try FileLock.tryTake(path) == nil else { return "a lock that is held was taken" }
        } while !isOver()
        return ""
    }
}
