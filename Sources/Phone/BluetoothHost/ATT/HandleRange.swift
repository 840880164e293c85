import RadioModel

/// A range of attribute handles, as it is on the air: a hostile one may be empty or begin with 0.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.2.2.
package struct HandleRange: Sendable, Hashable, Codable, CustomStringConvertible {
    package var first: UInt16
    package var last: UInt16

    package init(_ first: UInt16, _ last: UInt16) {
        self.first = first
        self.last = last
    }

    /// All handles.
    package static let all = HandleRange(0x0001, 0xFFFF)

    /// Whether the specification permits it in a request: not empty, and without the reserved handle 0.
    package var isValid: Bool { first != 0 && first <= last }

    package func contains(_ handle: UInt16) -> Bool { first <= handle && handle <= last }

    package func overlaps(_ other: HandleRange) -> Bool { first <= other.last && other.first <= last }

    /// The smallest range with all handles of both.
    package func joined(with other: HandleRange) -> HandleRange {
        HandleRange(min(first, other.first), max(last, other.last))
    }

    /// `0x0001 to 0xFFFF`.
    package var description: String { "\(HandleRange.text(first)) to \(HandleRange.text(last))" }

    /// A handle for people: `0x0012`.
    package static func text(_ handle: UInt16) -> String {
        "0x" + Hex.text([UInt8(handle >> 8), UInt8(handle & 0xFF)])
    }
}

/// An attribute's handle with its value, or with the first bytes of it.
package struct HandleValue: Sendable, Hashable {
    package var handle: UInt16
    package var value: [UInt8]

    package init(_ handle: UInt16, _ value: [UInt8]) {
        self.handle = handle
        self.value = value
    }
}

/// An attribute's handle with its type. Source: Vol 3, Part F, 3.4.3.2.
package struct AttributeInformation: Sendable, Hashable {
    package var handle: UInt16
    package var type: BluetoothUUID

    package init(_ handle: UInt16, _ type: BluetoothUUID) {
        self.handle = handle
        self.type = type
    }
}

/// A group of attributes with the value of its first one: a service with its UUID. Source: Vol 3, Part F, 3.4.4.10.
package struct AttributeGroup: Sendable, Hashable {
    package var range: HandleRange
    package var value: [UInt8]

    package init(_ range: HandleRange, _ value: [UInt8]) {
        self.range = range
        self.value = value
    }
}

/// One value of a Read Multiple Variable Response. Source: Vol 3, Part F, 3.4.4.12.
package struct VariableValue: Sendable, Hashable {
    /// The length of the whole value in bytes.
    package var length: UInt16
    /// The value; its first bytes only, if the MTU cut the response.
    package var bytes: [UInt8]

    package init(length: UInt16, bytes: [UInt8]) {
        self.length = length
        self.bytes = bytes
    }

    package var isWhole: Bool { bytes.count == Int(length) }
}
