import BoardProtocol
import Foundation
import HILAir
import RigModel

/// Both boards, saved when agent and bluetoothd were up and the radios powered, with the recordings of their radios.
package struct Snapshot: Sendable, Codable, Equatable {
    /// The folder with `host.memory`, `host.state`, `host.disk`, `host.bluetooth` and `host.wifi`, the same for the
    /// accessory board, and their seal.
    package let folder: String

    /// The file with a board's memory. Restored boards share its pages until they write to them.
    func memory(of role: BoardRole) -> String { "\(folder)/\(role.rawValue).memory" }

    /// The file with the rest of a board's state: processor and devices.
    func state(of role: BoardRole) -> String { "\(folder)/\(role.rawValue).state" }

    /// A board's disk that matches its memory.
    func disk(of role: BoardRole) -> String { "\(folder)/\(role.rawValue).disk" }

    /// Takes a snapshot.
    ///
    /// - Parameters:
    ///   - folder: Its folder, which is made.
    ///   - parts: The parts of the boards. They boot, or continue from the snapshot in the parts.
    ///   - program: The program that then runs on the accessory board; nil for none.
    ///   - logs: The folder for the boards' logs, which replaces an older one.
    static func take(
        into folder: String, of parts: RigParts, with program: ProgramStart? = nil, programs: RigPrograms,
        logs: String, within limit: Duration
    ) async throws {
        try? FileManager.default.removeItem(atPath: logs)
        for path in [folder, logs] {
            // The memory of a board contains a program's files, which may contain keys.
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        let configuration = RigConfiguration(
            purpose: .takeSnapshot(folder: folder, program: program), parts: parts, airProgram: programs.air,
            evidence: logs, base: RigFolder.standardBase, timeLimit: 120)
        let process = try RigOwner([programs.rig], configuration: configuration)
        do {
            try await process.wait(until: { $0 == .snapshotTaken }, within: limit)
        } catch {
            await process.stop()
            throw error
        }
        await process.stop()
        try Snapshot(folder: folder).seal()
    }

    /// Copies the boards' memory into the folder of another snapshot, which continues from this one.
    func copyMemory(to other: Snapshot) async throws(RigFailure) {
        let action = "copying the memory of the boards' snapshot"
        for role in BoardRole.allCases {
            let outcome = try await Tool.run(
                ["cp", "--sparse=always", "--reflink=auto", memory(of: role), other.memory(of: role)],
                package: "coreutils", for: action, within: .seconds(60))
            guard outcome.status.isSuccess else { throw RigFailure(action, "cp \(outcome.status): \(outcome.tail())") }
        }
    }

    private static let files =
        BoardRole.allCases.flatMap { ["\($0.rawValue).memory", "\($0.rawValue).state", "\($0.rawValue).disk"] }
        + AirConfiguration.recordingFiles

    /// Records the size and checksum of the files.
    func seal() throws { try Seal(of: folder).make(for: Snapshot.files) }

    /// How the files have changed since they were sealed; nil if they are unchanged.
    func damage() -> String? { Seal(of: folder).damage(to: Snapshot.files) }
}
