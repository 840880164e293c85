import FoundationEssentials

/// The value of ``DieGATT/roll``: 7 bytes.
///
///     offset  length  field
///     0       1       version, 1
///     1       4       number of the roll since power-on, little-endian; 0 before the first
///     5       1       sides of the die
///     6       1       face, 1 to sides; 0 before the first roll
package struct Roll: Sendable, Hashable, Codable {
    /// The number of the roll since power-on, from 1; 0 before the first.
    package var number: UInt32
    /// How many sides the die has.
    package var sides: UInt8
    /// The face on top, 1 to `sides`; 0 before the first roll.
    package var face: UInt8

    private static let version: UInt8 = 1

    package init(number: UInt32, sides: UInt8 = 6, face: UInt8) {
        self.number = number
        self.sides = sides
        self.face = face
    }

    /// Parses 7 received bytes.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        var reader = ByteReader(bytes)
        let version = try reader.uint8("the roll's version")
        guard version == Self.version else { throw .unknownVersion(version, what: "the roll") }
        number = try reader.uint32("the roll's number")
        sides = try reader.uint8("the die's sides")
        face = try reader.uint8("the roll's face")
        guard face <= sides, (face == 0) == (number == 0) else { throw .invalid(what: "the roll's face") }
        try reader.end(of: "the roll")
    }

    /// The 7 bytes to send.
    package var encoded: Data {
        var bytes = Data([Self.version])
        bytes.append(littleEndian: number)
        bytes.append(contentsOf: [sides, face])
        return bytes
    }
}

/// The value of ``DieGATT/info``.
///
///     offset  length  field
///     0       1       version, 1
///     1       1       length of the serial number, s
///     2       s       serial number, UTF-8
///     2+s     1       length of the firmware's version, f
///     3+s     f       firmware's version, UTF-8
package struct DieInfo: Sendable, Hashable, Codable {
    /// The serial number, at most 255 bytes of UTF-8.
    package var serialNumber: String
    /// The firmware's version, at most 255 bytes of UTF-8.
    package var firmwareVersion: String

    private static let version: UInt8 = 1

    package init(serialNumber: String, firmwareVersion: String) {
        self.serialNumber = serialNumber
        self.firmwareVersion = firmwareVersion
    }

    /// Parses received bytes.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        var reader = ByteReader(bytes)
        let version = try reader.uint8("the info's version")
        guard version == Self.version else { throw .unknownVersion(version, what: "the info") }
        serialNumber = try reader.text(Int(reader.uint8("the serial number")), "the serial number")
        firmwareVersion = try reader.text(Int(reader.uint8("the firmware's version")), "the firmware's version")
        try reader.end(of: "the info")
    }

    /// The bytes to send. Throws if a text is too long.
    package func encoded() throws(DieProtocolError) -> Data {
        var bytes = Data([Self.version])
        try bytes.append(shortText: serialNumber, "the serial number")
        try bytes.append(shortText: firmwareVersion, "the firmware's version")
        return bytes
    }
}

/// The value of ``DieGATT/networks``: the open networks of the die, for phones that join them.
///
///     offset  length  field
///     0       1       version, 1
///     1       1       number of networks
///     for each network:
///             1       security: 0 open, 1 WPA2, 2 WPA3, 3 WPA2 and WPA3
///             1       length of the SSID, 1 to 32, then the SSID in UTF-8
///             1       length of the passphrase, 0 for an open network, then the passphrase in UTF-8
package struct DieNetworks: Sendable, Hashable, Codable {
    /// How a network is protected.
    package enum Security: UInt8, Sendable, Hashable, Codable {
        case open = 0
        case wpa2 = 1
        case wpa3 = 2
        case wpa2And3 = 3
    }

    /// One network.
    package struct Network: Sendable, Hashable, Codable {
        /// 1 to 32 bytes of UTF-8.
        package var ssid: String
        package var security: Security
        /// Nil for an open network.
        package var passphrase: String?

        package init(ssid: String, security: Security, passphrase: String? = nil) {
            self.ssid = ssid
            self.security = security
            self.passphrase = passphrase
        }
    }

    /// The open networks, in the order of opening.
    package var networks: [Network]

    private static let version: UInt8 = 1

    package init(networks: [Network]) {
        self.networks = networks
    }

    /// Parses received bytes.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        var reader = ByteReader(bytes)
        let version = try reader.uint8("the networks' version")
        guard version == Self.version else { throw .unknownVersion(version, what: "the networks") }
        networks = []
        for _ in 0..<(try reader.uint8("the number of networks")) {
            guard let security = Security(rawValue: try reader.uint8("a network's security")) else {
                throw .invalid(what: "a network's security")
            }
            let ssid = try reader.text(Int(reader.uint8("an SSID")), "an SSID")
            guard (1...32).contains(ssid.utf8.count) else { throw .invalid(what: "an SSID") }
            let passphrase = try reader.text(Int(reader.uint8("a passphrase")), "a passphrase")
            guard passphrase.isEmpty == (security == .open) else { throw .invalid(what: "a passphrase") }
            networks.append(.init(ssid: ssid, security: security, passphrase: passphrase.isEmpty ? nil : passphrase))
        }
        try reader.end(of: "the networks")
    }

    /// The bytes to send. Throws if there are too many networks or a text is too long.
    package func encoded() throws(DieProtocolError) -> Data {
        guard networks.count <= 255 else { throw .tooLong(what: "the networks", count: networks.count, limit: 255) }
        var bytes = Data([Self.version, UInt8(networks.count)])
        for network in networks {
            bytes.append(network.security.rawValue)
            try bytes.append(shortText: network.ssid, "an SSID")
            try bytes.append(shortText: network.passphrase ?? "", "a passphrase")
        }
        return bytes
    }
}
