import Foundation
import HILPOSIX

/// A team's own root file system: the entries of a tar archive, by path. Nothing is unpacked yet.
///
/// The archive comes from outside: an entry that would leave the folder where it is unpacked is refused.
struct RootFileSystem: Sendable {
    /// An entry. Its path has no `.`, no `..`, and no slash at its ends.
    enum Entry: Sendable, Equatable {
        case folder(mode: UInt16)
        /// A regular file, whose content begins at `offset` of the archive; last changed in seconds since 1970.
        case file(mode: UInt16, offset: Int, length: Int, modified: UInt32)
        /// A symbolic link.
        case link(target: String)
        /// Another name for a file.
        case hardLink(to: String)
    }

    /// A board mounts its own file systems here, so the archive's entries below are left out.
    static let mountPoints: Set<String> = ["dev", "proc", "sys", "run", "tmp"]

    /// All entries by path. The parents of each one exist and are folders.
    let entries: [String: Entry]
    private let archive: Descriptor

    /// Reads all headers of an archive.
    ///
    /// - Throws: ``TarError``; ``HILPOSIX/SystemError`` if it cannot be read.
    init(tar path: String, limits: TarReader.Limits = TarReader.Limits()) throws {
        archive = try Descriptor.open(path, O_RDONLY | O_CLOEXEC)
        let reader = try TarReader(archive, limits: limits)
        while try reader.next() {}
        var entries = reader.entries
        for path in reader.entries.keys { try RootFileSystem.addParents(of: path, to: &entries) }
        for (path, entry) in entries {
            guard case .hardLink(let target) = entry else { continue }
            guard case .file? = entries[target] else {
                throw TarError("“\(path)” is a link to “\(target)”, which is not a file of the archive")
            }
        }
        self.entries = entries
    }

    private static func addParents(of path: String, to entries: inout [String: Entry]) throws(TarError) {
        var parent = path[...]
        while let slash = parent.lastIndex(of: "/") {
            parent = parent[..<slash]
            switch entries[String(parent)] {
            case .folder?: continue
            case nil: entries[String(parent)] = .folder(mode: 0o755)
            default: throw TarError("“\(path)” is below “\(parent)”, which is not a folder")
            }
        }
    }

    /// The real path of an entry, with all symbolic links followed as on a board; nil if it does not exist.
    func resolve(_ path: String) -> String? {
        var (done, waiting) = ([String](), path.split(separator: "/").map(String.init)[...])
        var links = 0
        while let next = waiting.popFirst() {
            if next == "." { continue }
            if next == ".." {
                _ = done.popLast()
                continue
            }
            let place = (done + [next]).joined(separator: "/")
            switch entries[place] {
            case .link(let target)?:
                links += 1
                guard links <= 40 else { return nil }
                if target.hasPrefix("/") { done = [] }
                waiting = target.split(separator: "/").map(String.init)[...] + waiting
            case .folder?: done.append(next)
            case .file?, .hardLink?:
                guard waiting.isEmpty else { return nil }
                done.append(next)
            case nil: return nil
            }
        }
        return done.joined(separator: "/")
    }

    /// Whether a path is a regular file, perhaps behind links.
    func hasFile(_ path: String) -> Bool { place(of: path) != nil }

    /// The first `limit` bytes of a file; nil if there is none.
    func content(of path: String, upTo limit: Int) throws -> [UInt8]? {
        guard let (offset, length) = place(of: path) else { return nil }
        return try archive.read(at: offset, count: min(limit, length))
    }

    /// The names in a folder, sorted; empty if there is none.
    func names(in folder: String) -> [String] {
        guard let folder = resolve(folder) else { return [] }
        let prefix = folder.isEmpty ? "" : folder + "/"
        return entries.keys.filter { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
            .map { String($0.dropFirst(prefix.count)) }.sorted()
    }

    private func place(of path: String) -> (offset: Int, length: Int)? {
        guard var place = resolve(path) else { return nil }
        if case .hardLink(let target)? = entries[place] { place = target }
        guard case .file(_, let offset, let length, _)? = entries[place] else { return nil }
        return (offset, length)
    }

    /// Unpacks everything into a new folder that nobody else may write to. Owners are not kept.
    func unpack(into folder: String) throws {
        try valueOrErrno("mkdir", "making \(folder)") { mkdir(folder, 0o700) }
        let wanted = entries.filter { path, _ in
            !(RootFileSystem.mountPoints.contains { path.hasPrefix("\($0)/") })
        }
        // Parents first.
        let paths = wanted.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for path in paths where wanted[path]?.isHardLink == false { try write(path, below: folder) }
        for path in paths {
            guard case .hardLink(let target)? = wanted[path] else { continue }
            // The target at a mount point was left out.
            guard wanted[target] != nil else { continue }
            try valueOrErrno("link", "unpacking \(path)") { link("\(folder)/\(target)", "\(folder)/\(path)") }
        }
        // Permissions of folders come last, because some folders are read-only.
        for path in paths.reversed() {
            guard case .folder(let mode)? = wanted[path] else { continue }
            try valueOrErrno("chmod", "unpacking \(path)") { chmod("\(folder)/\(path)", mode_t(mode | 0o700)) }
        }
    }

    /// Writes one entry. Every parent is a folder that was made here, so no path leads through a link.
    private func write(_ path: String, below folder: String) throws {
        let place = "\(folder)/\(path)"
        switch entries[path] {
        case .folder?: try valueOrErrno("mkdir", "unpacking \(path)") { mkdir(place, 0o700) }
        case .link(let target)?: try valueOrErrno("symlink", "unpacking \(path)") { symlink(target, place) }
        case .file(let mode, let offset, let length, let modified)?:
            let file = try Descriptor.open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
            var done = 0
            while done < length {
                let bytes = try archive.read(at: offset + done, count: min(1 << 20, length - done))
                try file.write(bytes)
                done += bytes.count
            }
            try valueOrErrno("fchmod", "unpacking \(path)") { fchmod(file.raw, mode_t(mode)) }
            // Python recompiles a module at each start if its source's time differs from the one in the compiled file.
            let time = timespec(tv_sec: Int(modified), tv_nsec: 0)
            try valueOrErrno("futimens", "unpacking \(path)") { futimens(file.raw, [time, time]) }
        case .hardLink?, nil: break
        }
    }
}

extension RootFileSystem.Entry {
    var isHardLink: Bool { if case .hardLink = self { true } else { false } }
}

extension Descriptor {
    /// Reads exactly this many bytes at a place of a file.
    func read(at offset: Int, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let more = try valueOrErrno("pread", "reading the archive") { [done] in
                bytes.withUnsafeMutableBytes { pread(raw, $0.baseAddress! + done, count - done, offset + done) }
            }
            guard more > 0 else { throw TarError("it ends too early: it was cut off") }
            done += more
        }
        return bytes
    }
}
