import Foundation
import HIL
import HILExecution
import HILPOSIX

/// What tests run beside themselves, without the command: `hil-probe ROOM …`. Each room is a folder.
///
///     hil-probe runner RESULTS SCENARIO…    a run with real processes on stub rigs
///     hil-probe places …                    runs that hold places of a labgrid coordinator
///     hil-probe boards IMAGE BENCHES        boards that are reached by SSH alone
@main
enum Main {
    static func main() {
        MainThread.run {
            do { try await run(Array(CommandLine.arguments.dropFirst())) } catch { fatalError("\(error)") }
        }
    }

    private static func run(_ words: [String]) async throws -> Never {
        let rest = Array(words.dropFirst())
        switch words.first {
        // A run starts this program again.
        case WorkerProcesses.subcommand: await RunnerProbe.work(rest)
        case ProcessGuard.subcommand: ProcessGuard.run(rest)
        case "runner": try await RunnerProbe.run(rest)
        case "places": try await PlacesProbe.run(rest)
        case "boards": await StockBoards.run(rest)
        default:
            FileHandle.standardError.write(Data("hil-probe: say first which room: runner, places, boards\n".utf8))
            exit(64)
        }
    }
}
