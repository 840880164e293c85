#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The name of a payload. It identifies the content, so that a board that already has it needs no copy.
package struct PayloadID: Sendable, Hashable, Codable {
    /// The SHA-256 digest of the encoded payload, as 64 lower-case hexadecimal digits.
    package var digest: String
    /// The size of the encoded payload in bytes.
    package var size: Int

    package init(digest: String, size: Int) {
        self.digest = digest
        self.size = size
    }

    /// Whether the digest is well-formed, so that it can be a file name, and the size is allowed.
    package var isValid: Bool {
        digest.utf8.count == 64 && digest.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            && (1...Payload.longest).contains(size)
    }

    /// The identifier of a disk with this payload: the beginning of its digest, written as a UUID. The name is valid.
    package var diskIdentifier: String {
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        let digits = Array(digest)
        return parts.map { String(digits[$0]) }.joined(separator: "-")
    }
}

/// A payload as bytes, with its name.
package struct EncodedPayload: Sendable, Hashable {
    package let id: PayloadID
    package let bytes: [UInt8]

    package init(id: PayloadID, bytes: [UInt8]) { (self.id, self.bytes) = (id, bytes) }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The files of an accessory's program, as they are sent to a board: folders, regular files and symbolic links.
///
/// Byte layout, integers little-endian: `H` `P`, version 1 (one byte), number of entries (4), then the entries. Each
/// entry is kind (1: folder, 2: file, 3: link), permissions (2), length of the path (2), length of the content (4),
/// path, content. The content of a link is its target; that of a folder is empty.
package struct Payload: Sendable, Equatable {
    /// The largest encoded payload in bytes: 24 MiB. A board stores it twice, in a memory of 192 MiB.
    package static let longest = 24 << 20
    /// The most files, folders and links.
    package static let mostEntries = 4096
    /// The longest path and the longest target of a link, in bytes.
    package static let longestPath = 1024

    /// A file, a folder or a link.
    package struct Entry: Sendable, Equatable {
        package enum Content: Sendable, Equatable {
            case folder
            case file(ArraySlice<UInt8>)
            case link(target: String)
        }

        /// Relative to the payload, with `/` between its parts.
        package var path: String
        /// The permissions for owner, group and others; 0 to 0o777.
        package var mode: UInt16
        package var content: Content

        package init(_ path: String, mode: UInt16 = 0o644, _ content: Content) {
            self.path = path
            self.mode = mode
            self.content = content
        }
    }

    /// Every folder stands before its content.
    package let entries: [Entry]

    /// - Throws: ``PayloadError`` if an entry is not allowed, or there are too many.
    package init(_ entries: [Entry]) throws(PayloadError) {
        guard entries.count <= Payload.mostEntries else { throw .tooMany(entries.count) }
        var kinds: [String: Entry.Content] = [:]
        for entry in entries {
            try Payload.check(entry)
            if let slash = entry.path.lastIndex(of: "/") {
                // Nothing is written through a link, or into an unannounced folder.
                guard kinds[String(entry.path[..<slash])] == .folder else { throw .noFolder(entry.path) }
            }
            guard kinds.updateValue(entry.content.kindOnly, forKey: entry.path) == nil else {
                throw .twice(entry.path)
            }
        }
        self.entries = entries
    }

    private static func check(_ entry: Entry) throws(PayloadError) {
        let bytes = entry.path.utf8
        let parts = entry.path.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255 }
        guard isPlain, bytes.count <= longestPath, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .name(entry.path)
        }
        guard entry.mode <= 0o777 else { throw .mode(entry.path) }
        guard case .link(let target) = entry.content else { return }
        guard (1...longestPath).contains(target.utf8.count), !target.utf8.contains(0) else { throw .target(entry.path) }
    }
}

extension Payload.Entry.Content {
    /// The same kind without the bytes, to keep track of entries.
    fileprivate var kindOnly: Self {
        switch self {
        case .folder: .folder
        case .file: .file([])
        case .link: .link(target: "")
        }
    }
}

/// Why files cannot be a payload.
package enum PayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    case tooMany(Int)
    case tooLong(Int)
    case name(String)
    case mode(String)
    case target(String)
    case twice(String)
    case noFolder(String)
    case unreadable(String)

    package var description: String {
        switch self {
        case .tooMany(let count): "\(count) files are too many: at most \(Payload.mostEntries) can be sent to a board"
        case .tooLong(let bytes):
            "\(bytes >> 20) MiB are too much: at most \(Payload.longest >> 20) MiB can be sent to a board"
        case .name(let path): "“\(path)” cannot be sent to a board: its name is too long or not plain"
        case .mode(let path): "the permissions of “\(path)” are not plain"
        case .target(let path): "the target of the symbolic link “\(path)” is too long or empty"
        case .twice(let path): "“\(path)” occurs twice"
        case .noFolder(let path): "“\(path)” is in a missing folder"
        case .unreadable(let why): "the payload cannot be read: \(why)"
        }
    }
}

// MARK: - Bytes

extension Payload {
    private static let magic: [UInt8] = [0x48, 0x50, 1]
    private static let headerSize = 7
    private static let entryHeaderSize = 9

    /// The bytes to send.
    ///
    /// - Throws: ``PayloadError/tooLong(_:)``.
    package func encoded() throws(PayloadError) -> [UInt8] {
        var bytes = Payload.magic
        Payload.append(entries.count, 4, to: &bytes)
        for entry in entries {
            let (kind, content): (UInt8, ArraySlice<UInt8>) =
                switch entry.content {
                case .folder: (1, [])
                case .file(let content): (2, content)
                case .link(let target): (3, ArraySlice(target.utf8))
                }
            bytes.append(kind)
            Payload.append(Int(entry.mode), 2, to: &bytes)
            Payload.append(entry.path.utf8.count, 2, to: &bytes)
            Payload.append(content.count, 4, to: &bytes)
            bytes += entry.path.utf8
            bytes += content
            guard bytes.count <= Payload.longest else { throw .tooLong(bytes.count) }
        }
        return bytes
    }

    private static func append(_ value: Int, _ size: Int, to bytes: inout [UInt8]) {
        for place in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    /// Reads bytes that may come from anywhere. Files are parts of these bytes, not copies: a board has little memory.
    ///
    /// - Throws: ``PayloadError``.
    package init(decoding bytes: [UInt8]) throws(PayloadError) {
        guard bytes.count <= Payload.longest else { throw .tooLong(bytes.count) }
        guard bytes.starts(with: Payload.magic), bytes.count >= Payload.headerSize else {
            throw .unreadable("its beginning is not that of a payload")
        }
        func number(at place: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        let count = number(at: Payload.magic.count, 4)
        guard count <= Payload.mostEntries else { throw .tooMany(count) }
        var entries: [Entry] = []
        var place = Payload.headerSize
        for _ in 0..<count {
            guard bytes.count - place >= Payload.entryHeaderSize else { throw .unreadable("it ends too early") }
            let (kind, mode) = (bytes[place], number(at: place + 1, 2))
            let (pathLength, length) = (number(at: place + 3, 2), number(at: place + 5, 4))
            place += Payload.entryHeaderSize
            guard bytes.count - place >= pathLength + length else { throw .unreadable("it ends too early") }
            guard let path = String(validating: bytes[place..<(place + pathLength)], as: UTF8.self) else {
                throw .unreadable("a name is not UTF-8")
            }
            place += pathLength
            let content = bytes[place..<(place + length)]
            place += length
            entries.append(Entry(path, mode: UInt16(mode), try Payload.content(kind, content)))
        }
        guard place == bytes.count else { throw .unreadable("bytes follow its end") }
        try self.init(entries)
    }

    private static func content(_ kind: UInt8, _ bytes: ArraySlice<UInt8>) throws(PayloadError) -> Entry.Content {
        switch kind {
        case 1 where bytes.isEmpty: return .folder
        case 2: return .file(bytes)
        case 3:
            guard let target = String(validating: bytes, as: UTF8.self) else {
                throw .unreadable("the target of a link is not UTF-8")
            }
            return .link(target: target)
        default: throw .unreadable("an entry has an unknown kind")
        }
    }
}
