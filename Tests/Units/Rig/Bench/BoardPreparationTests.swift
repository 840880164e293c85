import Foundation
import HILTiming
import Synchronization
import TestSupport
import Testing

@testable import HILBench

/// On this machine, in place of a board. Its scripts stand for what a board does.
@Suite("Preparing a board")
struct BoardPreparationTests {
    private func restore(_ script: String, _ clock: any Clock<Duration>) async -> (error: String?, steps: [String]) {
        let folder = NSTemporaryDirectory() + "hil-preparation-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let steps = Mutex<[String]>([])
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try script.write(toFile: "\(folder)/restore", atomically: true, encoding: .utf8)
            try await BoardPreparation(.local, scripts: folder, clock: clock) { step in
                steps.withLock { $0.append(step) }
            }
            .restore()
            return (nil, steps.withLock { $0 })
        } catch { return ("\(error)", steps.withLock { $0 }) }
    }

    @Test("One that says nothing is given up after ten minutes, and its program ends", .enabled(if: geteuid() == 0))
    func silent() async throws {
        let clock = ManualClock()
        async let work = restore("exec sleep 600", clock)
        await clock.sleeper(until: .seconds(600))
        clock.advance(by: .seconds(600))
        let outcome = await work
        #expect(outcome.error?.contains("it has printed nothing for 600 s") == true, "\(outcome)")
    }

    @Test("One that babbles is ended, and takes no more memory than it may print", .enabled(if: geteuid() == 0))
    func babbling() async throws {
        let outcome = await restore(
            "exec yes $(head -c 3000 /dev/zero | tr '\\0' x)", ContinuousClock())
        #expect(outcome.error?.contains("it has printed more than 1 MiB") == true, "\(outcome.error ?? "")")
        let errors = await restore("exec yes $(head -c 3000 /dev/zero | tr '\\0' x) >&2", ContinuousClock())
        #expect(errors.error?.contains("it has printed more than 1 MiB") == true)
    }

    @Test("One that does its work is done", .enabled(if: geteuid() == 0))
    func good() async throws {
        let outcome = await restore("echo step one; echo more; echo step two", ManualClock())
        #expect(outcome.error == nil && outcome.steps.map { $0.split(separator: " ").last } == ["one", "two"])
    }
}
