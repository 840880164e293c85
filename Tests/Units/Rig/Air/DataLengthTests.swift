import Testing

@testable import HILAir

@Suite("Data Length Extension of one controller")
struct DataLengthTests {
    private let peer: [UInt8] = [2, 0, 0, 0, 0, 2]
    private let own: [UInt8] = [1, 0, 0, 0, 0, 2]
    private var controller = DataLengthExtension()

    init() { hearEverything() }

    /// Unmasks LE Meta Event and LE Data Length Change.
    private mutating func hearEverything() {
        #expect(
            controller.command(command(0x0C01, [UInt8](repeating: 0xFF, count: 8))) == nil, "RootCanal needs it, too")
        #expect(controller.command(command(0x2001, [0x40, 0, 0, 0, 0, 0, 0, 0])) == nil, "RootCanal needs it, too")
    }

    private func command(_ opcode: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
    }

    /// The return parameters of a command that the air answers; nil for any other.
    private mutating func answer(_ opcode: UInt16, _ parameters: [UInt8] = []) -> [UInt8]? {
        guard case .event(let event)? = controller.command(command(opcode, parameters))?.first,
            event.starts(with: [4, 0x0E, UInt8(event.count - 3), 1, UInt8(opcode & 0xFF), UInt8(opcode >> 8)])
        else { return nil }
        return Array(event[6...])
    }

    /// LE Connection Complete with the handle 0x0EFE.
    private func began(isCentral: Bool, status: UInt8 = 0) -> [UInt8] {
        [4, 0x3E, 19, 1, status, 0xFE, 0x0E, isCentral ? 0 : 1, 0] + peer + [0x18, 0, 0, 0, 42, 0, 0]
    }

    private func message(_ kind: DataLengthMessage.Kind, receive: PacketLength, transmit: PacketLength)
        -> DataLengthMessage
    { DataLengthMessage(kind, from: peer, to: own, receive: receive, transmit: transmit) }

    // MARK: - Commands

    @Test("A controller sends and receives 251 bytes in 17,040 µs at most, and suggests 27 bytes in 328 µs")
    mutating func lengths() {
        #expect(answer(0x202F) == [0, 0xFB, 0, 0x90, 0x42, 0xFB, 0, 0x90, 0x42])
        #expect(answer(0x2023) == [0, 0x1B, 0, 0x48, 0x01])
    }

    @Test("The suggested length is kept until a reset")
    mutating func suggested() {
        #expect(answer(0x2024, [0x40, 0, 0x48, 0x08]) == [0])
        #expect(answer(0x2023) == [0, 0x40, 0, 0x48, 0x08])
        #expect(controller.command(command(0x0C03, [])) == nil)
        #expect(answer(0x2023) == [0, 0x1B, 0, 0x48, 0x01])
    }

    /// Octets and times out of range: 26, 252, 327, 17,041, and the extremes.
    static let outOfRange: [[UInt8]] = [
        [0x1A, 0, 0x48, 0x01], [0xFC, 0, 0x48, 0x01], [0x1B, 0, 0x47, 0x01], [0x1B, 0, 0x91, 0x42], [0, 0, 0, 0],
        [0xFF, 0xFF, 0xFF, 0xFF],
    ]

    @Test("A length out of range is refused, and nothing changes", arguments: DataLengthTests.outOfRange)
    mutating func beyondRange(_ length: [UInt8]) {
        _ = controller.adjust(began(isCentral: true))
        #expect(answer(0x2024, length) == [0x12])
        #expect(answer(0x2022, [0xFE, 0x0E] + length) == [0x12, 0xFE, 0x0E])
        #expect(controller.command(command(0x2022, [0xFE, 0x0E] + length))?.count == 1, "the peer is not asked")
        #expect(answer(0x2023) == [0, 0x1B, 0, 0x48, 0x01])
    }

    @Test(
        "The extremes of the range are accepted",
        arguments: [[0x1B, 0, 0x48, 0x01], [0xFB, 0, 0x90, 0x42]] as [[UInt8]])
    mutating func extremes(_ length: [UInt8]) {
        _ = controller.adjust(began(isCentral: true))
        #expect(answer(0x2024, length) == [0])
        #expect(answer(0x2022, [0xFE, 0x0E] + length) == [0, 0xFE, 0x0E])
    }

    @Test("A command of the wrong length is refused", arguments: [0, 1, 3, 5, 7, 255])
    mutating func wrongLength(_ count: Int) {
        _ = controller.adjust(began(isCentral: true))
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(answer(0x2024, zeros)?.first == 0x12)
        #expect(answer(0x2022, zeros)?.first == 0x12)
    }

    @Test("A link that does not exist, or has ended, is unknown")
    mutating func unknownLink() {
        let longest: [UInt8] = [0xFB, 0, 0x90, 0x42]
        #expect(answer(0x2022, [1, 0] + longest) == [0x02, 1, 0])
        _ = controller.adjust(began(isCentral: true, status: 0x3E))
        #expect(answer(0x2022, [0xFE, 0x0E] + longest) == [0x02, 0xFE, 0x0E], "the connection failed")
        _ = controller.adjust(began(isCentral: true))
        #expect(answer(0x2022, [0xFE, 0x0E] + longest) == [0, 0xFE, 0x0E])
        _ = controller.adjust([4, 0x05, 4, 0x0C, 0xFE, 0x0E, 0x13])
        #expect(answer(0x2022, [0xFE, 0x0E] + longest) == [0, 0xFE, 0x0E], "the disconnection failed")
        _ = controller.adjust([4, 0x05, 4, 0, 0xFE, 0x0E, 0x13])
        #expect(answer(0x2022, [0xFE, 0x0E] + longest) == [0x02, 0xFE, 0x0E])
    }

    // MARK: - Negotiation

    private let longest = PacketLength.longest
    private let small = PacketLength(octets: 100, time: 1000)

    @Test("The central asks as soon as the link is up, for the suggested length; the peripheral waits")
    mutating func begins() {
        #expect(controller.adjust(began(isCentral: false)).steps.isEmpty)
        #expect(answer(0x2024, [100, 0, 0xE8, 0x03]) == [0])
        let steps = controller.adjust(began(isCentral: true)).steps
        #expect(steps == [.message(.request, handle: 0x0EFE, receive: longest, transmit: small)])
    }

    @Test("Each direction has the lesser of what one end sends and the other receives; the host hears of a change once")
    mutating func negotiation() {
        _ = answer(0x2024, [0xFB, 0, 0x90, 0x42])
        _ = controller.adjust(began(isCentral: false))
        let request = message(.request, receive: PacketLength(octets: 60, time: 17_040), transmit: small)
        let response = DataLengthExtension.Step.message(.response, handle: 0x0EFE, receive: longest, transmit: longest)
        let event: [UInt8] = [4, 0x3E, 11, 7, 0xFE, 0x0E, 60, 0, 0x90, 0x42, 100, 0, 0xE8, 0x03]
        #expect(controller.receive(request) == [response, .event(event)])
        #expect(controller.receive(request) == [response], "nothing has changed")
    }

    @Test("A host that asks hears of the new length when the peer has answered, and of a shorter one as well")
    mutating func asking() {
        _ = controller.adjust(began(isCentral: true))
        let answer = message(.response, receive: longest, transmit: .shortest)
        #expect(controller.receive(answer).isEmpty, "both ends send 27 bytes, as before")
        #expect(
            controller.command(command(0x2022, [0xFE, 0x0E, 100, 0, 0xE8, 0x03]))?.last
                == .message(.request, handle: 0x0EFE, receive: longest, transmit: small))
        #expect(controller.receive(answer) == [.event([4, 0x3E, 11, 7, 0xFE, 0x0E, 100, 0, 0xE8, 3, 27, 0, 0x48, 1])])
        #expect(
            controller.command(command(0x2022, [0xFE, 0x0E, 100, 0, 0xE8, 0x03]))?.count == 1,
            "the same again is no reason to ask")
        _ = controller.command(command(0x2022, [0xFE, 0x0E, 27, 0, 0x48, 0x01]))
        #expect(controller.receive(answer) == [.event([4, 0x3E, 11, 7, 0xFE, 0x0E, 27, 0, 0x48, 1, 27, 0, 0x48, 1])])
    }

    @Test("A message of somebody else is ignored, also after the link's end")
    mutating func strangers() {
        _ = controller.adjust(began(isCentral: false))
        let other = DataLengthMessage(.request, from: own, to: own, receive: longest, transmit: longest)
        #expect(controller.receive(other).isEmpty)
        _ = controller.adjust([4, 0x05, 4, 0, 0xFE, 0x0E, 0x13])
        #expect(controller.receive(message(.request, receive: longest, transmit: longest)).isEmpty)
    }

    @Test("A peer with a private address is known by the identity and by the address on the air")
    mutating func privatePeer() {
        let identity: [UInt8] = [9, 9, 9, 9, 9, 9]
        let event: [UInt8] =
            [4, 0x3E, 31, 0x0A, 0, 0xFE, 0x0E, 0, 2] + identity + [UInt8](repeating: 0, count: 6) + peer
        let rest: [UInt8] = [0x18, 0, 0, 0, 42, 0, 0]
        #expect(controller.adjust(event + rest).steps.count == 1)
        #expect(controller.peers(of: 0x0EFE) == [identity, peer])
        #expect(!controller.receive(message(.request, receive: longest, transmit: longest)).isEmpty)
    }

    @Test(
        "A host that masks the event, or all LE events, does not get it", arguments: [UInt16(0x0C01), 0x2001, 0x0C03])
    mutating func masks(opcode: UInt16) {
        // Linux's mask without this event, all events but LE Meta Event, and the masks after a reset.
        let masked: [UInt8] = opcode == 0x2001 ? [0xBF] : [0xFF]
        let rest: [UInt8] = [UInt8](repeating: 0xFF, count: 6) + [opcode == 0x0C01 ? 0xDF : 0xFF]
        _ = controller.command(command(opcode, opcode == 0x0C03 ? [] : masked + rest))
        _ = controller.adjust(began(isCentral: false))
        #expect(
            controller.receive(message(.request, receive: longest, transmit: longest)).count == 1, "only the answer")
    }

    // MARK: - What is said of the controller

    @Test("The features and the supported commands name the extension", arguments: [true, false])
    mutating func features(isOffered: Bool) {
        controller = DataLengthExtension(isOffered: isOffered)
        let head: [UInt8] = [4, 0x0E, 12, 1, 0x03, 0x20, 0]
        let rest: [UInt8] = [0x39, 0, 0x30, 0, 0, 0, 0]
        for byte in [0xDF, 0xFF] as [UInt8] {
            #expect(controller.adjust(head + [byte] + rest).packet == head + [isOffered ? 0xFF : 0xDF] + rest)
        }
        #expect(
            controller.adjust([4, 0x0E, 12, 1, 0x03, 0x20, 1, 0] + rest).packet == [4, 0x0E, 12, 1, 0x03, 0x20, 1, 0]
                + rest)
        for fill in [0, 0xFF] as [UInt8] {
            var commands = [UInt8](repeating: fill, count: 64)
            let answer: [UInt8] = [4, 0x0E, 68, 1, 0x02, 0x10, 0]
            let adjusted = controller.adjust(answer + commands).packet
            commands[33] = isOffered ? fill | 0xC0 : fill & 0x3F
            commands[34] = isOffered ? fill | 0x01 : fill & 0xFE
            commands[35] = isOffered ? fill | 0x08 : fill & 0xF7
            #expect(adjusted == answer + commands)
        }
    }

    @Test("Both ends must have the extension for the features of the peer to name it", arguments: [true, false])
    mutating func remoteFeatures(isOffered: Bool) {
        controller = DataLengthExtension(isOffered: isOffered)
        let response = [0x2D] + own + peer + [0xDF, 0x39, 0, 0, 0, 0, 0, 0, 0]
        #expect(controller.adjust(linkLayer: response)[13] == (isOffered ? 0xFF : 0xDF))
        let event: [UInt8] = [4, 0x3E, 12, 4, 0, 0xFE, 0x0E, 0xFF, 0x39, 0, 0, 0, 0, 0, 0]
        #expect(controller.adjust(event).packet[7] == (isOffered ? 0xFF : 0xDF))
    }

    @Test("Without the extension its commands are unknown, and nobody is asked or answered")
    mutating func without() {
        controller = DataLengthExtension(isOffered: false)
        hearEverything()
        for opcode in [0x2022, 0x2023, 0x2024, 0x202F] as [UInt16] {
            #expect(answer(opcode, [0xFE, 0x0E, 0xFB, 0, 0x90, 0x42]) == [0x01])
        }
        #expect(controller.adjust(began(isCentral: true)).steps.isEmpty)
        #expect(controller.receive(message(.request, receive: longest, transmit: longest)).isEmpty)
        _ = controller.command(command(0x0C03, []))
        #expect(answer(0x202F) == [0x01], "also after a reset")
    }

    // MARK: - Broken bytes

    @Test("A message is read as it was written; one of another length, type or range is none")
    func reading() {
        let whole = message(.response, receive: longest, transmit: small)
        #expect(DataLengthMessage(whole.bytes) == whole)
        for count in 0..<whole.bytes.count { #expect(DataLengthMessage(Array(whole.bytes.prefix(count))) == nil) }
        #expect(DataLengthMessage(whole.bytes + [0]) == nil)
        #expect(DataLengthMessage([0x2D] + whole.bytes[1...]) == nil)
        for bad in DataLengthTests.outOfRange {
            #expect(DataLengthMessage(whole.bytes.prefix(13) + bad + whole.bytes.suffix(4)) == nil)
            #expect(DataLengthMessage(whole.bytes.prefix(17) + bad) == nil)
        }
    }

    @Test("Commands, events and link-layer packets of any length and content do no harm")
    mutating func broken() {
        var random = SystemRandomNumberGenerator()
        let starts: [[UInt8]] = [
            [1, 0x22, 0x20], [1, 0x24, 0x20], [1, 0x23, 0x20], [1, 0x2F, 0x20], [1, 0x01, 0x0C], [1, 0x01, 0x20],
            [4, 0x3E, 0, 1, 0], [4, 0x3E, 0, 0x0A, 0], [4, 0x3E, 0, 4, 0], [4, 0x05], [4, 0x0E, 0, 1, 2, 0x10, 0],
            [4, 0x0E, 0, 1, 3, 0x20, 0], [0x2D], [0xB4], [0xB5], [],
        ]
        for start in starts {
            for count in 0..<90 {
                let packet = start + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                _ = controller.command(packet)
                let (adjusted, steps) = controller.adjust(packet)
                #expect(adjusted.count == packet.count && steps.count <= 1)
                #expect(controller.adjust(linkLayer: packet).count == packet.count)
                if let message = DataLengthMessage(packet) { _ = controller.receive(message) }
            }
        }
    }
}
