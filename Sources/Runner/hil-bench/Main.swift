import Foundation
import VirtualRig

/// Measures what the README says of speed and memory, prints it, and adds a row to the history.
///
///     hil-bench [--times N]
///
/// Exits with 1 when a figure misses its limit, and with 2 when it could not be taken.
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        var times = 5
        if !arguments.isEmpty {
            guard arguments.count == 2, arguments.first == "--times", let number = Int(arguments.last ?? ""), number > 0
            else {
                fail("usage: hil-bench [--times N]", code: 64)
            }
            times = number
        }
        do {
            let measurements = try await measure(times: times)
            print("on \(Machine.here.description)")
            for measurement in measurements { print(measurement.line) }
            try append(measurements)
            exit(measurements.allSatisfy(\.isMet) ? 0 : 1)
        } catch { fail("hil-bench: \(error)", code: 2) }
    }

    private static func measure(times: Int) async throws -> [Measurement] {
        let parts = try await RigSetUp(recipe: "Fixtures/BoardImage").prepare { print($0) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-bench-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let rigs = RigBenchmark(parts: parts, folder: folder)
        let cold = try await rigs.samples(parts.cold, count: times)
        let restored = try await rigs.samples(parts, count: times)

        let program = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("hil").path ?? "hil"
        let runs = RunBenchmark(program: program, folder: folder)
        let all = try await runs.run(["--tag", "not faults"])
        var journeys: [Double] = []
        for _ in 0..<times { journeys += try await runs.run(["newDieIsOnboarded"]).bodies.values }

        return [
            Measurement(
                name: "both boards, from nothing to Bluetooth powered, by booting", unit: "s", limit: 10,
                samples: cold.map(\.ready)),
            Measurement(
                name: "the same, restored from the snapshot", unit: "s", limit: 10, samples: restored.map(\.ready)),
            Measurement(
                name: "the ten scenarios, \(all.count) cases, warm cache", unit: "s", limit: 90, samples: [all.wall]),
            Measurement(
                name: "the whole journey (newDieIsOnboarded), boards up", unit: "s", limit: 8, samples: journeys),
            Measurement(
                name: "resident memory of a board, after booting", unit: "MiB", limit: 300,
                samples: cold.map(\.resident)),
            Measurement(
                name: "resident memory of a board, after restoring", unit: "MiB", limit: 300,
                samples: restored.map(\.resident)),
        ]
    }

    /// One row a run: when, where, and the medians in the order of the table.
    private static func append(_ measurements: [Measurement]) throws {
        let path = "Documentation/benchmarks.tsv"
        let head = ["time", "machine"] + measurements.map { "\($0.name) [\($0.unit)]" }
        var text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? head.joined(separator: "\t") + "\n"
        let row =
            [Date().ISO8601Format(), Machine.here.description] + measurements.map { String(format: "%.2f", $0.median) }
        text += row.joined(separator: "\t") + "\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(code)
    }
}
