/// One header of a tar archive: POSIX.1-2017 (pax, section “ustar Interchange Format”) and GNU tar's manual, “Basic Tar
/// Format”. Pure.
struct TarHeader: Equatable {
    /// The size of a header, and what the length of each content is rounded up to.
    static let size = 512

    /// What an entry is.
    enum Kind: Equatable {
        case file, hardLink, link, folder
        /// A device or a pipe.
        case special
        /// The name of the next entry, which is too long for its header.
        case longName
        /// The link target of the next entry.
        case longTarget
        /// Records of pax for the next entry.
        case records
        /// Records of pax for all entries, which say nothing that is needed.
        case globalRecords
    }

    var kind: Kind
    var name: String
    var target: String
    var mode: UInt16
    /// The length of the content that follows.
    var length: Int
    /// When it was last changed, in seconds since 1970; 0 if the header has no such number.
    var modified: Int

    /// Reads a header; nil for a block of zeros, which ends an archive.
    ///
    /// - Throws: ``TarError`` if it is not one.
    init?(_ block: [UInt8]) throws(TarError) {
        guard block.count == TarHeader.size else { throw TarError("it ends in the middle of a header") }
        if block.allSatisfy({ $0 == 0 }) { return nil }
        // The checksum counts its own field as spaces.
        let sum = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
        guard try TarHeader.number(block[148..<156]) == sum else {
            throw TarError("it is not a tar archive, or is damaged: a header's checksum is wrong")
        }
        var name = try TarHeader.text(block[0..<100])
        // GNU tar keeps other things where POSIX has a prefix of the name.
        if Array(block[257..<263]) == Array("ustar\0".utf8) {
            let prefix = try TarHeader.text(block[345..<500])
            if !prefix.isEmpty { name = "\(prefix)/\(name)" }
        }
        self.name = name
        target = try TarHeader.text(block[157..<257])
        mode = UInt16(truncatingIfNeeded: try TarHeader.number(block[100..<108]) & 0o7777)
        length = try TarHeader.number(block[124..<136])
        modified = (try? TarHeader.number(block[136..<148])) ?? 0
        kind = try TarHeader.kind(block[156], name)
        // Some writers give a link the size of its target, and no content.
        if [.hardLink, .link, .folder, .special].contains(kind) { length = 0 }
    }

    private static func kind(_ flag: UInt8, _ name: String) throws(TarError) -> Kind {
        switch UnicodeScalar(flag) {
        case "0", "\0", "7": .file
        case "1": .hardLink
        case "2": .link
        case "3", "4", "6": .special
        case "5": .folder
        case "L": .longName
        case "K": .longTarget
        case "x": .records
        case "g": .globalRecords
        case "S": throw TarError("“\(name)” is a sparse file: make the archive without --sparse")
        default: throw TarError("“\(name)” has the unknown type \(flag)")
        }
    }

    /// The text of a field, which ends at its first zero.
    static func text(_ field: some Collection<UInt8>) throws(TarError) -> String {
        guard let text = String(validating: field.prefix { $0 != 0 }, as: UTF8.self) else {
            throw TarError("a name is not UTF-8: \(String(decoding: field.prefix { $0 != 0 }, as: UTF8.self))")
        }
        return text
    }

    /// A number: octal digits, or, as GNU tar writes large ones, bytes after one with its highest bit set.
    static func number(_ field: ArraySlice<UInt8>) throws(TarError) -> Int {
        if let first = field.first, first & 0x80 != 0 {
            // 8 bytes are more than any file has, and a negative number has all bits set.
            guard first == 0x80, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else {
                throw TarError("a number is too large")
            }
            return field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        if digits.isEmpty { return 0 }
        guard digits.count <= 12, let value = Int(String(decoding: digits, as: UTF8.self), radix: 8), value >= 0 else {
            throw TarError("a number is not octal")
        }
        return value
    }

    /// The records of pax in the content of an entry: `LENGTH NAME=VALUE` and a line break each.
    static func records(_ bytes: [UInt8]) throws(TarError) -> [String: String] {
        var records: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != 0x20 }
            guard digits.count <= 9, let length = Int(String(decoding: digits, as: UTF8.self)),
                length > digits.count + 1, length <= rest.count
            else { throw TarError("a record of pax has a wrong length") }
            let record = rest.prefix(length).dropFirst(digits.count + 1)
            guard record.last == 0x0A, let equals = record.firstIndex(of: 0x3D) else {
                throw TarError("a record of pax cannot be read")
            }
            let name = String(decoding: record[record.startIndex..<equals], as: UTF8.self)
            records[name] = String(validating: record[(equals + 1)...].dropLast(), as: UTF8.self)
            rest = rest.dropFirst(length)
        }
        return records
    }
}

/// What is wrong with a tar archive, in a line.
struct TarError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
