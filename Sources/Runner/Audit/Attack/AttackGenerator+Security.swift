import HILBluetoothHost

// Packets of the security manager: the beginning of each kind of pairing, up to any state, and then what does not belong there.
extension AttackGenerator {
    /// The orders in which the initiator of a pairing sends its commands: with LE Secure Connections when a number is
    /// compared or nothing is asked, with a passkey, and legacy pairing.
    private static let courses: [[SMPCommand.Code]] = [
        [.pairingRequest, .publicKey, .pairingRandom, .dhKeyCheck],
        [.pairingRequest, .publicKey, .pairingConfirm, .pairingRandom, .pairingConfirm, .pairingRandom, .dhKeyCheck],
        [.pairingRequest, .pairingConfirm, .pairingRandom, .encryptionInformation, .centralIdentification],
    ]

    mutating func securityCourse() -> [AttackPacket] {
        guard chance.happens(60) else { return [unasked()] }
        let number = chance.number(below: AttackGenerator.courses.count)
        let course = AttackGenerator.courses[number]
        let packets = course.prefix(chance.number(in: 1...course.count)).map { code in
            AttackPacket(.securityManager, command(code, isSecure: number < 2))
        }
        return packets + [unasked()]
    }

    /// A command that belongs nowhere.
    private mutating func unasked() -> AttackPacket {
        let code = chance.one(of: SMPCommand.Code.allCases)
        let bytes =
            chance.happens(5)
            ? [chance.byte()] + chance.bytes(chance.number(below: 20))
            : command(code, isSecure: chance.happens(50))
        return framed(.securityManager, payload(bytes), badHeaders: 4)
    }

    /// A command of the right form.
    private mutating func command(_ code: SMPCommand.Code, isSecure: Bool) -> [UInt8] {
        switch code {
        case .pairingRequest, .pairingResponse: [code.rawValue] + parameters(isSecure: isSecure)
        case .pairingFailed, .keypressNotification: [code.rawValue, UInt8(chance.number(below: 20))]
        case .securityRequest: [code.rawValue, requirements(isSecure: isSecure)]
        case .centralIdentification: [code.rawValue] + chance.bytes(10)
        case .identityAddressInformation: [code.rawValue, UInt8(chance.number(below: 3))] + chance.bytes(6)
        case .publicKey: [code.rawValue] + publicKey()
        case .pairingConfirm, .pairingRandom, .encryptionInformation, .identityInformation, .signingInformation,
            .dhKeyCheck:
            [code.rawValue] + (chance.happens(15) ? [UInt8](repeating: 0, count: 16) : chance.bytes(16))
        }
    }

    /// Capabilities, out-of-band data, requirements, the size of keys, and the keys of both ends.
    private mutating func parameters(isSecure: Bool) -> [UInt8] {
        [
            UInt8(chance.happens(90) ? chance.number(below: 5) : chance.number(below: 256)),
            UInt8(chance.happens(85) ? 0 : chance.number(below: 3)), requirements(isSecure: isSecure),
            chance.happens(75) ? 16 : chance.one(of: [0, 6, 7, 15, 17, 255]),
            chance.happens(60) ? 0x0F : chance.byte(), chance.happens(60) ? 0x0F : chance.byte(),
        ]
    }

    private mutating func requirements(isSecure: Bool) -> UInt8 {
        let bonding: UInt8 = chance.happens(80) ? 0x01 : 0x00
        let authentication: UInt8 = chance.happens(50) ? 0x04 : 0x00
        let others: UInt8 = chance.happens(20) ? chance.byte() & 0xF0 : 0
        return bonding | authentication | others | (isSecure ? 0x08 : 0)
    }

    /// A point of the curve, whose private key is known to all (Vol 3, Part H, 2.3.5.6.1), the point (0, 0), or noise.
    private mutating func publicKey() -> [UInt8] {
        switch chance.number(below: 10) {
        case 0..<8: AttackGenerator.point
        case 8: [UInt8](repeating: 0, count: 64)
        default: chance.bytes(64)
        }
    }

    /// The public key of the debug mode, x and then y, each with its least significant byte first.
    private static let point: [UInt8] = [
        0xE6, 0x9D, 0x35, 0x0E, 0x48, 0x01, 0x03, 0xCC, 0xDB, 0xFD, 0xF4, 0xAC, 0x11, 0x91, 0xF4, 0xEF, 0xB9, 0xA5,
        0xF9,
        0xE9, 0xA7, 0x83, 0x2C, 0x5E, 0x2C, 0xBE, 0x97, 0xF2, 0xD2, 0x03, 0xB0, 0x20, 0x8B, 0xD2, 0x89, 0x15, 0xD0,
        0x8E,
        0x1C, 0x74, 0x24, 0x30, 0xED, 0x8F, 0xC2, 0x45, 0x63, 0x76, 0x5C, 0x15, 0x52, 0x5A, 0xBF, 0x9A, 0x32, 0x63,
        0x6D,
        0xEB, 0x2A, 0x65, 0x49, 0x9C, 0x80, 0xDC,
    ]
}
