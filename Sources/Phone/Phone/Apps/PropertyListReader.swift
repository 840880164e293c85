import Foundation

/// Reads property lists that anybody may have written.
///
/// Foundation builds every value of a binary list once for each reference to it, so that some hundred bytes can stand
/// for more than any memory holds; and it follows nested values by calling itself. So the values that a list stands for
/// are counted first.
enum PropertyListReader {
    /// Why a list is not read.
    struct Refusal: LocalizedError, Equatable {
        let errorDescription: String?

        init(_ why: String) { errorDescription = why }
    }

    /// More than any file of an app has.
    enum Limit {
        /// In bytes.
        static let size = 4 << 20
        /// How deep values are nested.
        static let depth = 64
        /// The values that a list stands for, each counted as often as it is referred to.
        static let values = 100_000
    }

    /// The root of a list in any of Apple's formats.
    static func root(of data: Data) throws -> Any {
        guard data.count <= Limit.size else {
            throw Refusal("it has \(data.count) bytes, and at most \(Limit.size) are read")
        }
        if data.starts(with: Array("bplist".utf8)) {
            var list = try BinaryPropertyList([UInt8](data))
            try list.check()
        } else {
            try checkText([UInt8](data))
        }
        return try PropertyListSerialization.propertyList(from: data, format: nil)
    }

    /// Whether a list is in the text format that is older than XML.
    static func isOpenStep(_ data: Data) -> Bool {
        !data.starts(with: Array("bplist".utf8)) && !isXML(data.prefix(Limit.size).filter { $0 != 0 })
    }

    /// - Parameter text: Without zero bytes.
    private static func isXML(_ text: some Sequence<UInt8>) -> Bool {
        text.first { ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
    }

    /// Refuses a text, in XML or in the older format, that is nested too deeply.
    private static func checkText(_ bytes: [UInt8]) throws(Refusal) {
        // In UTF-16 every second byte of a tag is zero.
        let bytes = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
        let isXML = isXML(bytes)
        var depth = 0
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "<"):
                let tag = bytes[(place + 1)...].prefix(7)
                if tag.starts(with: Array("array".utf8)) || tag.starts(with: Array("dict".utf8)) { depth += 1 }
                if tag.starts(with: Array("/array".utf8)) || tag.starts(with: Array("/dict".utf8)) { depth -= 1 }
            case UInt8(ascii: "("), UInt8(ascii: "{"): if !isXML { depth += 1 }
            case UInt8(ascii: ")"), UInt8(ascii: "}"): if !isXML { depth -= 1 }
            default: break
            }
            if depth > Limit.depth { throw Refusal("its values are nested more than \(Limit.depth) deep") }
        }
    }
}

/// The structure of a binary property list (`bplist00`), as far as it says how much the list stands for.
///
/// At its end are 32 bytes: at 6 and 7 the sizes of an offset and of a reference, then as big-endian numbers of 64 bits how
/// many objects there are, which is the root, and where the table of their offsets begins. An object begins with a byte: its
/// kind in the upper half, in the lower one its length, or 15 if a number follows that is the length.
private struct BinaryPropertyList {
    private enum Kind {
        static let array: UInt8 = 0xA
        static let orderedSet: UInt8 = 0xB
        static let set: UInt8 = 0xC
        static let dictionary: UInt8 = 0xD
    }

    private let bytes: [UInt8]
    private let objects: Int
    private let root: Int
    private let table: Int
    private let offsetSize: Int
    private let referenceSize: Int
    /// For each object how many values it stands for, once that is known.
    private var values: [Int?]

    init(_ bytes: [UInt8]) throws(PropertyListReader.Refusal) {
        self.bytes = bytes
        let end = bytes.count - 32
        guard end >= 8 else { throw PropertyListReader.Refusal("it is cut off") }
        (offsetSize, referenceSize) = (Int(bytes[end + 6]), Int(bytes[end + 7]))
        func number(_ place: Int) -> Int? { BinaryPropertyList.number(in: bytes, at: end + place, size: 8) }
        guard let objects = number(8), let root = number(16), let table = number(24), (1...8).contains(offsetSize),
            (1...8).contains(referenceSize), objects > 0, root < objects, table >= 8, table <= end,
            objects <= (end - table) / offsetSize
        else { throw PropertyListReader.Refusal("its table of objects is damaged") }
        (self.objects, self.root, self.table) = (objects, root, table)
        values = Array(repeating: nil, count: objects)
    }

    /// A big-endian number; nil if it does not fit or lies outside.
    private static func number(in bytes: [UInt8], at place: Int, size: Int) -> Int? {
        guard place >= 0, size > 0, place <= bytes.count - size else { return nil }
        return Int(exactly: bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// Refuses a list that stands for too much, refers to itself, or reaches beyond the file.
    mutating func check() throws(PropertyListReader.Refusal) { _ = try count(root, depth: 1) }

    /// How many values an object stands for.
    private mutating func count(_ object: Int, depth: Int) throws(PropertyListReader.Refusal) -> Int {
        if let known = values[object] { return known }
        guard depth <= PropertyListReader.Limit.depth else {
            throw PropertyListReader.Refusal("its values are nested more than \(PropertyListReader.Limit.depth) deep")
        }
        var sum = 1
        for reference in try references(of: object) {
            sum += try count(reference, depth: depth + 1)
            guard sum <= PropertyListReader.Limit.values else {
                throw PropertyListReader.Refusal("it stands for more than \(PropertyListReader.Limit.values) values")
            }
        }
        values[object] = sum
        return sum
    }

    /// The objects that one refers to; none if it has no parts.
    private func references(of object: Int) throws(PropertyListReader.Refusal) -> [Int] {
        let damaged = PropertyListReader.Refusal("object \(object) is damaged")
        guard var place = BinaryPropertyList.number(in: bytes, at: table + object * offsetSize, size: offsetSize),
            place < table
        else { throw damaged }
        let (kind, short) = (bytes[place] >> 4, Int(bytes[place] & 0xF))
        place += 1
        // Strings, data and containers have a length. Other objects have a size of at most 16 bytes in their first
        // byte.
        guard (0x4...0xD).contains(kind), kind != 0x8, kind != 0x9 else {
            return []
        }
        var length = short
        if short == 0xF {
            guard place < table, bytes[place] >> 4 == 1, bytes[place] & 0xF <= 3 else { throw damaged }
            let size = 1 << Int(bytes[place] & 0xF)
            guard let long = BinaryPropertyList.number(in: bytes, at: place + 1, size: size) else { throw damaged }
            (length, place) = (long, place + 1 + size)
        }
        let isContainer = [Kind.array, Kind.orderedSet, Kind.set, Kind.dictionary].contains(kind)
        let unit = isContainer ? referenceSize * (kind == Kind.dictionary ? 2 : 1) : kind == 0x6 ? 2 : 1
        guard place <= table, length <= (table - place) / unit else { throw damaged }
        guard isContainer else { return [] }
        return try (0..<length * unit / referenceSize).map { index throws(PropertyListReader.Refusal) in
            let at = place + index * referenceSize
            guard let reference = BinaryPropertyList.number(in: bytes, at: at, size: referenceSize), reference < objects
            else { throw damaged }
            return reference
        }
    }
}
