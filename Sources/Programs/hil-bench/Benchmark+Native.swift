extension Benchmark {
    /// Native boards and those of QEMU, measured in turn so that a slow hour slows both.
    static func nativeRows(on bench: BenchmarkRig, times: Int) async throws -> [Measurement] {
        try await rows { try await nativeStarts(on: bench, times: times) }
            + rows { try await journeys(on: bench, times: times) }
            + rows {
                let joins = try await bench.joins(bench.native).samples(count: 2 * times)
                return [
                    Measurement(
                        "joining with WPA3 between native boards, against two radios of one board's kernel",
                        .atMost(1.2), "×", [joins.ratio]),
                    Measurement("joining with WPA3 between native boards", .none, "s", joins.betweenBoards),
                ]
            } + rows { try await suites(on: bench) }
    }

    private static func nativeStarts(on bench: BenchmarkRig, times: Int) async throws -> [Measurement] {
        let (qemu, native) = try await RigBenchmark(folder: bench.folder)
            .samples(bench.qemu, bench.native, count: 4 * times)
        let ratio = median(native.map(\.ready)) / median(qemu.map(\.ready))
        return [
            Measurement("native boards, from nothing to Bluetooth powered", .atMost(1), "s", native.map(\.ready)),
            Measurement("QEMU's in turn with them, restored from the snapshot", .none, "s", qemu.map(\.ready)),
            Measurement("native boards' start, against that restore", .atMost(1), "×", [ratio]),
            Measurement("memory of a native rig, all processes", .atMost(180), "MiB", native.map(\.memory)),
            Measurement("memory of a QEMU rig, all processes", .none, "MiB", qemu.map(\.memory)),
        ]
    }

    private static func journeys(on bench: BenchmarkRig, times: Int) async throws -> [Measurement] {
        var (qemu, native) = ([RunBenchmark.Outcome](), [RunBenchmark.Outcome]())
        for _ in 0..<times {
            qemu.append(try await bench.runs("qemu").run(["newDieIsOnboarded"]))
            native.append(try await bench.runs("native").run(["newDieIsOnboarded"]))
        }
        let bodies = (qemu: qemu.flatMap(\.bodies.values), native: native.flatMap(\.bodies.values))
        let boards = (qemu: qemu.map(\.processor.boards), native: native.map(\.processor.boards))
        return [
            Measurement("the whole journey (newDieIsOnboarded), QEMU's boards up", .atMost(4), "s", bodies.qemu),
            Measurement("the same, native boards up", .atMost(2), "s", bodies.native),
            Measurement(
                "the journey, native against QEMU", .atMost(0.4), "×", [median(bodies.native) / median(bodies.qemu)]),
            Measurement("processor time of QEMU's boards in it, with their start", .none, "s", boards.qemu),
            Measurement("processor time of native boards in it, with their start", .none, "s", boards.native),
            Measurement(
                "processor time of the boards, native against QEMU", .atMost(0.4), "×",
                [median(boards.native) / median(boards.qemu)]),
        ]
    }

    private static func suites(on bench: BenchmarkRig) async throws -> [Measurement] {
        let qemu = try await bench.runs("qemu").run([])
        let native = try await bench.runs("native").run([])
        return [
            Measurement("cases per minute of the whole suite, QEMU's rigs", .none, "/min", [qemu.perMinute]),
            Measurement("cases per minute of the whole suite, native rigs", .atLeast(40), "/min", [native.perMinute]),
            Measurement("the suite, native against QEMU", .atLeast(2.5), "×", [native.perMinute / qemu.perMinute]),
            Measurement(
                "processor time of runner, workers and air in it, against the native boards'", .atMost(1), "×",
                [native.overhead]),
        ]
    }
}
