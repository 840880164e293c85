import Foundation
import HILBench
import HILExecution
import HILLabgrid
import HILPOSIX

/// Runs that hold places of a labgrid coordinator, in a process of their own.
///
///     places-probe hold PACKAGES PROGRAM COORDINATOR labgrid:… COUNT     takes that many, and holds them until a signal
///     places-probe run PACKAGES PROGRAM COORDINATOR labgrid:… PLACES CASES RESULTS     runs cases that answer at once
@main
enum PlacesProbe {
    static func main() async throws {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments
        let interruption = Interruption()
        interruption.takeSignals()
        let benches = LabgridBenches(
            try LabgridRequest(parsing: words[5]),
            engine: LabgridEngine(packages: words[2], program: words[3], coordinator: words[4]), job: "probe",
            grace: .milliseconds(100))
        if words[1] == "hold" {
            var held: [LentBench] = []
            for _ in 0..<Int(words[6])! {
                if let bench = try await benches.take(excluding: []) { held.append(bench) }
            }
            say("holding \(held.count)")
            try await interruption.wait()
        } else {
            let simulation = Simulation(
                places: Int(words[6])!, cases: Int(words[7])!, results: words[8], benches: benches,
                interruption: interruption)
            say(try await simulation.run())
        }
        await benches.close()
        exit(0)
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
