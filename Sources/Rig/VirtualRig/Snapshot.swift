import Air
import BoardProtocol

/// Both boards as they were with agent and bluetoothd up and the radios powered, and what their kernels had told these.
package struct Snapshot: Sendable, Codable, Equatable {
    /// The folder with `host.memory`, `host.state`, `host.bluetooth` and `host.wifi`, the same of the accessory board, and
    /// their seal.
    package let folder: String

    /// The file that is a board's memory. Boards that are restored have it in common, page by page until they write one.
    func memory(of role: BoardRole) -> String { "\(folder)/\(role.rawValue).memory" }

    /// The file of all else that a board's state consists of: processor and devices.
    func state(of role: BoardRole) -> String { "\(folder)/\(role.rawValue).state" }

    private static let files =
        BoardRole.allCases.flatMap { ["\($0.rawValue).memory", "\($0.rawValue).state"] }
        + AirConfiguration.recordingFiles

    /// Writes down what the files are like.
    func seal() throws { try Seal(of: folder).make(for: Snapshot.files) }

    /// Why the files are no longer what they were; nil when they are.
    func damage() -> String? { Seal(of: folder).damage(to: Snapshot.files) }
}
