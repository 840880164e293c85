import Foundation
import HILBench
import HILExecution
import HILLabgrid
import HILPOSIX

/// Runs that hold places of a labgrid coordinator, in a process of their own.
///
///     hold PACKAGES PROGRAM COORDINATOR labgrid:… COUNT     takes that many, and holds them until a signal
///     run PACKAGES PROGRAM COORDINATOR labgrid:… PLACES CASES RESULTS     runs cases that answer at once
enum PlacesProbe {
    static func run(_ words: [String]) async throws -> Never {
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        interruption.takeSignals()
        let benches = LabgridBenches(
            try LabgridRequest(parsing: words[4]),
            engine: LabgridEngine(packages: words[1], program: words[2], coordinator: words[3]), job: "probe",
            grace: .milliseconds(100))
        if words[0] == "hold" {
            var held: [LentBench] = []
            for _ in 0..<Int(words[5])! {
                if let bench = try await benches.take(excluding: []) { held.append(bench) }
            }
            say("holding \(held.count)")
            try await interruption.wait()
        } else {
            let simulation = Simulation(
                places: Int(words[5])!, cases: Int(words[6])!, results: words[7], benches: benches,
                interruption: interruption)
            say(try await simulation.run())
        }
        await benches.close()
        exit(0)
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
