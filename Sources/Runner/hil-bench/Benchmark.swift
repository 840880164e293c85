import Foundation
import VirtualRig

/// Takes all measurements, in the order of the table in the README.
enum Benchmark {
    /// Measures everything, one after the other. Nothing else should run on the machine.
    ///
    /// - Parameter times: How often measurements that take seconds are repeated. Short ones are repeated 2 to 4 times
    ///   as often.
    static func measure(times: Int) async throws -> [Measurement] {
        let parts = try await RigSetUp(recipe: "Fixtures/BoardImage").prepare(.qemu) { print($0) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-bench-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rigs = printed(try await starts(of: RigBenchmark(parts: parts, folder: folder), times: times))
        let programs = Bundle.main.executableURL?.deletingLastPathComponent().path ?? ".build/debug"
        let joins = try await JoinBenchmark(parts: parts, program: "\(programs)/hil", folder: folder)
            .samples(count: 2 * times)
        let others = printed([
            Measurement(
                "joining with WPA3 between the boards takes as many times as long as in one kernel", .atMost(1.2), "×",
                [median(joins.betweenBoards) / median(joins.inOneKernel)]),
            Measurement(
                "`hil list` of 5,000 scenarios", .atMost(100), "ms",
                try await ListBenchmark(program: "\(programs)/hil-bench").samples(count: 4 * times)),
        ])
        let core = printed(try await core())
        let runs = RunBenchmark(program: "\(programs)/hil", folder: folder)
        return try await rigs + printed(Self.runs(of: runs, times: times)) + others + core
    }

    /// Prints the measurements at once, so that they are not lost if a later part fails.
    static func printed(_ measurements: [Measurement]) -> [Measurement] {
        for measurement in measurements { print(measurement.line) }
        fflush(nil)
        return measurements
    }

    /// Takes the measurements that need no rig, with the program `hil-core-bench`, which is built for release.
    static func core() async throws -> [Measurement] {
        try await CoreBenchmark(program: ".build/release/hil-core-bench").measurements()
    }

    private static func starts(of rigs: RigBenchmark, times: Int) async throws -> [Measurement] {
        let cold = try await rigs.samples(rigs.parts.cold, count: times)
        let restored = try await rigs.samples(rigs.parts, count: 4 * times)
        let (coldStart, start) = (cold.map(\.ready), restored.map(\.ready))
        return [
            Measurement("both boards, from nothing to Bluetooth powered, by booting", .atMost(10), "s", coldStart),
            Measurement("the same, restored from the snapshot", .atMost(1), "s", start),
            Measurement("booting takes as many times as long", .atLeast(6), "×", [median(coldStart) / median(start)]),
            Measurement("resident memory of a board, after booting", .atMost(300), "MiB", cold.map(\.resident)),
            Measurement("resident memory of a board, after restoring", .atMost(300), "MiB", restored.map(\.resident)),
        ]
    }

    private static func runs(of runs: RunBenchmark, times: Int) async throws -> [Measurement] {
        let ten = try await runs.run(RunBenchmark.ten)
        let one = try await runs.run(["--jobs", "1"])
        let two = try await runs.run(["--jobs", "2"])
        let link = try await runs.run(["notificationsShareTheLink", "--jobs", "1", "--repeat", "\(times)"]).steps
        func step(_ name: String) -> [Double] { link[name] ?? [] }
        var journeys: [Double] = []
        for _ in 0..<times { journeys += try await runs.run(["newDieIsOnboarded"]).bodies.values }
        return [
            Measurement("the whole journey (newDieIsOnboarded), boards up", .atMost(4), "s", journeys),
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
}

/// The median of the samples.
func median(_ samples: [Double]) -> Double {
    let sorted = samples.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
