import BoardProtocol
import DieProtocol
import RigModel

/// The internet as the rig has it: a home's network, and behind it what is elsewhere for real, the relay of the die's maker and
/// a push service that stands in for Apple's.
///
/// Both are a program of the accessory board's, at an address for documentation; its log in the evidence has the sizes of what
/// passed. ``RigHandle/withFault(_:firing:_:)`` takes it away: `.killed(.relay, on: .accessory)`.
public final class Internet: Sendable {
    /// Where a die that is to be reached over the internet finds the relay: ``BoardProtocol/DieConfiguration/relay``.
    public let relay = DieRelay.host
    private let board: BoardClient

    private let recorder: ScenarioRecorder

    init(_ board: BoardClient, recorder: ScenarioRecorder) {
        self.board = board
        self.recorder = recorder
    }

    /// Opens a home's network, by which phones have the internet, and nothing of the die's; returns when it can be joined and
    /// the relay is there. Once in a scenario.
    ///
    /// - Throws: ``RadioModel/RadioError``.
    public func open(
        _ network: NetworkConfiguration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            let answer = try await board.ask(.openInternet(network), within: .seconds(30))
            guard case .done = answer else {
                throw RigFailure("opening the internet", on: "the accessory board", "it answered \(answer)")
            }
        }
    }
}
