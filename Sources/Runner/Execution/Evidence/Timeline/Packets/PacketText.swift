/// Makes a short line for a packet of a capture. All details are in the capture itself.
///
/// The bytes come from the air: cut or unknown content gives a shorter line, or none.
enum PacketText {
    /// - Parameters:
    ///   - bytes: The packet as it is in the capture.
    ///   - interface: 0 for the host board's HCI, 1 for the accessory board's, 2 for 802.11.
    /// - Returns: nil if the bytes are too few for a packet.
    static func line(_ bytes: ArraySlice<UInt8>, of interface: UInt32) -> String? {
        switch interface {
        case 0: HCIText.line(PacketBytes(bytes)).map { "host HCI \($0)" }
        case 1: HCIText.line(PacketBytes(bytes)).map { "accessory HCI \($0)" }
        case 2: WiFiText.line(PacketBytes(bytes)).map { "802.11 \($0)" }
        default: nil
        }
    }

    /// The receiver of a packet: for HCI `host` or `controller`, for 802.11 the receiver's address; nil if the packet
    /// names none.
    ///
    /// - Parameters: As those of ``line(_:of:)``.
    static func receiver(of bytes: ArraySlice<UInt8>, of interface: UInt32) -> String? {
        let bytes = PacketBytes(bytes)
        guard interface == 2 else { return bytes.byte(3).map { $0 == 0 ? "controller" : "host" } }
        return bytes.word(2).flatMap { bytes.dropFirst(Int($0)).address(4) }
    }
}

/// Reads numbers from bytes; nil where there are too few.
struct PacketBytes {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> UInt8? {
        offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
    }

    /// Two bytes, little-endian.
    func word(_ offset: Int) -> UInt16? {
        guard let low = byte(offset), let high = byte(offset + 1) else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    func dropFirst(_ count: Int) -> PacketBytes { PacketBytes(bytes.dropFirst(count)) }

    /// Six bytes in the order of 802.11.
    func address(_ offset: Int) -> String? {
        guard bytes.count >= offset + 6 else { return nil }
        return bytes.dropFirst(offset).prefix(6).map(PacketBytes.hex).joined(separator: ":")
    }

    /// Six bytes in the order of HCI: the last one comes first.
    func device(_ offset: Int) -> String? {
        guard bytes.count >= offset + 6 else { return nil }
        return bytes.dropFirst(offset).prefix(6).reversed().map(PacketBytes.hex).joined(separator: ":").uppercased()
    }

    /// A text of at most this many bytes, in UTF-8.
    func text(_ offset: Int, _ count: Int) -> String? {
        guard count > 0, bytes.count >= offset + count else { return nil }
        return String(decoding: bytes.dropFirst(offset).prefix(count), as: UTF8.self)
    }

    static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    static func hex(_ word: UInt16) -> String { "0x" + hex(UInt8(word >> 8)) + hex(UInt8(word & 0xFF)) }
}
