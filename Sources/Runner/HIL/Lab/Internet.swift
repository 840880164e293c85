import BoardProtocol
import HILRecord
import RigModel

/// The simulated internet: a home's Wi-Fi network, a push service in place of Apple's, and the server of the
/// accessory's maker.
///
/// One program on the accessory board does all of this, at an IP address that is reserved for documentation. Its log in
/// the evidence has the sizes of the messages. The fault `.killed(.internet, on: .accessory)` takes the internet away.
public final class Internet: Sendable {
    /// The IPv4 address of all servers on the simulated internet, in dotted form.
    public let address = PushService.host
    /// The TCP port of the push service, the same as Apple's.
    public let pushPort = PushService.port
    private let board: BoardClient

    private let recorder: ScenarioRecorder

    init(_ board: BoardClient, recorder: ScenarioRecorder) {
        self.board = board
        self.recorder = recorder
    }

    /// Opens a home's Wi-Fi network with access to the simulated internet, but not to the accessory.
    ///
    /// It returns when phones can join the network and reach the internet. A scenario may call it once.
    ///
    /// - Throws: `RadioError` if the network cannot be opened within 30 s; `RigFailure`.
    public func open(
        _ network: NetworkConfiguration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            _ = try await board.ask { .accessory(.openInternet(network, $0)) }
        }
    }
}
