import BoardProtocol
import Foundation
import HILPOSIX
import RigModel

/// The third disk of an accessory board, read-only, with the files of an accessory's program.
///
/// It is made once for the same files. The board finds by the disk's identifier which files it has; what it has no disk
/// for is sent to it.
enum PayloadDisk {
    /// The size of the disk in bytes, 64 MiB: room for the largest payload with all that its file system adds.
    static let size = 64 << 20

    /// Returns a disk with these files, and makes it if it is not in the cache.
    ///
    /// - Returns: The disk's path.
    static func prepare(_ payload: EncodedPayload, cache: Cache) async throws(RigFailure) -> String {
        let action = "packing the program's files"
        let name = "payload-\(payload.id.digest.prefix(32)).erofs"
        let megabytes = 1 + 3 * payload.bytes.count / 1_000_000
        return try await cache.keep(name, action: action, megabytes: megabytes) { partial in
            let folder = "\(partial).tree.partial"
            let content = try Payload(decoding: payload.bytes)
            defer { remove(folder, of: content) }
            remove(folder, of: content)
            try fill(folder, with: content)
            let outcome = try await Tool.run(
                ["mkfs.erofs", "--quiet", "-x-1", "--all-root", "-U", payload.id.diskIdentifier, partial, folder],
                package: "erofs-utils", for: action, within: .seconds(120))
            guard outcome.status.isSuccess else {
                throw RigFailure(action, "mkfs.erofs \(outcome.status): \(outcome.tail())")
            }
            try valueOrErrno("truncate", "giving \(partial) its size") { truncate(partial, off_t(size)) }
            // A firmware may have keys in it.
            try setMode(0o600, of: partial)
        }
    }

    /// Writes the files into a new folder. No path of a payload leads through a link: see ``Payload``.
    private static func fill(_ folder: String, with payload: Payload) throws {
        // Programs of other users of the board enter it all the same: a layer with other permissions is above it.
        try valueOrErrno("mkdir", "making the folder \(folder)") { mkdir(folder, 0o700) }
        for entry in payload.entries {
            let path = "\(folder)/\(entry.path)"
            switch entry.content {
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .file(let bytes):
                let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
                try file.write(bytes)
                try setMode(entry.mode, of: path)
            case .link(let target):
                try valueOrErrno("symlink", "making the link \(path)") { symlink(target, path) }
            }
        }
        // Permissions of folders last, because one may be a folder that nothing can be added to.
        try setModes(of: payload, in: folder) { $0 }
    }

    private static func setModes(
        of payload: Payload, in folder: String, _ mode: (UInt16) -> UInt16
    ) throws(SystemError) {
        for entry in payload.entries.reversed() where entry.content == .folder {
            try setMode(mode(entry.mode), of: "\(folder)/\(entry.path)")
        }
    }

    private static func setMode(_ mode: UInt16, of path: String) throws(SystemError) {
        try valueOrErrno("chmod", "setting the permissions of \(path)") { chmod(path, mode_t(mode)) }
    }

    /// Removes a folder of files, also one whose permissions forbid it.
    private static func remove(_ folder: String, of payload: Payload) {
        try? setModes(of: payload, in: folder) { $0 | 0o700 }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
