import Glibc
import HILTiming
import Synchronization
import Testing

@testable import HILPOSIX

/// How many threads of the test have ended.
private let ended = Atomic(0)
private let isOver = EventLog<Void>()

@Suite struct ThreadTests {
    @Test("A thread may end before its start returns", .timeLimit(.minutes(1)))
    func shortThreads() async throws {
        // The C library unmaps the stacks of ended threads when it holds more than some, so several start at once.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 {
                        startThread(named: "short") {
                            if ended.add(1, ordering: .relaxed).newValue == 16_000 { isOver.append(()) }
                        }
                    }
                }
            }
        }
        _ = try await isOver.first(within: .seconds(300), waitingFor: "the last thread to end")
    }

    @Test("A thread has its name, cut to what the kernel takes")
    func name() async {
        let name = await withCheckedContinuation { continuation in
            startThread(named: "a name of more than 15 bytes") {
                let text = try? Descriptor.open("/proc/thread-self/comm", O_RDONLY).read(upTo: 64)
                continuation.resume(returning: String(decoding: text ?? [], as: UTF8.self))
            }
        }
        #expect(name == "a name of more \n")
    }
}
