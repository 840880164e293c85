import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel

/// Stands in for the agent of an accessory board that a rig does not have. It reports no radio, no bond and no network,
/// and refuses everything else.
package enum AbsentBoard {
    /// Connects to it.
    ///
    /// - Parameter reason: Why there is no board, which is the answer to refused commands.
    package static func connect(_ reason: String) async throws -> BoardClient {
        let client = BoardClient(try start(reason), role: .accessory)
        try await client.greet()
        return client
    }

    /// - Returns: The runner's end of the conversation, which lasts until that is closed.
    private static func start(_ reason: String) throws(SystemError) -> Descriptor {
        let (ours, theirs) = try UnixSocket.pair()
        startThread(named: "absent-board") {
            var reader = FrameReader()
            while let bytes = try? theirs.read(), !bytes.isEmpty {
                for case .frame(let frame) in reader.push(bytes) where frame.kind == BoardProtocol.FrameKind.request {
                    guard let request = try? JSONDecoder().decode(BoardRequest.self, from: Data(frame.payload)),
                        let answer = try? JSONEncoder().encode(
                            BoardReply(id: request.id, outcome: answer(to: request.command, reason)))
                    else { continue }
                    try? theirs.write(Frame(kind: BoardProtocol.FrameKind.reply, payload: Array(answer)).bytes)
                }
            }
        }
        return ours
    }

    static func answer(to command: BoardCommand, _ reason: String) -> BoardReply.Outcome {
        switch command {
        case .hello:
            .success(.hello(version: BoardProtocol.version, role: .accessory, radiosPowered: true))
        case .setClock, .endProgram, .powerRadios: .success(.done)
        case .versions: .success(.versions([:]))
        case .health:
            .success(
                .health(
                    BoardHealth(
                        clock: wallClockNanoseconds(), boot: "", freeDisk: 1 << 30, areRadiosPowered: true,
                        daemons: [.bluetoothd, .hostapd], bonds: [], networks: [], owned: [])))
        default: .failure(.invalid(reason))
        }
    }
}
