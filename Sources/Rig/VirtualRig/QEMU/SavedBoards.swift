import BoardProtocol
import Foundation
import HILPOSIX
import RigModel

/// The saved state of a rig's boards at a moment of a scenario, in a folder of its evidence.
///
/// Files: `host.state` and `host.disk`, the same of the accessory board (if there is one), the parts of the rig in
/// `parts.json`, and the seal in `manifest.json`, which is written last.
///
/// A state contains the board's whole memory with its keys and passphrases, so only the owner may read the files.
package struct SavedBoards: Sendable {
    /// The largest size of both states before compression, in MB: the memory and a little more.
    static let megabytes = 2 * (QEMUCommand.memorySize + 16)

    /// The folder of the files.
    package let folder: String
    /// The parts that the rig was made from.
    let parts: RigParts

    /// The content of `parts.json`.
    private struct Content: Codable {
        var parts: RigParts
        /// ``RigParts/snapshotKey`` when the boards were saved.
        var key: String
    }

    /// Opens a folder with saved boards.
    ///
    /// - Throws: ``RigFailure`` if it is damaged, or the parts that the boards need no longer exist on this machine.
    package init(opening folder: String) async throws(RigFailure) {
        let action = "opening \(folder)"
        let content: Content
        do {
            content = try JSONDecoder().decode(
                Content.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/parts.json")))
        } catch {
            throw RigFailure(action, "this version of hil cannot read parts.json", remedy: SavedBoards.again)
        }
        if let damage = Seal(of: folder).damage(to: SavedBoards.files(of: content.parts)) {
            throw RigFailure(action, damage, remedy: "run the scenario again to get another")
        }
        if let why = SavedBoards.obstacle(
            to: content.parts, key: content.key, qemuVersion: try await RigSetUp.qemuVersion())
        {
            throw RigFailure(action, why, remedy: SavedBoards.again)
        }
        self.folder = folder
        parts = content.parts
        for path in [parts.image.folder, parts.accessoryImage.folder, parts.agentDisk, parts.payloadDisk].compactMap({
            $0
        }) {
            let file = URL(fileURLWithPath: path)
            Cache(folder: file.deletingLastPathComponent().path).hold(file.lastPathComponent)
        }
    }

    private static func files(of parts: RigParts) -> [String] {
        parts.boards.flatMap { [name(of: $0), diskName(of: $0)] } + ["parts.json"]
    }

    private static func diskName(of role: BoardRole) -> String { "\(role.rawValue).disk" }

    private static func name(of role: BoardRole) -> String { "\(role.rawValue).state" }

    /// The path of a board's complete state, including its memory.
    static func state(of role: BoardRole, in folder: String) -> String { "\(folder)/\(name(of: role))" }

    /// The path of a board's disk.
    static func disk(of role: BoardRole, in folder: String) -> String { "\(folder)/\(diskName(of: role))" }

    private static let again = "run the scenario again with the present files"

    /// Why boards of these parts cannot be restored on this machine; nil if they can.
    static func obstacle(to parts: RigParts, key: String, qemuVersion: String) -> String? {
        let images = parts.boards.map { (parts.image(of: $0).root, "image") }
        let payload = parts.payloadDisk.map { [($0, "program")] } ?? []
        for (path, what) in images + [(parts.agentDisk, "agent")] + payload
        where !FileManager.default.fileExists(atPath: path) {
            return "the \(what) of its boards is gone: \(path)"
        }
        if parts.qemuVersion != qemuVersion {
            return "it was taken with \(parts.qemuVersion), but this machine has \(qemuVersion)"
        }
        if parts.accelerator == .kvm, access("/dev/kvm", R_OK | W_OK) != 0 {
            return "its boards ran on KVM, but /dev/kvm cannot be used here"
        }
        if parts.snapshotKey != key {
            return "it was taken by another version of hil, of another image of the same name, or on another processor"
        }
        return nil
    }

    /// Makes the folder: lets `write` fill a temporary folder beside it, then renames that.
    ///
    /// - Parameters:
    ///   - parts: The parts that the rig is made from.
    ///   - write: Writes both states into the given folder.
    static func make(_ folder: String, of parts: RigParts, write: (String) async throws -> Void) async throws {
        let partial = "\(folder).partial"
        try? FileManager.default.removeItem(atPath: partial)
        do {
            try valueOrErrno("mkdir", "making the folder \(partial)") { mkdir(partial, 0o700) }
            try requireSpace(megabytes, in: partial, for: "keeping both boards")
            try await write(partial)
            let content = Content(parts: parts.cold, key: parts.snapshotKey)
            try JSONEncoder().encode(content).write(to: URL(fileURLWithPath: "\(partial)/parts.json"))
            try Seal(of: partial).make(for: files(of: parts))
            try valueOrErrno("rename", "keeping \(folder)") { rename(partial, folder) }
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }
}
