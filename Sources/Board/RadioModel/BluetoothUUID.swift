/// A Bluetooth UUID in its 128-bit form, so that a short and a long spelling of one UUID are equal.
///
/// Source: Bluetooth Core Specification 6.0, Vol 3, Part B, 2.5.1.
public struct BluetoothUUID: Sendable, Hashable, Codable, CustomStringConvertible {
    private static let base: [UInt8] = [0, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB]

    /// The 16 bytes, most significant first.
    public let bytes: [UInt8]

    /// From 2, 4 or 16 bytes, most significant first; nil for any other length.
    package init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 2: self.bytes = Array([0, 0] + Array(bytes) + BluetoothUUID.base[4...])
        case 4: self.bytes = Array(bytes) + BluetoothUUID.base[4...]
        case 16: self.bytes = Array(bytes)
        default: return nil
        }
    }

    /// From a 16-bit number that the Bluetooth SIG assigned.
    public init(short number: UInt16) {
        bytes = [0, 0, UInt8(number >> 8), UInt8(number & 0xFF)] + BluetoothUUID.base[4...]
    }

    /// From `180F`, `0000180F` or the form with 36 characters, in upper or lower case; nil for other text.
    public init?(_ text: String) {
        let characters = Array(text.utf8)
        if characters.count == 36 {
            guard [8, 13, 18, 23].allSatisfy({ characters[$0] == UInt8(ascii: "-") }) else { return nil }
        } else if characters.count != 4 && characters.count != 8 {
            return nil
        }
        let digits = characters.count == 36 ? characters.filter { $0 != UInt8(ascii: "-") } : characters
        guard let bytes = Hex.bytes(digits) else { return nil }
        self.init(bytes: bytes)
    }

    /// The shortest form, 2, 4 or 16 bytes, most significant first.
    package var shortest: [UInt8] {
        guard bytes[4...] == BluetoothUUID.base[4...] else { return bytes }
        return bytes[0] == 0 && bytes[1] == 0 ? Array(bytes[2..<4]) : Array(bytes[0..<4])
    }

    /// The 36-character form in upper case.
    public var description: String {
        let text = Hex.text(bytes)
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { String(text.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let uuid = BluetoothUUID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a Bluetooth UUID")
        }
        self = uuid
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
