import Foundation

/// The TXT record of a service: keys, and mostly values.
///
/// Keys are compared without regard to case; a valid one has 1 or more printable ASCII characters without `=`. Of several
/// entries with one key, the first counts (RFC 6763, 6.4).
public struct NWTXTRecord: Sendable, Equatable, CustomDebugStringConvertible {
    /// The value of a key.
    public enum Entry: Sendable, Hashable, CustomDebugStringConvertible {
        /// The key stands alone: `key`.
        case none
        /// The value is empty: `key=`.
        case empty
        /// The value is this text.
        case string(String)
        /// The value is not text in UTF-8.
        case data(Data)

        public var debugDescription: String {
            switch self {
            case .none: "none"
            case .empty: "empty"
            case .string(let text): text
            case .data(let bytes): "\(bytes)"
            }
        }
    }

    /// The place of an entry.
    public struct Index: Sendable, Comparable {
        fileprivate let number: Int

        public static func < (left: Index, right: Index) -> Bool { left.number < right.number }
    }

    private var entries: [(key: String, value: Entry)] = []

    /// Makes a record of keys and texts. Entries that are not valid are left out.
    public init(_ dictionary: [String: String] = [:]) {
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) { setEntry(.string(value), for: key) }
    }

    /// Reads the form in a DNS packet: strings with their lengths before them. Entries that are not valid are left out.
    public init(_ data: Data) {
        var strings: [Data] = []
        var rest = data[...]
        while let length = rest.first {
            strings.append(Data(rest.dropFirst().prefix(Int(length))))
            rest = rest.dropFirst(1 + Int(length))
        }
        self.init(strings: strings)
    }

    /// Reads the strings of a record.
    init(strings: [Data]) {
        for string in strings {
            let equals = string.firstIndex(of: UInt8(ascii: "="))
            let key = String(decoding: string[..<(equals ?? string.endIndex)], as: UTF8.self)
            guard Self.isValid(key), getEntry(for: key) == nil else { continue }
            let value = equals.map { Data(string[string.index(after: $0)...]) }
            entries.append((key, value.map(Self.entry) ?? .none))
        }
    }

    private static func entry(_ value: Data) -> Entry {
        if value.isEmpty { return .empty }
        return String(bytes: value, encoding: .utf8).map { .string($0) } ?? .data(value)
    }

    private static func isValid(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    /// The strings of the record, each at most 255 bytes.
    var strings: [Data] {
        entries.map { key, value in
            switch value {
            case .none: Data(key.utf8)
            case .empty: Data("\(key)=".utf8)
            case .string(let text): Data("\(key)=\(text)".utf8)
            case .data(let bytes): Data("\(key)=".utf8) + bytes
            }
        }
    }

    /// The form in a DNS packet.
    public var data: Data { strings.reduce(into: Data()) { $0 += [UInt8($1.count)] + $1 } }

    /// The entries that have a text or an empty value.
    public var dictionary: [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in entries {
            switch value {
            case .string(let text): texts[key] = text
            case .empty: texts[key] = ""
            case .none, .data: break
            }
        }
        return texts
    }

    private func index(of key: String) -> Int? { entries.firstIndex { $0.key.lowercased() == key.lowercased() } }

    /// The entry of a key; nil if there is none.
    public func getEntry(for key: String) -> Entry? { index(of: key).map { entries[$0].value } }

    /// Sets the entry of a key.
    ///
    /// - Returns: Whether it was set: false for an invalid key, and for more than 255 bytes.
    @discardableResult
    public mutating func setEntry(_ entry: Entry, for key: String) -> Bool {
        var changed = self
        if let index = index(of: key) {
            changed.entries[index] = (key, entry)
        } else {
            changed.entries.append((key, entry))
        }
        guard Self.isValid(key), changed.strings.allSatisfy({ $0.count <= 255 }) else { return false }
        self = changed
        return true
    }

    /// Removes the entry of a key.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public mutating func removeEntry(key: String) -> Bool {
        guard let index = index(of: key) else { return false }
        entries.remove(at: index)
        return true
    }

    /// The text of a key; nil if it has none. Setting nil removes the entry.
    public subscript(key: String) -> String? {
        get {
            switch getEntry(for: key) {
            case .string(let text): text
            case .empty: ""
            case .data, Optional<Entry>.none, .some(.none): nil
            }
        }
        set {
            if let newValue { setEntry(.string(newValue), for: key) } else { removeEntry(key: key) }
        }
    }

    /// Whether both have the same entries, in any order.
    public static func == (left: NWTXTRecord, right: NWTXTRecord) -> Bool { left.content == right.content }

    private var content: [String: Entry] {
        Dictionary(entries.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    public var debugDescription: String { "\(entries.map { "\($0.key)=\($0.value.debugDescription)" })" }
}

extension NWTXTRecord: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension NWTXTRecord: Collection {
    public typealias Element = (key: String, value: Entry)

    public var startIndex: Index { Index(number: 0) }
    public var endIndex: Index { Index(number: entries.count) }
    public func index(after index: Index) -> Index { Index(number: index.number + 1) }
    public subscript(position: Index) -> Element { entries[position.number] }
}
