import Foundation
import HILExecution
import HILPOSIX
import HILTiming
import StubRig
import Testing

/// How many cases are run: `HIL_CASES`.
private let cases = ProcessInfo.processInfo.environment["HIL_CASES"].flatMap { Int($0) }

extension RealRigTests {
    /// What a runner takes of the machine's memory over a long run on real boards.
    @Suite(.serialized, .enabled(if: cases != nil, "HIL_CASES is not set"))
    struct RunnerMemoryTests {
        /// From here on nothing new is loaded.
        private static let warm = 50

        /// The memory of one process in bytes, as `top` shows it. A page that it shares with others counts whole: how many
        /// share it changes while a run goes on.
        private static func memory(of process: pid_t) -> Int {
            let line = KernelFile.text("/proc/\(process)/smaps_rollup").split(separator: "\n").first {
                $0.hasPrefix("Rss:")
            }
            return 1024 * (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
        }

        @Test("After a thousand cases a runner has a tenth more memory than after fifty")
        func growth() async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let count = cases ?? 0
            let runner = try RunnerProcess(
                "hil",
                [
                    "run", "--boards", "native", "--repeat", "\(count)", "--no-snapshots", "--format", "json", "--out",
                    results, "personCancels",
                ])
            func ended(_ number: Int) async throws {
                var left = number
                for try await line in runner.lines.events() {
                    if case .scenarioEnded? = line.runner { left -= 1 }
                    if left == 0 { return }
                }
            }
            try await ended(Self.warm)
            let before = Self.memory(of: runner.process.pid)
            try await ended(count - 5)
            let after = Self.memory(of: runner.process.pid)
            let (status, record) = await runner.end()
            #expect(status == .exited(0) && record.count(.passed) == count)
            print("after \(Self.warm) cases \(before >> 20) MiB, after \(count - 5) \(after >> 20) MiB")
            #expect(Double(after) <= 1.1 * Double(before), "\(before >> 20) MiB before, \(after >> 20) MiB after")
        }
    }
}
