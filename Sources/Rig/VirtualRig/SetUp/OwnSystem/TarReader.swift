import Foundation
import HILPOSIX

/// Reads the headers of a tar archive, and refuses what must not be unpacked.
struct TarReader {
    /// More than this is refused.
    struct Limits: Sendable {
        var entries = 300_000
        /// The length of all files together.
        var bytes = 4 << 30
        var path = 1024
    }

    /// A long name or a set of records.
    private static let longestNote = 1 << 20

    /// What was read so far, by path.
    private(set) var entries: [String: RootFileSystem.Entry] = [:]
    private let archive: Descriptor
    private let limits: Limits
    private let length: Int
    private var offset = 0
    private var bytes = 0
    /// What the last headers said of the next entry.
    private var longName: String?
    private var longTarget: String?
    private var records: [String: String] = [:]

    init(_ archive: Descriptor, limits: Limits) throws {
        self.archive = archive
        self.limits = limits
        length = try valueOrErrno("lseek", "measuring the archive") { lseek(archive.raw, 0, SEEK_END) }
        let start = try archive.read(at: 0, count: min(6, length))
        let kinds: [([UInt8], String)] = [
            ([0x1F, 0x8B], "gunzip"), ([0xFD, 0x37, 0x7A, 0x58], "unxz"), ([0x28, 0xB5, 0x2F, 0xFD], "unzstd"),
            (Array("BZh".utf8), "bunzip2"),
        ]
        for (magic, program) in kinds where start.starts(with: magic) {
            throw TarError("it is compressed: unpack it with \(program) first")
        }
    }

    /// Reads the next header with its content's place. Returns false at the end.
    mutating func next() throws -> Bool {
        guard offset < length else {
            guard offset > 0 else { throw TarError("it is empty") }
            return false
        }
        guard let header = try TarHeader(try archive.read(at: offset, count: TarHeader.size)) else { return false }
        offset += TarHeader.size
        // A later version of a record replaces the header's own length.
        let length = try contentLength(header)
        guard length <= self.length - offset else { throw TarError("“\(header.name)” is cut off") }
        try take(header, length)
        // No overflow: it is within the file.
        offset += (length + TarHeader.size - 1) / TarHeader.size * TarHeader.size
        return true
    }

    private func contentLength(_ header: TarHeader) throws(TarError) -> Int {
        guard header.kind == .file, let text = records["size"] else { return header.length }
        guard let length = Int(text), length >= 0 else {
            throw TarError("the size of “\(header.name)” is not a number")
        }
        return length
    }

    /// The seconds of a time of pax, which may have a fraction; nil if there is none.
    private func time(_ record: String?) -> Int? {
        (record?.split(separator: ".", omittingEmptySubsequences: false).first).flatMap { Int($0) }
    }

    private mutating func take(_ header: TarHeader, _ length: Int) throws {
        switch header.kind {
        case .longName: longName = try TarHeader.text(try note(length))
        case .longTarget: longTarget = try TarHeader.text(try note(length))
        case .records: records = try TarHeader.records(try note(length))
        case .globalRecords: _ = try note(length)
        default:
            defer { (longName, longTarget, records) = (nil, nil, [:]) }
            if let sparse = records.keys.first(where: { $0.hasPrefix("GNU.sparse") }) {
                throw TarError("“\(header.name)” is a sparse file (\(sparse)): make the archive without --sparse")
            }
            try add(
                header, path: records["path"] ?? longName ?? header.name,
                target: records["linkpath"] ?? longTarget ?? header.target, length)
        }
    }

    private func note(_ length: Int) throws -> [UInt8] {
        guard length <= TarReader.longestNote else { throw TarError("a name of \(length) bytes is too long") }
        return try archive.read(at: offset, count: length)
    }

    private mutating func add(_ header: TarHeader, path name: String, target: String, _ length: Int) throws {
        let path = try plain(name)
        if path.isEmpty { return }
        let isMounted = RootFileSystem.mountPoints.contains { path.hasPrefix("\($0)/") }
        let entry: RootFileSystem.Entry
        switch header.kind {
        case .folder: entry = .folder(mode: header.mode)
        // As writers before POSIX mark a folder. Only the whole name tells: that of the header may be cut at a slash.
        case .file where name.hasSuffix("/"): entry = .folder(mode: header.mode)
        case .file:
            let modified = UInt32(clamping: time(records["mtime"]) ?? header.modified)
            entry = .file(mode: header.mode, offset: offset, length: length, modified: modified)
        case .hardLink: entry = .hardLink(to: try plain(target))
        case .link: entry = .link(target: try checked(target, of: path))
        default:
            // A board has devices of its own.
            if isMounted { return }
            throw TarError("“\(path)” is a device or a pipe, which only dev/ may have")
        }
        bytes += length
        guard bytes <= limits.bytes else { throw TarError("its files have more than \(limits.bytes >> 20) MiB") }
        switch (entries[path], entry) {
        case (nil, _), (.folder?, .folder): entries[path] = entry
        default: throw TarError("“\(path)” is there twice")
        }
        guard entries.count <= limits.entries else { throw TarError("it has more than \(limits.entries) entries") }
    }

    /// A path from the root without `.`, and without slashes at its ends.
    private func plain(_ name: String) throws(TarError) -> String {
        guard !name.hasPrefix("/") else { throw TarError("the path “\(name)” does not begin at the archive's root") }
        let parts = name.split(separator: "/").filter { $0 != "." }
        guard !parts.contains("..") else { throw TarError("the path “\(name)” leads out of the archive") }
        guard name.utf8.count <= limits.path, parts.allSatisfy({ $0.utf8.count <= 255 }) else {
            throw TarError("the path “\(name.prefix(60))…” is too long")
        }
        return parts.joined(separator: "/")
    }

    /// The target of a symbolic link. From the root of a board it may lead anywhere on it, but not above its root.
    private func checked(_ target: String, of path: String) throws(TarError) -> String {
        guard !target.isEmpty, target.utf8.count <= limits.path else {
            throw TarError("the link “\(path)” has no target, or one that is too long")
        }
        var depth = target.hasPrefix("/") ? 0 : path.split(separator: "/").count - 1
        for part in target.split(separator: "/") where part != "." {
            depth += part == ".." ? -1 : 1
            guard depth >= 0 else { throw TarError("the link “\(path)” to “\(target)” leads out of the archive") }
        }
        return target
    }
}
