import HILPOSIX

/// A value that a D-Bus message can hold.
///
/// Source: D-Bus Specification 0.43, "Type System".
package indirect enum BusValue: Sendable, Equatable {
    /// One key and its value in a dictionary.
    package struct Entry: Sendable, Equatable {
        package let key: BusValue
        package let value: BusValue

        package init(_ key: BusValue, _ value: BusValue) {
            self.key = key
            self.value = value
        }
    }

    case boolean(Bool)
    case byte(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    /// An object path, such as `/org/bluez/hci0`.
    case path(String)
    case signature(String)
    /// An array of bytes, `ay`. It has its own case because it is frequent and may be large.
    case bytes([UInt8])
    /// Any other array, with the signature of its elements, as the array may be empty.
    case array(of: String, [BusValue])
    /// A dictionary, `a{kv}`, with the signatures of keys and values. The entries keep their order.
    case dictionary(key: String, value: String, [Entry])
    case structure([BusValue])
    case variant(BusValue)
    /// A file descriptor. The receiver gets a copy.
    case descriptor(Descriptor)

    /// The type of the value as a D-Bus signature.
    package var signature: String {
        switch self {
        case .boolean: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a\(element)"
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(\(fields.map(\.signature).joined()))"
        case .variant: "v"
        case .descriptor: "h"
        }
    }

    package static func == (left: BusValue, right: BusValue) -> Bool {
        switch (left, right) {
        case (.boolean(let a), .boolean(let b)): a == b
        case (.byte(let a), .byte(let b)): a == b
        case (.int16(let a), .int16(let b)): a == b
        case (.uint16(let a), .uint16(let b)): a == b
        case (.int32(let a), .int32(let b)): a == b
        case (.uint32(let a), .uint32(let b)): a == b
        case (.int64(let a), .int64(let b)): a == b
        case (.uint64(let a), .uint64(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.string(let a), .string(let b)), (.path(let a), .path(let b)), (.signature(let a), .signature(let b)):
            a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.array(let type, let a), .array(let other, let b)): type == other && a == b
        case (.dictionary(let k, let v, let a), .dictionary(let l, let w, let b)): k == l && v == w && a == b
        case (.structure(let a), .structure(let b)): a == b
        case (.variant(let a), .variant(let b)): a == b
        case (.descriptor(let a), .descriptor(let b)): a === b
        default: false
        }
    }
}

// MARK: - Making values

extension BusValue {
    /// A dictionary of properties, `a{sv}`, as every D-Bus interface uses it. Sorted, so that equal dictionaries are
    /// equal.
    package static func properties(_ properties: [String: BusValue]) -> BusValue {
        let entries = properties.sorted { $0.key < $1.key }.map { Entry(.string($0.key), .variant($0.value)) }
        return .dictionary(key: "s", value: "v", entries)
    }

    /// An array of strings, `as`.
    package static func strings(_ strings: [String]) -> BusValue { .array(of: "s", strings.map { .string($0) }) }
}

extension BusValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

// MARK: - Reading values. Nil if the value has another type

extension BusValue {
    /// The value inside all variants around it.
    package var unwrapped: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    package var asBool: Bool? { if case .boolean(let value) = unwrapped { value } else { nil } }

    /// A string, an object path or a signature.
    package var asString: String? {
        switch unwrapped {
        case .string(let text), .path(let text), .signature(let text): text
        default: nil
        }
    }

    /// An integer of any size, if it fits.
    package var asInt: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    package var asBytes: [UInt8]? { if case .bytes(let value) = unwrapped { value } else { nil } }
    package var asDescriptor: Descriptor? { if case .descriptor(let value) = unwrapped { value } else { nil } }

    /// The elements of an array, or the fields of a structure.
    package var asArray: [BusValue]? {
        switch unwrapped {
        case .array(_, let elements), .structure(let elements): elements
        default: nil
        }
    }

    /// A dictionary whose keys are strings or object paths. Values are taken out of variants. For equal keys, the last
    /// value is used.
    package var asDictionary: [String: BusValue]? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        var result: [String: BusValue] = [:]
        for entry in entries {
            guard let key = entry.key.asString else { return nil }
            result[key] = entry.value.unwrapped
        }
        return result
    }
}
