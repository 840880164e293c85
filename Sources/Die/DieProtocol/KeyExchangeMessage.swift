import FoundationEssentials

/// A message of the key exchange between phone and die. ``GATTFraming`` describes its bytes.
package enum KeyExchangeMessage: Sendable, Hashable {
    /// The key agreements, the best first. The raw values are those in messages.
    package enum CipherSuite: UInt8, Sendable, Hashable, Codable, CaseIterable {
        /// ML-KEM-768 combined with X25519.
        case xWing = 2
        /// Diffie-Hellman key agreement on the curve P-256.
        case p256 = 1

        /// The name in HPKE's `info`: `P256` or `XWing`.
        package var name: String {
            switch self {
            case .p256: "P256"
            case .xWing: "XWing"
            }
        }
    }

    /// The version of a suite's key derivation.
    package enum Version: UInt8, Sendable, Hashable, Codable {
        case version1 = 1
    }

    /// The transports by which the die can receive.
    package struct Transports: OptionSet, Sendable, Hashable, Codable {
        /// The bits in messages.
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bluetooth = Transports(rawValue: 1)
        package static let localNetwork = Transports(rawValue: 2)
        package static let internet = Transports(rawValue: 4)
    }

    /// The die's result for a request or an encapsulated key.
    package enum Outcome: UInt8, Sendable, Hashable, Codable {
        /// Both sides have the same keys now.
        case keysReady = 0
        /// The die does not support the suite or its version.
        case unsupportedSuite = 1
        /// The encapsulated key is not valid, has a wrong length, or is not on the curve.
        case badKey = 2
        /// The die has no key pair for this key. Ask for a public key first.
        case noKeyPair = 3
        /// The message could not be parsed.
        case malformed = 4
    }

    /// Phone to die: asks for a public key. The phone will use this identifier.
    case keyRequest(CipherSuite, Version, identifier: String)
    /// Die to phone: starts an exchange. The identifier is nil if the phone must choose it.
    case publicKey(CipherSuite, Version, Transports, identifier: String?, key: Data)
    /// Phone to die: completes the exchange. The identifier is the one in HPKE's `info`.
    case encapsulatedKey(CipherSuite, Version, identifier: String, key: Data)
    /// Die to phone: the result of a request or an encapsulated key.
    case result(Outcome)
    /// Phone to die: forwarding has ended. The die forgets its keys and its screen. Not answered.
    case end

    /// Parses a joined message.
    package init(decoding bytes: Data) throws(DieProtocolError) {
        var reader = ByteReader(bytes)
        let kind = try reader.uint8("a key exchange message's kind")
        switch kind {
        case 1:
            let (suite, version) = try Self.suite(&reader)
            self = .keyRequest(suite, version, identifier: try Self.identifier(&reader))
        case 2:
            let (suite, version) = try Self.suite(&reader)
            let transports = Transports(rawValue: try reader.uint8("the transports"))
            let identifier = try Self.identifier(&reader)
            self = .publicKey(
                suite, version, transports, identifier: identifier.isEmpty ? nil : identifier,
                key: try Self.key(&reader))
        case 3:
            let (suite, version) = try Self.suite(&reader)
            let identifier = try Self.identifier(&reader)
            self = .encapsulatedKey(suite, version, identifier: identifier, key: try Self.key(&reader))
        case 4:
            guard let outcome = Outcome(rawValue: try reader.uint8("the outcome")) else {
                throw .invalid(what: "the outcome of a key exchange")
            }
            self = .result(outcome)
        case 5:
            self = .end
        default:
            throw .unknownKind(kind, what: "a key exchange message")
        }
        try reader.end(of: "a key exchange message")
    }

    private static func suite(_ reader: inout ByteReader) throws(DieProtocolError) -> (CipherSuite, Version) {
        let suite = try reader.uint8("the cipher suite")
        let version = try reader.uint8("the cipher suite's version")
        guard let suite = CipherSuite(rawValue: suite) else { throw .unknownKind(suite, what: "the cipher suite") }
        guard let version = Version(rawValue: version) else {
            throw .unknownVersion(version, what: "the cipher suite")
        }
        return (suite, version)
    }

    private static func identifier(_ reader: inout ByteReader) throws(DieProtocolError) -> String {
        try reader.text(Int(reader.uint8("the identifier")), "the identifier")
    }

    private static func key(_ reader: inout ByteReader) throws(DieProtocolError) -> Data {
        try reader.bytes(Int(reader.uint16("the key")), "the key")
    }

    /// The bytes to split into segments. Throws if a part is too long.
    package func encoded() throws(DieProtocolError) -> Data {
        var bytes = Data()
        switch self {
        case .keyRequest(let suite, let version, let identifier):
            bytes.append(contentsOf: [1, suite.rawValue, version.rawValue])
            try bytes.append(shortText: identifier, "the identifier")
        case .publicKey(let suite, let version, let transports, let identifier, let key):
            bytes.append(contentsOf: [2, suite.rawValue, version.rawValue, transports.rawValue])
            try bytes.append(shortText: identifier ?? "", "the identifier")
            try Self.append(key: key, to: &bytes)
        case .encapsulatedKey(let suite, let version, let identifier, let key):
            bytes.append(contentsOf: [3, suite.rawValue, version.rawValue])
            try bytes.append(shortText: identifier, "the identifier")
            try Self.append(key: key, to: &bytes)
        case .result(let outcome):
            bytes.append(contentsOf: [4, outcome.rawValue])
        case .end:
            bytes.append(5)
        }
        return bytes
    }

    private static func append(key: Data, to bytes: inout Data) throws(DieProtocolError) {
        guard let count = UInt16(exactly: key.count) else {
            throw .tooLong(what: "the key", count: key.count, limit: Int(UInt16.max))
        }
        bytes.append(littleEndian: count)
        bytes.append(key)
    }
}
