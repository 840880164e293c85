import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import Synchronization

/// A stub board that accepts programs, and remembers what it was asked.
final class ProgramBoard: Sendable {
    let asked = Mutex<[BoardCall]>([])
    let isReady = Mutex(true)
    let exit = Mutex(ProgramExit.signal(15))

    func answer(_ call: BoardCall) throws(RadioError) -> Answer? {
        asked.withLock { $0.append(call) }
        guard case .program(let call) = call else { return nil }
        switch call {
        case .offerPayload(let payload, let reply): return reply(payload.size)
        case .start(let request, _, let reply):
            if request.command == ["no-such"] { throw .rig("there is no such program") }
            return reply(1)
        case .awaitReadiness(_, _, _, let reply): return reply(isReady.withLock { $0 })
        case .stop(_, _, let reply): return reply(exit.withLock { $0 })
        case .fetchFile(_, _, let reply): return reply(Data("file".utf8))
        case .runCommand(let command, _, _, let reply):
            let code: Int32 = command.contains("fails") ? 3 : 0
            return reply(CommandOutcome(exit: .code(code), output: Data("told\n".utf8)))
        case .end, .startAhead, .checkAhead, .send: return nil
        }
    }

    var names: [String] {
        asked.withLock { $0.map(\.name) }.filter { $0.hasPrefix("program.") && $0 != "program.end" }
    }
    func names(_ part: String) -> Int { names.count { $0.contains(part) } }
}
