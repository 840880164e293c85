import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Commands of the Security Manager Protocol")
struct SMPCommandTests {
    /// One command for each code, with its packet.
    static let samples: [(command: SMPCommand, packet: String)] = [
        (
            .pairingRequest(
                PairingParameters(
                    capability: .keyboardDisplay, authentication: [.bonding, .manInTheMiddle, .secureConnections],
                    initiatorKeys: [.encryption, .identity, .link], responderKeys: [.encryption, .identity])),
            "01 04 00 0D 10 0B 03"
        ),
        (
            .pairingResponse(
                PairingParameters(
                    capability: .noInputNoOutput, hasOutOfBandData: true,
                    authentication: [.keypress, .crossTransport2], maximumKeySize: 7, initiatorKeys: .signing,
                    responderKeys: [])),
            "02 03 01 30 07 04 00"
        ),
        (.pairingConfirm(value), "03" + reversed),
        (.pairingRandom(value), "04" + reversed),
        (.pairingFailed(.confirmValueFailed), "05 04"),
        (.encryptionInformation(value), "06" + reversed),
        (.centralIdentification(ediv: 0x1234, rand: 0x0102_0304_0506_0708), "07 34 12 08 07 06 05 04 03 02 01"),
        (.identityInformation(value), "08" + reversed),
        (
            .identityAddressInformation(SMPTest.address("C0:01:02:03:04:05", isRandom: true)),
            "09 01 05 04 03 02 01 C0"
        ),
        (.signingInformation(value), "0A" + reversed),
        (.securityRequest([.bonding, .manInTheMiddle]), "0B 05"),
        (.publicKey(publicKey), "0C" + reversed + reversed + reversed + reversed),
        (.dhKeyCheck(value), "0D" + reversed),
        (.keypressNotification(.cleared), "0E 03"),
    ]

    private static let value = SMPTest.value("000102030405060708090A0B0C0D0E0F")
    private static let reversed = " 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01 00"
    private static var publicKey: PairingPublicKey {
        guard let key = PairingPublicKey(x: value.bytes + value.bytes, y: value.bytes + value.bytes) else {
            preconditionFailure("two values are a coordinate")
        }
        return key
    }

    @Test("Each command has the bytes of the specification, and comes back", arguments: 0..<14)
    func bytes(index: Int) throws {
        let (command, packet) = Self.samples[index]
        #expect(command.bytes == SMPTest.bytes(packet))
        #expect(try SMPCommand(SMPTest.bytes(packet)) == command)
        #expect(command.code == SMPCommand.Code.allCases[index])
    }

    @Test("A command that is one byte too short or too long is invalid", arguments: 0..<14)
    func lengths(index: Int) {
        let packet = Self.samples[index].command.bytes
        #expect(throws: SMPCommand.Unreadable.self) { try SMPCommand(packet.dropLast()) }
        #expect(throws: SMPCommand.Unreadable.self) { try SMPCommand(packet + [0]) }
    }

    @Test("Errors say which command was wrong, and how")
    func errors() {
        #expect(throws: SMPCommand.Unreadable.invalid(Malformed("an empty SMP packet"))) { try SMPCommand([UInt8]()) }
        let text = "an SMP Pairing Confirm of 3 bytes; at least 17 are needed"
        #expect(throws: SMPCommand.Unreadable.invalid(Malformed(text))) { try SMPCommand([3, 1, 2]) }
    }

    @Test("Reserved codes are told from invalid commands", arguments: [0x00, 0x0F, 0x10, 0xFF] as [UInt8])
    func reservedCodes(code: UInt8) {
        #expect(throws: SMPCommand.Unreadable.reservedCode(code)) { try SMPCommand([code, 1, 2, 3]) }
    }

    @Test(
        "Values out of range are invalid",
        arguments: [
            "01 05 00 0D 10 0B 03", "01 04 02 0D 10 0B 03", "01 04 00 0D 06 0B 03", "01 04 00 0D 11 0B 03",
            "02 FF 00 0D 10 0B 03", "09 02 05 04 03 02 01 C0", "0E 05",
        ])
    func ranges(packet: String) {
        #expect(throws: SMPCommand.Unreadable.self) { try SMPCommand(SMPTest.bytes(packet)) }
    }

    @Test("Reserved bits of flags are kept, because both ends confirm them")
    func reservedBits() throws {
        let packet = SMPTest.bytes("01 04 00 CD 10 FB F3")
        #expect(try SMPCommand(packet).bytes == packet)
    }

    @Test("Random bytes are read or refused, and what is read has the same bytes")
    func fuzz() throws {
        var numbers = SeededNumbers(seed: 0x51AB)
        for _ in 0..<SMPTest.fuzzCount {
            var packet = (0..<Int.random(in: 0...70, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            if Bool.random(using: &numbers), let sample = Self.samples.randomElement(using: &numbers) {
                packet = sample.command.bytes
                packet[Int.random(in: 0..<packet.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            if let command = try? SMPCommand(packet) { #expect(command.bytes == packet) }
        }
    }
}

@Suite("Reasons of Pairing Failed")
struct PairingFailureTests {
    @Test("Each reason of the specification has a name of its own, in plain words")
    func names() {
        let reasons = (0x01...0x10).map { PairingFailure(rawValue: $0) }
        #expect(Set(reasons.compactMap(\.name)).count == 16)
        #expect(
            "\(PairingFailure.confirmValueFailed)"
                == "Confirm Value Failed (0x04): the confirm value does not match the random number")
    }

    @Test("A reserved reason is a number", arguments: [0x00, 0x11, 0xFF] as [UInt8])
    func reserved(value: UInt8) {
        #expect(PairingFailure(rawValue: value).name == nil)
        #expect("\(PairingFailure(rawValue: value))".hasPrefix("reserved reason 0x"))
    }
}
