import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel

/// Stands in for the agent of a board that a rig does not have. It reports no radio, no bond and no network,
/// and refuses everything else.
package enum AbsentBoard {
    /// Connects to it.
    ///
    /// - Parameter reason: Why there is no board, which is the answer to refused commands.
    package static func connect(_ reason: String, role: BoardRole = .accessory) async throws -> BoardClient {
        let client = BoardClient(try start(reason, role), role: role)
        try await client.greet()
        return client
    }

    /// - Returns: The runner's end of the conversation, which lasts until that is closed.
    private static func start(_ reason: String, _ role: BoardRole) throws(SystemError) -> Descriptor {
        let (ours, theirs) = try UnixSocket.pair()
        startThread(named: "absent-board") {
            var reader = FrameReader()
            while let bytes = try? theirs.read(), !bytes.isEmpty {
                for case .frame(let frame) in reader.push(bytes) where frame.kind == BoardProtocol.FrameKind.call {
                    let answer = Answerer<BoardCall>.answer(Data(frame.payload)) { call throws(RadioError) in
                        guard let answer = AbsentBoard.answer(to: call, role) else { throw .invalid(reason) }
                        return answer
                    }
                    guard let answer else { continue }
                    try? theirs.write(Frame(kind: BoardProtocol.FrameKind.answer, payload: Array(answer)).bytes)
                }
            }
        }
        return ours
    }

    /// The answer of a board that nothing is wrong with; nil if it takes a board.
    static func answer(to call: BoardCall, _ role: BoardRole = .accessory) -> Answer? {
        switch call {
        case .hello(_, let reply): reply(BoardGreeting(role: role, radiosPowered: true))
        case .system(let call): answer(to: call)
        case .program(.end(_, let reply)): reply()
        case .fault, .controller, .station, .localNetwork, .home, .stranger, .accessory, .program: nil
        }
    }

    private static func answer(to call: SystemCall) -> Answer? {
        switch call {
        case .setClock(_, let reply), .wake(let reply): reply()
        case .powerRadios(let reply): reply(BoardAddresses(bluetooth: nil, wifi: nil))
        case .versions(let reply): reply([:])
        case .health(let reply):
            reply(
                BoardHealth(
                    clock: wallClockNanoseconds(), freeDisk: 1 << 30, daemons: [.bluetoothd, .hostapd, .supplicant]))
        case .warmUp: nil
        }
    }
}
