import BoardProtocol
import Foundation
import Synchronization

/// A stub board that accepts programs, and remembers what it was asked.
final class ProgramBoard: Sendable {
    let asked = Mutex<[BoardCommand]>([])
    let isReady = Mutex(true)
    let exit = Mutex(ProgramExit.signal(15))

    func answer(_ command: BoardCommand) -> BoardResult? {
        asked.withLock { $0.append(command) }
        return switch command {
        case .offerPayload(let payload): .number(payload.size)
        case .startProgram: .number(1)
        case .awaitProgram: .number(isReady.withLock { $0 } ? 1 : 0)
        case .stopProgram: .exit(exit.withLock { $0 })
        case .fetchFile: .value(Data("file".utf8))
        case .runCommand(let command, _, _):
            .command(CommandOutcome(exit: .code(command.contains("fails") ? 3 : 0), output: Data("told\n".utf8)))
        default: nil
        }
    }

    var names: [String] {
        let parts = ["Program", "Payload", "File", "Command"]
        return asked.withLock { $0.map(\.name) }.filter { name in parts.contains { name.contains($0) } }
    }
    func names(_ part: String) -> Int { names.count { $0.contains(part) } }
}
