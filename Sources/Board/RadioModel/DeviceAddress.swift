/// A Bluetooth device address or a Wi-Fi MAC address: six bytes, written `9C:5A:81:00:00:01`.
public struct DeviceAddress: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The six bytes in the order in which they are written.
    public let bytes: [UInt8]

    /// From six bytes in the order in which they are written; nil for another number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 6 else { return nil }
        self.bytes = Array(bytes)
    }

    /// From six pairs of hexadecimal digits with colons, in upper or lower case; nil for other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        guard let bytes = Hex.bytes(parts.flatMap { Array($0.utf8) }) else { return nil }
        self.init(bytes: bytes)
    }

    public var description: String { bytes.map { Hex.text([$0]) }.joined(separator: ":") }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let address = DeviceAddress(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a device address")
        }
        self = address
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
