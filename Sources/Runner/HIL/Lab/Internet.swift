import BoardProtocol
import RigModel

/// The internet as the rig has it: a home's network, and behind it a push service that stands in for Apple's and what the maker of
/// the accessory runs there.
///
/// All of it is one program of the accessory board, at an address for documentation; its log in the evidence has the sizes of what
/// passed. ``RigHandle/withFault(_:firing:_:)`` takes it away: `.killed(.internet, on: .accessory)`.
public final class Internet: Sendable {
    /// Where everything on the internet is found, IPv4 in dotted form.
    public let address = PushService.host
    private let board: BoardClient

    private let recorder: ScenarioRecorder

    init(_ board: BoardClient, recorder: ScenarioRecorder) {
        self.board = board
        self.recorder = recorder
    }

    /// Opens a home's network, by which phones have the internet, and nothing of the accessory's; returns when it can be joined
    /// and the internet is there. Once in a scenario.
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
