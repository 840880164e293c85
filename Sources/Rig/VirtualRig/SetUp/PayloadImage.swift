import BoardProtocol
import Foundation
import HILPOSIX
import RigModel

/// The fourth disk of an accessory board, read-only, with the files of an accessory's program.
///
/// It is made once for the same files. The disk's identifier shows the board which files it has. Files without a disk
/// are sent to the board.
enum PayloadImage {
    /// The size of the disk in bytes, 64 MiB: room for the largest payload and its file system.
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
            // Programs of other users on the board can still enter it: a layer with other permissions is above it.
            try valueOrErrno("mkdir", "making the folder \(folder)") { mkdir(folder, 0o700) }
            try content.write(into: folder)
            let outcome = try await Tool.run(
                ["mkfs.erofs", "--quiet", "-x-1", "--all-root", "-U", payload.id.diskIdentifier, partial, folder],
                package: "erofs-utils", for: action, within: .seconds(120))
            guard outcome.status.isSuccess else {
                throw RigFailure(action, "mkfs.erofs \(outcome.status): \(outcome.tail())")
            }
            try valueOrErrno("truncate", "giving \(partial) its size") { truncate(partial, off_t(size)) }
            // Firmware may contain keys.
            try valueOrErrno("chmod", "setting the permissions of \(partial)") { chmod(partial, 0o600) }
        }
    }

    /// Removes a folder of files, even if its permissions forbid that.
    private static func remove(_ folder: String, of payload: Payload) {
        try? payload.setFolderModes(below: folder) { $0 | 0o700 }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
