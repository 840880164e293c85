import Foundation
import HILExecution
import HILRecord
import VirtualRig

/// Takes all measurements, in the order of the table in the README.
enum Benchmark {
    /// What the measurements need.
    struct BenchmarkRig {
        let qemu: RigParts
        let native: RigParts
        /// A folder for logs and results.
        let folder: String
        /// The folder of our own programs.
        let programs: String

        func runs(_ boards: String) -> RunBenchmark {
            RunBenchmark(rig: ["--boards", boards], program: "\(programs)/hil", folder: folder)
        }

        func joins(_ parts: RigParts) -> JoinBenchmark {
            JoinBenchmark(parts: parts, program: "\(programs)/hil", folder: folder)
        }
    }

    /// Measures everything, one after the other. Nothing else should run on the machine.
    ///
    /// - Parameter times: How often measurements that take seconds are repeated. Short ones are repeated 2 to 4 times
    ///   as often.
    static func measure(times: Int) async throws -> [Measurement] {
        try await withBench { bench in
            let rigs = try await starts(on: bench, times: times)
            let runs = try await rows { try await Self.runs(of: bench.runs("qemu"), times: times) }
            let native = try await nativeRows(on: bench, times: times)
            let rest = try await others(on: bench, times: times) + core() + reports(times: times) + play(times: times)
            return try await rigs + runs + native + rest + overSSH(times: 3) + labgrid()
        }
    }

    /// Measures only native boards against those of QEMU.
    static func measureNative(times: Int) async throws -> [Measurement] {
        try await withBench { try await nativeRows(on: $0, times: times) }
    }

    /// Takes the measurements that need no rig, with the program `hil-core-bench`, which is built for release.
    static func core() async throws -> [Measurement] {
        try await rows { try await CoreBenchmark(program: ".build/release/hil-core-bench").measurements() }
    }

    /// Takes the measurements of `hil play` on native boards.
    static func play(times: Int) async throws -> [Measurement] {
        let programs = Bundle.main.executableURL?.deletingLastPathComponent().path ?? ".build/debug"
        return try await rows { try await PlayBenchmark(program: "\(programs)/hil").measurements(times: times) }
    }

    /// Takes the measurements of pages and of the history, which need no rig.
    static func reports(times: Int) async throws -> [Measurement] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-bench-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let programs = Bundle.main.executableURL?.deletingLastPathComponent().path ?? ".build/debug"
        return try await rows {
            try await ReportBenchmark(folder: folder, programs: programs).measurements(times: times)
        }
    }

    /// Takes measurements, with a plain loop before and after, and prints them at once, so that they are not lost if a
    /// later part fails.
    static func rows(_ take: () async throws -> [Measurement]) async throws -> [Measurement] {
        let before = PlainLoop.milliseconds()
        var measurements = try await take()
        let loop = (before + PlainLoop.milliseconds()) / 2
        for index in measurements.indices {
            measurements[index].loop = loop
            print(measurements[index].line)
        }
        fflush(nil)
        return measurements
    }

    private static func withBench(
        _ body: (BenchmarkRig) async throws -> [Measurement]
    ) async throws -> [Measurement] {
        let setUp = RigSetUp(recipe: "Fixtures/BoardImage")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-bench-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(
            BenchmarkRig(
                qemu: try await setUp.prepare(.qemu) { print($0) },
                native: try await setUp.prepare(.native) { print($0) }, folder: folder,
                programs: Bundle.main.executableURL?.deletingLastPathComponent().path ?? ".build/debug"))
    }

    private static func starts(on bench: BenchmarkRig, times: Int) async throws -> [Measurement] {
        let rigs = RigBenchmark(folder: bench.folder)
        return try await rows {
            let cold = try await rigs.samples(bench.qemu.cold, count: times)
            let restored = try await rigs.samples(bench.qemu, count: 4 * times)
            let (coldStart, start) = (cold.map(\.ready), restored.map(\.ready))
            return [
                Measurement("both boards, from nothing to Bluetooth powered, by booting", .atMost(10), "s", coldStart),
                Measurement("the same, restored from the snapshot", .atMost(1), "s", start),
                Measurement(
                    "booting takes as many times as long", .atLeast(6), "×", [median(coldStart) / median(start)]),
                Measurement("resident memory of a board, after booting", .atMost(300), "MiB", cold.map(\.resident)),
                Measurement(
                    "resident memory of a board, after restoring", .atMost(300), "MiB", restored.map(\.resident)),
            ]
        }
    }

    private static func runs(of runs: RunBenchmark, times: Int) async throws -> [Measurement] {
        let ten = try await runs.run(RunBenchmark.ten)
        let one = try await runs.run(["--jobs", "1"])
        let two = try await runs.run(["--jobs", "2"])
        let link = try await runs.run(["notificationsShareTheLink", "--jobs", "1", "--repeat", "\(times)"]).steps
        func step(_ name: String) -> [Double] { link[name] ?? [] }
        return [
            Measurement("ten scenarios of all parts, \(ten.count) cases", .atMost(90), "s", [ten.wall]),
            Measurement("the runner's share of a run of everything, one rig", .atMost(25), "%", [100 * one.share]),
            Measurement(
                "a notification, posted to shown, over an idle link", .atMost(60), "ms",
                step("idle link").map { 1000 * $0 }),
            Measurement(
                "a hundred notifications, against as many plain writes", .atLeast(0.8), "×",
                zip(step("hundred plain writes"), step("hundred notifications")).map { $0 / $1 }),
            Measurement("two rigs side by side do as many times as much", .atLeast(1.5), "×", [one.wall / two.wall]),
        ]
    }

    private static func others(on bench: BenchmarkRig, times: Int) async throws -> [Measurement] {
        try await rows {
            let joins = try await bench.joins(bench.qemu).samples(count: 2 * times)
            return [
                Measurement(
                    "joining with WPA3 between the boards takes as many times as long as in one kernel", .atMost(1.2),
                    "×", [joins.ratio])
            ]
        }
            + rows {
                [
                    Measurement(
                        "`hil list` of 5,000 scenarios", .atMost(100), "ms",
                        try await ListBenchmark(program: "\(bench.programs)/hil-bench").samples(count: 4 * times))
                ]
            }
    }
}

/// The median of the samples; not a number if there are none.
func median(_ samples: [Double]) -> Double { samples.median ?? .nan }
