import Foundation
import HILCommand

/// Measures the speed and memory that the README claims, prints the figures, and adds a row to the history.
///
///     hil-bench [--times N]
///     hil-bench native
///     hil-bench core
///     hil-bench report
///     hil-bench play
///     hil-bench ssh
///     hil-bench labgrid
///     hil-bench list COUNT
///
/// The second form takes only the figures of native boards against those of QEMU. The third form takes those that need
/// no rig, which takes seconds. The fourth form takes those of pages and of the history, the fifth those of a tap in
/// `hil play`. The sixth form takes those of a bench that is reached by SSH, the seventh those of three benches of labgrid:
/// they boot stock boards, which needs root. The last form lists `COUNT` generated scenarios; the first form measures it.
/// Exits with 1 if a figure misses its limit, and with 2 if a measurement failed.
@main
enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count > 1 ? Int(arguments[1]) : nil, arguments.count) {
        case (nil, _, _): await measure { try await Benchmark.measure(times: 5) }
        case ("--times", let times?, 2) where times > 0: await measure { try await Benchmark.measure(times: times) }
        case ("native", _, 1): await measure { try await Benchmark.measureNative(times: 5) }
        case ("core", _, 1): await measure { try await Benchmark.core() }
        case ("report", _, 1): await measure { try await Benchmark.reports(times: 5) }
        case ("play", _, 1): await measure { try await Benchmark.play(times: 5) }
        case ("ssh", _, 1): await measure { try await Benchmark.overSSH(times: 3) }
        case ("labgrid", _, 1): await measure { try await Benchmark.labgrid() }
        case ("list", let count?, 2): Command.main(["list"], of: ListBenchmark.scenarios(count))
        default: fail("usage: hil-bench [--times N | native | core | report | play | ssh | labgrid]", code: 64)
        }
    }

    private static func measure(_ figures: @Sendable () async throws -> [Measurement]) async {
        do {
            let measurements = try await figures()
            print("on \(BenchmarkMachine.here.description)")
            try History(path: "Fixtures/Benchmarks/history.tsv").append(measurements)
            exit(measurements.allSatisfy(\.isMet) ? 0 : 1)
        } catch { fail("hil-bench: \(error)", code: 2) }
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(code)
    }
}
