import BoardProtocol
import HILAir

/// Both boards, saved when agent and bluetoothd were up and the radios powered, with the recordings of their radios.
package struct Snapshot: Sendable, Codable, Equatable {
    /// The folder with `host.memory`, `host.state`, `host.bluetooth` and `host.wifi`, the same for the accessory
    /// board, and their seal.
    package let folder: String

    /// The file with a board's memory. Restored boards share its pages until they write to them.
    func memory(of role: BoardRole) -> String { "\(folder)/\(role.rawValue).memory" }

    /// The file with the rest of a board's state: processor and devices.
    func state(of role: BoardRole) -> String { "\(folder)/\(role.rawValue).state" }

    private static let files =
        BoardRole.allCases.flatMap { ["\($0.rawValue).memory", "\($0.rawValue).state"] }
        + AirConfiguration.recordingFiles

    /// Records the size and checksum of the files.
    func seal() throws { try Seal(of: folder).make(for: Snapshot.files) }

    /// How the files have changed since they were sealed; nil if they are unchanged.
    func damage() -> String? { Seal(of: folder).damage(to: Snapshot.files) }
}
