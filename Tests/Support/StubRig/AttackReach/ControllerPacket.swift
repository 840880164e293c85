import RadioModel

/// A captured packet between a host and its controller: who is meant by it, and what it tells of addresses and links.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.
struct ControllerPacket {
    /// The address that the controller has from now on, or says that it has.
    private(set) var ownAddress: DeviceAddress?
    /// Whether its host gives it that address.
    private(set) var setsAddress = false
    /// For whom a command is; nil if it is for nobody alone.
    private(set) var target: DeviceAddress?
    /// A command that nothing here knows.
    private(set) var unknownCommand: Int?
    private(set) var isReset = false
    /// Whether the controller is to ask all advertisers for a scan response.
    private(set) var asksEverybody = false
    /// A link that came up.
    private(set) var newLink: (handle: UInt16, peer: DeviceAddress)?
    private(set) var endedLink: UInt16?
    /// The link of data from the host.
    private(set) var sentData: UInt16?

    /// - Returns: Nil if the bytes are no such packet: direction (4), H4's type (1), then the packet.
    init?(_ captured: ArraySlice<UInt8>) {
        let bytes = Array(captured)
        guard bytes.count >= 8, bytes[0...2].allSatisfy({ $0 == 0 }), bytes[3] <= 1 else { return nil }
        switch bytes[4] {
        case 1:
            readCommand(ControllerPacket.word(5, bytes), Array(bytes[8...]))
        case 4: readEvent(bytes[5], Array(bytes[7...]))
        case 2: if bytes[3] == 0 { sentData = UInt16(ControllerPacket.word(5, bytes) & 0x0FFF) }
        default: return nil
        }
    }

    private mutating func readCommand(_ code: Int, _ parameters: [UInt8]) {
        switch code {
        case 0x0C03: isReset = true
        case 0x2005: (ownAddress, setsAddress) = (Self.address(0, parameters), true)
        case 0x2035: (ownAddress, setsAddress) = (Self.address(1, parameters), true)
        // Create Connection, and Remote Name Request.
        case 0x0405, 0x0419: target = Self.address(0, parameters)
        // With a list of accepted devices, the commands that fill it name them.
        case 0x200D: if parameters.count > 4, parameters[4] == 0 { target = Self.address(6, parameters) }
        case 0x2043: if parameters.first == 0 { target = Self.address(3, parameters) }
        case 0x2011: target = Self.address(1, parameters)
        // Advertisements for one device.
        case 0x2006: if parameters.count > 4, [1, 4].contains(parameters[4]) { target = Self.address(7, parameters) }
        case 0x2036: if parameters.count > 1, parameters[1] & 4 != 0 { target = Self.address(12, parameters) }
        // Active scans: of all devices, or of those in the filter accept list.
        case 0x200B: asksEverybody = parameters.count > 6 && parameters[0] == 1 && parameters[6] & 1 == 0
        case 0x2041: asksEverybody = parameters.count > 3 && parameters[3] == 1 && parameters[1] & 1 == 0
        default: if !Self.quiet.contains(code) { unknownCommand = code }
        }
    }

    private mutating func readEvent(_ code: UInt8, _ parameters: [UInt8]) {
        switch code {
        // Command Complete of Read BD_ADDR: number, opcode (2), status, address.
        case 0x0E where parameters.count >= 10 && parameters[1...3] == [0x09, 0x10, 0]:
            ownAddress = Self.address(4, parameters)
        case 0x03 where parameters.first == 0 && parameters.count >= 9:
            newLink = Self.address(3, parameters).map { (UInt16(Self.word(1, parameters)), $0) }
        case 0x05 where parameters.first == 0 && parameters.count >= 3: endedLink = UInt16(Self.word(1, parameters))
        // Subevent, status, handle (2), role, type of the address, address.
        case 0x3E where parameters.count >= 12 && [0x01, 0x0A, 0x29].contains(parameters[0]) && parameters[1] == 0:
            newLink = Self.address(6, parameters).map { (UInt16(Self.word(2, parameters)), $0) }
        default: break
        }
    }

    private static func word(_ offset: Int, _ bytes: [UInt8]) -> Int {
        bytes.count > offset + 1 ? Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 : 0
    }

    private static func address(_ offset: Int, _ bytes: [UInt8]) -> DeviceAddress? {
        DeviceAddress(bytes: bytes.dropFirst(offset).prefix(6).reversed())
    }

    /// Commands that tell the controller something about itself, act on a link, or send to everybody.
    private static let quiet: Set<Int> = [
        // Of links: Disconnect, Read Remote Version Information.
        0x0406, 0x041D,
        // Of the controller.
        0x0C01, 0x0C56, 0x0C6D, 0x0C7A, 0x1001, 0x1002, 0x1003, 0x1005, 0x1009, 0x2001, 0x2002, 0x2003, 0x200F, 0x2010,
        0x2012, 0x201C, 0x2024, 0x202A, 0x202F, 0x203A, 0x203B,
        // Of links over LE: Connection Update, Read Remote Features, Enable Encryption, Long Term Key Request Reply and
        // Negative Reply, Remote Connection Parameter Request Reply and Negative Reply, Set Data Length, Set PHY.
        0x2013, 0x2016, 0x2019, 0x201A, 0x201B, 0x2020, 0x2021, 0x2022, 0x2032,
        // Create Connection Cancel.
        0x200E,
        // Advertisements for everybody, and listening.
        0x2037, 0x2038, 0x2039, 0x203C, 0x203D, 0x2042,
    ]
}
