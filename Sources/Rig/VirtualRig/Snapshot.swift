import BoardProtocol
import Foundation
import POSIX

/// Both boards as they were with agent and bluetoothd up and no radio attached.
public struct Snapshot: Sendable, Codable, Equatable {
    /// How much is read of a file to see whether it is still what it was.
    private static let samples = 64
    private static let sampleSize = 4096

    /// The folder with `host.state`, `accessory.state` and `manifest.json`.
    public let folder: String

    /// The file of a board's state.
    func file(of role: BoardRole) -> String { Snapshot.file(of: role, in: folder) }

    static func file(of role: BoardRole, in folder: String) -> String { "\(folder)/\(role.rawValue).state" }

    /// What the files were like when they were made: for every file its size and a sum over samples of it.
    private typealias Manifest = [String: String]

    /// Writes down what the files of a folder are like.
    static func seal(_ folder: String) throws {
        var manifest = Manifest()
        for role in [BoardRole.host, .accessory] {
            manifest[role.rawValue] = try mark(of: file(of: role, in: folder))
        }
        try JSONEncoder().encode(manifest).write(to: URL(fileURLWithPath: "\(folder)/manifest.json"))
    }

    /// Why the files are no longer what they were; nil when they are.
    ///
    /// It compares sizes, and 64 blocks spread over each file, head and tail among them: files get here only whole and by
    /// renaming, so what is left to find is a disk or a person that changed them. Reading 100 MiB for every scenario would
    /// cost more than the restore.
    func damage() -> String? {
        let manifest: Manifest
        do {
            manifest = try JSONDecoder().decode(
                Manifest.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/manifest.json")))
        } catch { return "\(folder)/manifest.json cannot be read" }
        for role in [BoardRole.host, .accessory] {
            guard let mark = try? Snapshot.mark(of: file(of: role)) else { return "\(file(of: role)) cannot be read" }
            guard manifest[role.rawValue] == mark else { return "\(file(of: role)) is not what it was" }
        }
        return nil
    }

    /// A file's size, and a sum over samples of it.
    private static func mark(of path: String) throws -> String {
        let descriptor = try Descriptor.open(path, O_RDONLY)
        let size = try valueOrErrno("lseek", "measuring \(path)") { lseek(descriptor.raw, 0, SEEK_END) }
        var fingerprint = Fingerprint()
        let last = max(0, size - sampleSize)
        for index in 0..<samples {
            try valueOrErrno("lseek", "reading \(path)") {
                lseek(descriptor.raw, last * index / (samples - 1), SEEK_SET)
            }
            fingerprint.add(try descriptor.read(upTo: sampleSize))
        }
        return "\(size)-\(fingerprint.name)"
    }
}
