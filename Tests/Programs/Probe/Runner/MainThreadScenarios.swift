import Dispatch
import Foundation
import HIL

// What an app may expect of the main thread.

let usesMainQueue = Scenario("The main queue, the main actor and tasks are on the main thread") { lab in
    try await lab.step("call back", within: .seconds(10)) {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                onMain {
                    dispatchPrecondition(condition: .onQueue(.main))
                    MainActor.assumeIsolated {}
                    continuation.resume()
                }
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.001) {
                precondition(Thread.isMainThread)
                continuation.resume()
            }
        }
        OperationQueue.main.addOperation { precondition(Thread.isMainThread) }
    }
    lab.expect(isMainThread(), "the scenario is on the main thread after all waits")
}

/// As apps have it: with the thread of another queue as the main thread, this never ends.
@Sendable private func onMain(_ body: @escaping @Sendable () -> Void) {
    if Thread.isMainThread { body() } else { DispatchQueue.main.async { onMain(body) } }
}

let usesMainRunLoop = Scenario("The main run loop calls timers and closures, and a waiting app costs nothing") { lab in
    try await lab.step("be called by the run loop", within: .seconds(10)) {
        await withCheckedContinuation { continuation in
            _ = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in
                precondition(Thread.isMainThread)
                RunLoop.main.perform {
                    precondition(Thread.isMainThread)
                    continuation.resume()
                }
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                RunLoop.main.add(
                    Timer(timeInterval: 0.001, repeats: false) { _ in continuation.resume() }, forMode: .common)
            }
        }
    }
    let before = processorTime()
    try await Task.sleep(for: .milliseconds(500))
    lab.expect(processorTime() - before < .milliseconds(100), "a waiting app uses no processor")
}

/// An app that waits by running the main run loop itself, in the middle of a callback.
let runsTheLoopItself = Scenario("An app that runs the main run loop itself waits without turning round") { lab in
    let (turns, used) = await withCheckedContinuation { (continuation: CheckedContinuation<(Int, Duration), Never>) in
        DispatchQueue.main.async {
            let (end, before) = (Date(timeIntervalSinceNow: 0.5), processorTime())
            var turns = 0
            while end.timeIntervalSinceNow > 0 {
                turns += 1
                _ = RunLoop.current.run(mode: .default, before: end)
            }
            continuation.resume(returning: (turns, processorTime() - before))
        }
    }
    lab.expect(turns < 10, "the loop waits until the date instead of returning at once: \(turns) turns")
    lab.expect(used < .milliseconds(100), "and uses no processor: \(used)")
}

private func isMainThread() -> Bool { Thread.isMainThread }

/// The processor time of this process.
private func processorTime() -> Duration {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
}
