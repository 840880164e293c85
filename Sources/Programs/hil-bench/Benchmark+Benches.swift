import Foundation
import HILLabgrid
import RigModel
import StockBench
import VirtualRig

extension Benchmark {
    /// Runs over SSH, on boards with Debian's own services, against runs on the virtual rig of the same translator.
    ///
    /// - Parameter times: How often each scenario runs on either.
    static func overSSH(times: Int) async throws -> [Measurement] {
        try await withBenches(1) { try await overSSH($0, folder: $1, times: times) }
    }

    /// Runs on three benches of a labgrid coordinator, against one.
    static func labgrid() async throws -> [Measurement] {
        try await withBenches(3) { try await spread($0, folder: $1) }
    }

    /// Boots this many benches for rows. Without root there are none, and no rows.
    private static func withBenches(
        _ count: Int, _ body: (_ bench: StockBench, _ folder: String) async throws -> [Measurement]
    ) async throws -> [Measurement] {
        guard StockBench.isPossible else {
            print("benches are left out: the disk of a stock board is built as root")
            return []
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-bench-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        print("booting \(2 * count) stock boards: a minute or three")
        fflush(nil)
        let bench = try await StockBench.start(count)
        do {
            let boards = (1...count).flatMap { ["host-\($0)", "accessory-\($0)"] }
            let (output, code) = try await bench.hil(["bench", "prepare"] + boards)
            guard code == 0 else { throw RigFailure("preparing the stock boards", output) }
            let measurements = try await rows { try await body(bench, folder) }
            await bench.stop()
            return measurements
        } catch {
            await bench.stop()
            throw error
        }
    }

    private static var program: String {
        (Bundle.main.executableURL?.deletingLastPathComponent().path ?? ".build/debug") + "/hil"
    }

    private static func overSSH(_ bench: StockBench, folder: String, times: Int) async throws -> [Measurement] {
        let virtual = RunBenchmark(rig: ["--boards", "qemu", "--jobs", "1"], program: program, folder: folder)
        let benches = RunBenchmark(
            rig: ["--rig", "\(StockBench.host),\(StockBench.accessory)"], program: program, folder: folder,
            environment: bench.environment)
        var (ratios, resets, around) = ([Double](), [Double](), [Double]())
        for _ in 0..<times {
            for scenario in ["newDieIsOnboarded", "dieIsPairedAndRolls"] {
                let near = try await virtual.run([scenario])
                let far = try await benches.run([scenario])
                // A scenario with a matrix has several cases, the same on both.
                ratios.append(far.inSteps / near.inSteps)
                resets += far.resets
                around.append(far.wall - far.span)
            }
        }
        return [
            Measurement("a scenario's steps over SSH, against the virtual rig in turn", .atMost(1.3), "×", ratios),
            Measurement("resetting a board of a bench and reading back", .atMost(2), "s", resets),
            Measurement("taking both boards of a bench and giving them back, once a run", .none, "s", around),
        ]
    }

    private static func spread(_ bench: StockBench, folder: String) async throws -> [Measurement] {
        let packages = try await PinnedPackages(
            "labgrid-\(LabgridEngine.version)", list: "Fixtures/Labgrid/requirements.txt", megabytes: 80
        ).prepare(in: .standard()) { print($0) }
        let lab = try await BenchLab.start(for: bench, packages: packages)
        let scenarios = ["dieIsPairedAndRolls", "dieNetworkIsJoined", "personCancels", "--repeat", "3"]
        func run(_ jobs: Int) async throws -> RunBenchmark.Outcome {
            let outcome = try await RunBenchmark(
                rig: ["--rig", "labgrid:kind=hil", "--jobs", "\(jobs)"], program: program, folder: folder,
                environment: lab.environment
            ).runAny(scenarios)
            // If the machine cannot run the boards, that is also a result.
            for other in outcome.others { print("with --jobs \(jobs): \(other)") }
            return outcome
        }
        let (one, three) = (try await run(1), try await run(3))
        await lab.stop()
        func passed(_ outcome: RunBenchmark.Outcome) -> Double { Double(outcome.count - outcome.others.count) }
        func perMinute(_ outcome: RunBenchmark.Outcome) -> Double { passed(outcome) / outcome.span * 60 }
        return [
            Measurement("cases that passed per minute on one bench of labgrid", .none, "/min", [perMinute(one)]),
            Measurement("cases that passed per minute on three benches of labgrid", .none, "/min", [perMinute(three)]),
            Measurement("three benches against one", .atLeast(2.2), "×", [perMinute(three) / perMinute(one)]),
            Measurement(
                "cases on three benches that did not pass", .none, "of \(three.count)", [Double(three.others.count)]),
        ]
    }
}
