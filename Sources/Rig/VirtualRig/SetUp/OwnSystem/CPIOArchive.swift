import Glibc
import HILCArchive

/// A cpio archive of the format “newc” (cpio(5)), as a kernel uses it for its first file system; by libarchive.
struct CPIOArchive: Equatable {
    struct Entry: Equatable {
        var path: String
        /// File type and permissions, as of stat(2).
        var mode: UInt32
        var content: [UInt8]
    }

    var entries: [Entry] = []

    init() {}

    /// Reads an archive; nil if it is not one, or not whole.
    init?(_ bytes: [UInt8]) {
        let reader = archive_read_new()
        defer { archive_read_free(reader) }
        archive_read_support_filter_none(reader)
        archive_read_support_format_cpio(reader)
        let read = bytes.withUnsafeBytes { bytes in
            guard archive_read_open_memory(reader, bytes.baseAddress, bytes.count) == ARCHIVE_OK else { return false }
            var header: OpaquePointer?
            while true {
                switch archive_read_next_header(reader, &header) {
                case ARCHIVE_EOF: return archive_format(reader) != 0
                case ARCHIVE_OK: break
                default: return false
                }
                guard let header, let entry = CPIOArchive.entry(header, of: reader, upTo: bytes.count) else {
                    return false
                }
                entries.append(entry)
            }
        }
        guard read else { return nil }
    }

    private static func entry(_ header: OpaquePointer, of reader: OpaquePointer?, upTo limit: Int) -> Entry? {
        let size = Int(archive_entry_size(header))
        guard let path = archive_entry_pathname(header), (0...limit).contains(size) else { return nil }
        var content = [UInt8](repeating: 0, count: size)
        guard archive_read_data(reader, &content, size) == size else { return nil }
        return Entry(path: String(cString: path), mode: archive_entry_mode(header), content: content)
    }

    /// The bytes of the archive; nil without the memory for them, or if a path is empty.
    var encoded: [UInt8]? {
        let writer = archive_write_new()
        defer { archive_write_free(writer) }
        archive_write_set_format_cpio_newc(writer)
        // A header and its path, and the padding after both.
        let capacity = entries.reduce(1024) { $0 + 128 + $1.path.utf8.count + $1.content.count }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            guard archive_write_open_memory(writer, buffer.baseAddress, capacity, &count) == ARCHIVE_OK,
                entries.allSatisfy({ CPIOArchive.append($0, to: writer) }), archive_write_close(writer) == ARCHIVE_OK
            else { return }
            initialized = count
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func append(_ entry: Entry, to writer: OpaquePointer?) -> Bool {
        let header = archive_entry_new()
        defer { archive_entry_free(header) }
        archive_entry_set_pathname(header, entry.path)
        archive_entry_set_mode(header, mode_t(entry.mode))
        archive_entry_set_size(header, la_int64_t(entry.content.count))
        return archive_write_header(writer, header) == ARCHIVE_OK
            && archive_write_data(writer, entry.content, entry.content.count) == entry.content.count
    }
}
