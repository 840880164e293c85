/// Makes a short line for a packet of a capture. Details are in the capture itself.
enum PacketText {
    /// - Parameters:
    ///   - bytes: The packet as it is in the capture.
    ///   - interface: 0 for the host board's HCI, 1 for the accessory board's, 2 for 802.11.
    /// - Returns: nil if the bytes are too few for a packet.
    static func line(_ bytes: ArraySlice<UInt8>, of interface: UInt32) -> String? {
        switch interface {
        case 0: hci(Bytes(bytes)).map { "host HCI \($0)" }
        case 1: hci(Bytes(bytes)).map { "accessory HCI \($0)" }
        case 2: wifi(Bytes(bytes)).map { "802.11 \($0)" }
        default: nil
        }
    }

    /// To whom a packet goes: for HCI `host` or `controller`, for 802.11 the receiver's address; nil if it does not say.
    ///
    /// - Parameters: As those of ``line(_:of:)``.
    static func receiver(of bytes: ArraySlice<UInt8>, of interface: UInt32) -> String? {
        let bytes = Bytes(bytes)
        guard interface == 2 else { return bytes.byte(3).map { $0 == 0 ? "controller" : "host" } }
        return bytes.word(2).flatMap { bytes.dropFirst(Int($0)).address(4) }
    }

    /// Reads numbers from bytes; nil where there are too few.
    private struct Bytes {
        private let bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

        func byte(_ offset: Int) -> UInt8? {
            offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
        }

        /// Two bytes, little-endian.
        func word(_ offset: Int) -> UInt16? {
            guard let low = byte(offset), let high = byte(offset + 1) else { return nil }
            return UInt16(high) << 8 | UInt16(low)
        }

        func dropFirst(_ count: Int) -> Bytes { Bytes(bytes.dropFirst(count)) }

        func address(_ offset: Int) -> String? {
            guard bytes.count >= offset + 6 else { return nil }
            return bytes.dropFirst(offset).prefix(6).map(hex).joined(separator: ":")
        }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static func hex(_ word: UInt16) -> String { "0x" + hex(UInt8(word >> 8)) + hex(UInt8(word & 0xFF)) }

    // MARK: - HCI (Bluetooth Core 5.4, volume 4, part E)

    /// The bytes are four bytes of direction, the H4 type, and the packet.
    private static func hci(_ bytes: Bytes) -> String? {
        guard let direction = bytes.byte(3), let type = bytes.byte(4) else { return nil }
        let packet = bytes.dropFirst(5)
        let way = direction == 0 ? "→" : "←"
        switch type {
        case 1: return packet.word(0).map { "\(way) command \(hex($0))" }
        case 2: return acl(packet).map { "\(way) \($0)" }
        case 4: return event(packet).map { "\(way) \($0)" }
        default: return "\(way) packet of type \(type)"
        }
    }

    private static func event(_ packet: Bytes) -> String? {
        guard let code = packet.byte(0) else { return nil }
        switch code {
        case 0x05: return "disconnection complete"
        case 0x08, 0x59: return "encryption change"
        case 0x0E: return packet.word(3).map { "command complete \(hex($0))" }
        case 0x0F: return packet.word(4).map { "command status \(hex($0))" }
        case 0x13: return "packets completed"
        case 0x3E:
            guard let meta = packet.byte(2) else { return nil }
            let names: [UInt8: String] = [
                0x01: "connection complete", 0x02: "advertising report", 0x03: "connection update complete",
                0x04: "remote features", 0x05: "long term key request", 0x07: "data length change",
                0x0A: "enhanced connection complete", 0x0C: "PHY update complete", 0x0D: "extended advertising report",
                0x12: "advertising set terminated",
            ]
            return "LE \(names[meta] ?? "event 0x" + hex(meta))"
        default: return "event 0x" + hex(code)
        }
    }

    /// The packet is handle and flags, length; L2CAP length and channel; then ATT, signalling or the security manager.
    private static func acl(_ packet: Bytes) -> String? {
        guard let handle = packet.word(0) else { return nil }
        if handle >> 12 & 3 == 1 { return "ACL, continued" }
        guard let channel = packet.word(6), let code = packet.byte(8) else { return "ACL" }
        switch channel {
        case 4: return "ATT " + (attributeCodes[code] ?? "0x" + hex(code))
        case 5: return "L2CAP signalling 0x" + hex(code)
        case 6: return "SMP " + (securityCodes[code] ?? "0x" + hex(code))
        default: return "L2CAP channel \(hex(channel))"
        }
    }

    private static let attributeCodes: [UInt8: String] = [
        0x01: "error", 0x02: "MTU request", 0x03: "MTU response", 0x04: "find information request",
        0x05: "find information response", 0x06: "find by type request", 0x07: "find by type response",
        0x08: "read by type request", 0x09: "read by type response", 0x0A: "read request", 0x0B: "read response",
        0x0C: "read blob request", 0x0D: "read blob response", 0x0E: "read multiple request",
        0x0F: "read multiple response", 0x10: "read by group type request", 0x11: "read by group type response",
        0x12: "write request", 0x13: "write response", 0x16: "prepare write request", 0x17: "prepare write response",
        0x18: "execute write request", 0x19: "execute write response", 0x1B: "notification", 0x1D: "indication",
        0x1E: "confirmation", 0x52: "write command", 0xD2: "signed write command",
    ]

    private static let securityCodes: [UInt8: String] = [
        0x01: "pairing request", 0x02: "pairing response", 0x03: "pairing confirm", 0x04: "pairing random",
        0x05: "pairing failed", 0x06: "encryption information", 0x07: "central identification",
        0x08: "identity information", 0x09: "identity address information", 0x0A: "signing information",
        0x0B: "security request", 0x0C: "pairing public key", 0x0D: "pairing DHKey check",
        0x0E: "keypress notification",
    ]

    // MARK: - 802.11 (IEEE 802.11-2020, 9.2.4.1.3)

    /// The bytes are the radiotap header, with its length in bytes 3 and 4, and the frame.
    private static func wifi(_ bytes: Bytes) -> String? {
        guard let header = bytes.word(2) else { return nil }
        let frame = bytes.dropFirst(Int(header))
        guard let control = frame.word(0) else { return nil }
        let (type, subtype) = (control >> 2 & 3, UInt8(control >> 4 & 15))
        let between = frame.address(10).flatMap { from in frame.address(4).map { " \(from) → \($0)" } } ?? ""
        switch type {
        case 0: return (managementNames[subtype] ?? "management \(subtype)") + between
        case 1: return "control \(subtype)" + between
        case 2:
            if subtype & 4 != 0 { return "null data" + between }
            if control & 0x4000 != 0 { return "protected data" + between }
            // The header is two bytes longer with QoS. Then come LLC and SNAP, whose last two bytes are the protocol.
            let start = 24 + (subtype & 8 != 0 ? 2 : 0) + 6
            let isKey = frame.byte(start) == 0x88 && frame.byte(start + 1) == 0x8E
            return (isKey ? "EAPOL" : "data") + between
        default: return "extension \(subtype)" + between
        }
    }

    private static let managementNames: [UInt8: String] = [
        0: "association request", 1: "association response", 2: "reassociation request", 3: "reassociation response",
        4: "probe request", 5: "probe response", 8: "beacon", 10: "disassociation", 11: "authentication",
        12: "deauthentication", 13: "action",
    ]
}
