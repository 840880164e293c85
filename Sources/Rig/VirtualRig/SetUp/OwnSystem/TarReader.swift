import Foundation
import HILCArchive
import HILPOSIX

/// Reads the headers of a tar archive with libarchive, and refuses entries that must not be unpacked.
final class TarReader {
    /// The largest accepted archive.
    struct Limits: Sendable {
        var entries = 300_000
        /// The total length of all files.
        var bytes = 4 << 30
        var path = 1024
    }

    /// The entries read so far, by path.
    private(set) var entries: [String: RootFileSystem.Entry] = [:]
    private let reader: OpaquePointer
    /// Names are bytes: without this locale, libarchive would refuse names with characters that its own locale lacks.
    private let locale: locale_t?
    private let limits: Limits
    private let length: Int
    private var bytes = 0

    init(_ archive: Descriptor, limits: Limits) throws {
        self.limits = limits
        length = try valueOrErrno("lseek", "measuring the archive") { lseek(archive.raw, 0, SEEK_END) }
        guard length > 0 else { throw TarError("it is empty") }
        // Contents are read later at their offsets, so they must be uncompressed.
        let start = try archive.read(at: 0, count: min(6, length))
        let kinds: [([UInt8], String)] = [
            ([0x1F, 0x8B], "gunzip"), ([0xFD, 0x37, 0x7A, 0x58], "unxz"), ([0x28, 0xB5, 0x2F, 0xFD], "unzstd"),
            (Array("BZh".utf8), "bunzip2"),
        ]
        for (magic, program) in kinds where start.starts(with: magic) {
            throw TarError("it is compressed: unpack it with \(program) first")
        }
        try valueOrErrno("lseek", "reading the archive") { lseek(archive.raw, 0, SEEK_SET) }
        guard let reader = archive_read_new() else { throw TarError("not enough memory to read it") }
        self.reader = reader
        locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        archive_read_support_filter_none(reader)
        archive_read_support_format_tar(reader)
        guard archive_read_open_fd(reader, archive.raw, 1 << 16) == ARCHIVE_OK else { throw Self.error(reader) }
    }

    deinit {
        archive_read_free(reader)
        if let locale { freelocale(locale) }
    }

    /// Reads the next header with its content's place. Returns false at the end.
    func next() throws -> Bool {
        let before = uselocale(locale)
        defer { uselocale(before) }
        var entry: OpaquePointer?
        switch archive_read_next_header(reader, &entry) {
        case ARCHIVE_EOF: return false
        case ARCHIVE_OK, ARCHIVE_WARN: break
        default: throw Self.error(reader)
        }
        guard let entry else { return false }
        try add(entry, contentAt: Int(archive_filter_bytes(reader, 0)))
        return true
    }

    private static func error(_ reader: OpaquePointer) -> TarError {
        let why = archive_error_string(reader).map { String(cString: $0) } ?? "its headers cannot be read"
        return TarError("it is not a tar archive, or is damaged: \(why)")
    }

    private func add(_ entry: OpaquePointer, contentAt offset: Int) throws {
        guard let name = archive_entry_pathname(entry).flatMap({ String(validatingCString: $0) }) else {
            throw TarError("a name in it is not UTF-8")
        }
        let path = try plain(name)
        if path.isEmpty { return }
        let mode = UInt16(truncatingIfNeeded: archive_entry_perm(entry))
        let kept: RootFileSystem.Entry
        if let target = archive_entry_hardlink(entry) {
            kept = .hardLink(to: try plain(String(cString: target)))
        } else {
            // The types of `struct stat`.
            switch archive_entry_filetype(entry) {
            case S_IFDIR: kept = .folder(mode: mode)
            case S_IFLNK:
                kept = .link(
                    target: try checked(archive_entry_symlink(entry).map { String(cString: $0) } ?? "", of: path))
            case S_IFREG: kept = try file(entry, at: path, mode, contentAt: offset)
            default:
                // A board has its own devices.
                if RootFileSystem.mountPoints.contains(where: { path.hasPrefix("\($0)/") }) { return }
                throw TarError("“\(path)” is a device or a pipe, which is allowed only in dev/")
            }
        }
        switch (entries[path], kept) {
        case (nil, _), (.folder?, .folder): entries[path] = kept
        default: throw TarError("“\(path)” occurs twice")
        }
        guard entries.count <= limits.entries else { throw TarError("it has more than \(limits.entries) entries") }
    }

    private func file(
        _ entry: OpaquePointer, at path: String, _ mode: UInt16, contentAt offset: Int
    ) throws(TarError) -> RootFileSystem.Entry {
        guard archive_entry_sparse_count(entry) == 0 else {
            throw TarError("“\(path)” is a sparse file: make the archive without --sparse")
        }
        let size = Int(archive_entry_size(entry))
        guard size >= 0, offset >= 0, size <= length - offset else { throw TarError("“\(path)” is cut off") }
        bytes += size
        guard bytes <= limits.bytes else { throw TarError("its files have more than \(limits.bytes >> 20) MiB") }
        return .file(mode: mode, offset: offset, length: size, modified: UInt32(clamping: archive_entry_mtime(entry)))
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

    /// The target of a symbolic link. On a board, it may lead anywhere below the root.
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

/// The problem of a tar archive, in one line.
struct TarError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
