import BoardProtocol
import Foundation
import POSIX
import RigModel

/// Both boards as they were at a moment of a scenario, in a folder of its evidence: `host.state`, `accessory.state`, what
/// they were made of in `parts.json`, and the seal in `manifest.json`, which comes last.
///
/// A state holds the board's whole memory, keys and passphrases with it: the files are their owner's alone.
package struct KeptBoards: Sendable {
    /// The largest that a board's state gets before it is packed, in MB; its memory and a little more.
    static let megabytes = 2 * (QEMUCommand.memorySize + 16)

    /// The folder.
    package let folder: String
    /// What the boards were made of.
    let parts: RigParts

    /// What is written down of the boards.
    private struct Content: Codable {
        var parts: RigParts
        /// ``RigParts/snapshotKey`` then.
        var key: String
    }

    /// Opens a folder.
    ///
    /// - Throws: ``RigFailure`` where it is damaged, or what the boards were made of is here no more.
    package init(opening folder: String) async throws(RigFailure) {
        let action = "opening \(folder)"
        if let damage = Seal(of: folder).damage(to: KeptBoards.files) {
            throw RigFailure(action, damage, remedy: "run the scenario again to get another")
        }
        let content: Content
        do {
            content = try JSONDecoder().decode(
                Content.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/parts.json")))
        } catch {
            throw RigFailure(action, "this version of hil cannot read parts.json", remedy: KeptBoards.again)
        }
        if let why = KeptBoards.obstacle(
            to: content.parts, key: content.key, qemuVersion: try await RigSetUp.qemuVersion())
        {
            throw RigFailure(action, why, remedy: KeptBoards.again)
        }
        self.folder = folder
        parts = content.parts
        for path in [parts.image.folder, parts.agentDisk] {
            let file = URL(fileURLWithPath: path)
            Cache(folder: file.deletingLastPathComponent().path).hold(file.lastPathComponent)
        }
    }

    private static let files = BoardRole.allCases.map(name) + ["parts.json"]

    private static func name(of role: BoardRole) -> String { "\(role.rawValue).state" }

    /// The file of a board's state: all of it, its memory among the rest.
    static func state(of role: BoardRole, in folder: String) -> String { "\(folder)/\(name(of: role))" }

    private static let again = "run the scenario again with what is here now"

    /// Why boards of these parts cannot be brought back here; nil when they can.
    static func obstacle(to parts: RigParts, key: String, qemuVersion: String) -> String? {
        for (path, what) in [(parts.image.root, "image"), (parts.agentDisk, "agent")]
        where !FileManager.default.fileExists(atPath: path) {
            return "the \(what) that its boards ran is gone: \(path)"
        }
        if parts.qemuVersion != qemuVersion { return "it was taken with \(parts.qemuVersion); here is \(qemuVersion)" }
        if parts.accelerator == .kvm, access("/dev/kvm", R_OK | W_OK) != 0 {
            return "its boards ran on KVM, and /dev/kvm cannot be used here"
        }
        if parts.snapshotKey != key {
            return "it was taken by another version of hil, of another image of the same name, or on another processor"
        }
        return nil
    }

    /// Has states written into a folder beside the place where they are to be, and moves them there when they are whole.
    ///
    /// - Parameters:
    ///   - parts: What the boards are made of.
    ///   - write: Writes both states into the folder that it is given.
    static func make(_ folder: String, of parts: RigParts, write: (String) async throws -> Void) async throws {
        let partial = "\(folder).partial"
        try? FileManager.default.removeItem(atPath: partial)
        do {
            try valueOrErrno("mkdir", "making the folder \(partial)") { mkdir(partial, 0o700) }
            try requireSpace(megabytes, in: partial, for: "keeping both boards")
            try await write(partial)
            let content = Content(parts: parts.cold, key: parts.snapshotKey)
            try JSONEncoder().encode(content).write(to: URL(fileURLWithPath: "\(partial)/parts.json"))
            try Seal(of: partial).make(for: files)
            try valueOrErrno("rename", "keeping \(folder)") { rename(partial, folder) }
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }
}
