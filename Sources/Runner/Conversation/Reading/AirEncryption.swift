/// Follows how a link on the air becomes encrypted, also if the sniffer missed a packet of it.
///
/// Source: Core Specification 6.0, Vol 6, Part B, 5.1.3: between the request and the first encrypted packet, the central
/// sends nothing else, and after its response neither does the peripheral.
struct AirEncryption: Sendable {
    private enum Phase {
        case clear
        /// After LL_ENC_REQ.
        case requested
        /// After LL_ENC_RSP.
        case answered
        case encrypted
    }

    /// The lengths of control PDUs by their opcodes, with the opcode (Vol 6, Part B, 2.4.2).
    private static let lengths: [UInt8] = [
        12, 8, 2, 23, 13, 1, 1, 2, 9, 9, 1, 1, 6, 2, 9, 24, 24, 3, 1, 1, 9, 9, 3, 3, 5,
    ]
    /// Opcodes from here on are reserved: those of noise.
    private static let reserved: UInt8 = 0x40

    private var phase = Phase.clear

    var isOn: Bool { phase == .encrypted }

    /// Takes a packet with its header.
    ///
    /// - Returns: Whether it can be read.
    mutating func take(_ bytes: [UInt8], from side: Procedure.Side, isDecrypted: Bool) -> Bool {
        if isDecrypted || phase == .encrypted {
            phase = .encrypted
            return isDecrypted
        }
        guard bytes.count > 2, bytes[0] & 0x03 == 3 else {
            // Data that the peripheral had ready may still come before its response.
            let isData = phase == .clear || phase == .requested && side == .accessory
            if !isData { phase = .encrypted }
            return isData
        }
        return takeControl(opcode: bytes[2], length: bytes[1], from: side)
    }

    private mutating func takeControl(opcode: UInt8, length: UInt8, from side: Procedure.Side) -> Bool {
        guard AirEncryption.isPossible(opcode, length) else {
            phase = .encrypted
            return false
        }
        switch (phase, opcode) {
        case (_, 0x03): phase = .requested
        case (.requested, 0x04), (.answered, 0x04): phase = .answered
        // LL_START_ENC_REQ: the next packet is encrypted.
        case (_, 0x05): phase = .encrypted
        // Neither end can encrypt.
        case (.requested, 0x0D), (.answered, 0x0D), (.requested, 0x11), (.answered, 0x11): phase = .clear
        case (_, 0x02), (.clear, _): break
        case (.requested, _) where side == .accessory: break
        default:
            phase = .encrypted
            return false
        }
        return true
    }

    /// Whether a control PDU can have this length. Those of later versions are not checked.
    private static func isPossible(_ opcode: UInt8, _ length: UInt8) -> Bool {
        guard opcode < lengths.count else { return opcode < reserved }
        return length == lengths[Int(opcode)]
    }
}
