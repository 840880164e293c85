@testable import HILConversation

/// The bytes of a number, least significant first.
func littleEndian(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

/// An accessory's address on the air.
let lampAddress: [UInt8] = [0x01, 0, 0, 0, 0, 0xC1]

/// Writes the frames of an HCI, a millisecond apart.
struct HCICapture {
    private var reader: ConversationReader
    private var count = 0

    init(_ name: String = "a") { reader = ConversationReader(name: name) }

    var conversations: [Conversation] { reader.conversations }

    mutating func take(_ content: CapturedFrame.Content, isSent: Bool?, isFromPacketLogger: Bool = false) throws {
        count += 1
        var frame = CapturedFrame(number: count, time: UInt64(count) * 1_000_000)
        (frame.contents, frame.isSent, frame.isFromPacketLogger) = ([content], isSent, isFromPacketLogger)
        try reader.take(frame)
    }

    mutating func command(_ opcode: UInt16, _ parameters: [UInt8]) throws {
        try take(.command(littleEndian(opcode) + [UInt8(parameters.count)] + parameters), isSent: true)
    }

    mutating func event(_ code: UInt8, _ parameters: [UInt8]) throws {
        try take(.event([code, UInt8(parameters.count)] + parameters), isSent: false)
    }

    mutating func data(_ handle: UInt16, channel: UInt16, _ payload: [UInt8], isSent: Bool? = true) throws {
        let length = littleEndian(UInt16(payload.count))
        try take(.data(length + littleEndian(channel) + payload, handle: handle), isSent: isSent)
    }

    /// LE Create Connection, with a scan of 30 of 30 ms, and 15 ms, latency 0, 720 ms.
    mutating func request(ownAddress: UInt8 = 1) throws {
        try command(
            0x200D, [48, 0, 48, 0, 0, 1] + lampAddress + [ownAddress, 12, 0, 12, 0, 0, 0, 72, 0, 0, 0, 0, 0])
    }

    /// LE Connection Complete. The role is 0 for the central.
    mutating func connected(_ handle: UInt16, role: UInt8 = 0, peer: [UInt8] = lampAddress) throws {
        try event(0x3E, [1, 0] + littleEndian(handle) + [role, 1] + peer + [12, 0, 0, 0, 72, 0, 0])
    }

    mutating func connect(_ handle: UInt16) throws {
        try request()
        try connected(handle)
    }

    mutating func exchangeMTU(_ handle: UInt16, _ mtu: UInt16 = 527) throws {
        try data(handle, channel: 4, [2] + littleEndian(mtu))
        try data(handle, channel: 4, [3, 247, 0], isSent: false)
    }

    mutating func read(_ handle: UInt16) throws {
        try data(handle, channel: 4, [10, 8, 0])
        try data(handle, channel: 4, [11, 80], isSent: false)
    }

    mutating func encrypt(_ handle: UInt16) throws {
        try command(0x2019, littleEndian(handle) + [UInt8](repeating: 0, count: 26))
        try event(8, [0] + littleEndian(handle) + [1])
    }

    mutating func pair(_ handle: UInt16) throws {
        try data(handle, channel: 6, [1, 4, 0, 0x0D, 16, 0x0B, 0x0B])
        try data(handle, channel: 6, [2, 3, 0, 9, 16, 3, 3], isSent: false)
        try encrypt(handle)
    }

    mutating func end(_ handle: UInt16) throws { try event(5, [0] + littleEndian(handle) + [0x13]) }
}

/// Writes the packets of a sniffer, a millisecond apart.
struct AirCapture {
    private static let advertising: [UInt8] = [0xD6, 0xBE, 0x89, 0x8E]
    private static let first: [UInt8] = [1, 2, 3, 4]

    private var reader = ConversationReader(name: "a")
    private var count = 0

    var conversations: [Conversation] { reader.conversations }

    private mutating func take(
        _ access: [UInt8], _ packet: [UInt8], l2cap: [UInt8]? = nil, fromPhone: Bool? = true, isDamaged: Bool = false
    ) throws {
        count += 1
        var frame = CapturedFrame(number: count, time: UInt64(count) * 1_000_000)
        frame.contents = [.linkLayer(access + packet + [0, 0, 0])] + (l2cap.map { [.data($0, handle: nil)] } ?? [])
        (frame.isSent, frame.isDamaged) = (fromPhone, isDamaged)
        try reader.take(frame)
    }

    /// CONNECT_IND.
    mutating func connect(
        phone: [UInt8] = [0x55, 0x44, 0x33, 0x22, 0x11, 0x5A], _ access: [UInt8] = first, interval: UInt16 = 24,
        isDamaged: Bool = false
    ) throws {
        let begin = phone + lampAddress + access + [0x55, 0x55, 0x55, 2, 0, 0]
        let payload = begin + littleEndian(interval) + [0, 0, 72, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x25]
        try take(AirCapture.advertising, [0xC5, UInt8(payload.count)] + payload, isDamaged: isDamaged)
    }

    /// A control PDU, from its opcode on.
    mutating func control(_ bytes: [UInt8], fromPhone: Bool? = true) throws {
        try take(AirCapture.first, [3, UInt8(bytes.count)] + bytes, fromPhone: fromPhone)
    }

    /// A PDU of the attribute protocol.
    mutating func attributes(
        _ bytes: [UInt8], on access: [UInt8] = first, fromPhone: Bool? = true, isDamaged: Bool = false
    ) throws {
        let l2cap = littleEndian(UInt16(bytes.count)) + [4, 0] + bytes
        try take(access, [2, UInt8(l2cap.count)] + l2cap, l2cap: l2cap, fromPhone: fromPhone, isDamaged: isDamaged)
    }

    mutating func end() throws { try control([2, 0x13]) }
}

extension LearnedPhone {
    func expression(_ property: String) -> String? { habits.first { $0.property == property }?.expression }

    func frame(_ property: String) -> Int? { habits.first { $0.property == property }?.source.frame }

    func isMissing(_ text: String) -> Bool { missing.contains { $0.hasPrefix("\(text): ") } }
}
