import Foundation
import HILPOSIX
import RigModel

/// The original content of a cache entry, to detect changes.
///
/// The content is read again only if a file looks changed by its number, size or times, so that a run without changes
/// reads nothing.
struct ContentSeal: Codable, Equatable {
    /// SHA-256 of the entry's content.
    var content: String
    /// The properties of its files, without their content.
    var looks: String

    /// The folder of the seals in the cache.
    static let folder = "seals"

    /// The numbers, sizes and times of a file, or of all files in a folder.
    static func looks(of path: String) -> String {
        var fingerprint = Fingerprint()
        let names = ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).sorted()
        for part in [path] + names.map({ "\(path)/\($0)" }) {
            var status = stat()
            guard lstat(part, &status) == 0 else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            fingerprint.add(part)
            // A folder's own times change when its entry gets its name.
            fingerprint.add(isFolder ? "folder" : "\(status.st_ino) \(status.st_size) \(status.st_mode)")
            guard !isFolder else { continue }
            fingerprint.add("\(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)")
            fingerprint.add("\(status.st_ctim.tv_sec) \(status.st_ctim.tv_nsec)")
        }
        return fingerprint.name
    }

    /// Reads the content of a file, or of all files in a folder with their names.
    static func content(of path: String, for action: String) async throws(RigFailure) -> String {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard isFolder.boolValue else { return try await sha256(of: path, for: action) }
        let outcome = try await Tool.run(
            [
                "sh", "-c",
                "cd \"$1\" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum -- | sha256sum", "sh",
                path,
            ], package: "coreutils", for: action, within: .seconds(120))
        guard outcome.status.isSuccess else {
            throw RigFailure(action, "reading \(path) \(outcome.status): \(outcome.tail(1))")
        }
        return String(outcome.output.prefix(64))
    }
}

extension Cache {
    private func sealPath(_ name: String) -> String { path("\(ContentSeal.folder)/\(name)") }

    /// Notes the content of an entry.
    private func write(_ seal: ContentSeal, of name: String) {
        // Without a seal the entry is read again, which costs only time.
        try? FileManager.default.createDirectory(
            atPath: path(ContentSeal.folder), withIntermediateDirectories: true)
        try? JSONEncoder().encode(seal).write(to: URL(fileURLWithPath: sealPath(name)), options: .atomic)
    }

    /// Seals an entry that has just been made.
    func seal(_ name: String, for action: String) async throws(RigFailure) {
        let content = try await ContentSeal.content(of: path(name), for: action)
        write(ContentSeal(content: content, looks: ContentSeal.looks(of: path(name))), of: name)
    }

    /// How the content of an entry has changed since it was made; nil if it has not. An entry of an earlier version
    /// without a seal gets one.
    func changes(of name: String, for action: String) async throws(RigFailure) -> String? {
        let bytes = FileManager.default.contents(atPath: sealPath(name))
        guard let seal = bytes.flatMap({ try? JSONDecoder().decode(ContentSeal.self, from: $0) }) else {
            try await self.seal(name, for: action)
            return nil
        }
        let looks = ContentSeal.looks(of: path(name))
        if looks == seal.looks { return nil }
        guard try await ContentSeal.content(of: path(name), for: action) == seal.content else {
            return "\(path(name)) has changed since it was made"
        }
        write(ContentSeal(content: seal.content, looks: looks), of: name)
        return nil
    }

    func removeSeal(of name: String) { unlink(sealPath(name)) }

    /// The file whose time shows the last use of an entry: its seal, or the entry itself without one. Its own files
    /// keep their times, because these show changes.
    func useMark(of name: String) -> String {
        access(sealPath(name), F_OK) == 0 ? sealPath(name) : path(name)
    }

    /// Writes the cache's directory to the disk.
    func synchronizeNames() { if let list = try? Descriptor.open(folder, O_RDONLY) { fsync(list.raw) } }

    /// Writes an entry to the disk, so that it is complete if the power is cut after it got its name.
    func synchronize(_ entry: String) {
        let parts = (try? FileManager.default.subpathsOfDirectory(atPath: entry)) ?? []
        for part in parts.map({ "\(entry)/\($0)" }) + [entry] {
            // A link or a socket has no content.
            guard let file = try? Descriptor.open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { continue }
            fsync(file.raw)
        }
    }
}
