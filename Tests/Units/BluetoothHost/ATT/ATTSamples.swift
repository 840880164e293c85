import FoundationEssentials
import RadioModel

@testable import HILBluetoothHost

/// What the tests of the Attribute Protocol share.
enum ATTSamples {
    /// Bytes from hexadecimal digits with or without spaces.
    static func bytes(_ text: String) -> [UInt8] { Hex.bytes(text.utf8.filter { $0 != UInt8(ascii: " ") }) ?? [] }

    /// The number of PDUs in a test with random ones.
    static let fuzzCount = ProcessInfo.processInfo.environment["HIL_FUZZ_PDUS"].flatMap(Int.init) ?? 20_000

    static func uuid(_ short: UInt16) -> BluetoothUUID { BluetoothUUID(short: short) }

    /// `4C410001-0000-1000-2000-300000000000`, a UUID without a short form.
    static let longUUID = BluetoothUUID(bytes: bytes("4C410001 0000 1000 2000 300000000000")) ?? uuid(0)

    static func service(_ uuid: UInt16, at handle: UInt16? = nil, _ characteristics: UInt16...) -> ServiceDefinition {
        ServiceDefinition(
            self.uuid(uuid), at: handle,
            characteristics.map { CharacteristicDefinition(self.uuid($0), .read, value: .stored([1])) })
    }

    /// Services with attributes of all kinds. The comments are handles.
    static let services = [
        ServiceDefinition(
            uuid(0x1800),  // 0001
            [
                CharacteristicDefinition(uuid(0x2A00), .read, value: .stored(Array("Phone".utf8))),  // 0002, 0003
                CharacteristicDefinition(uuid(0x2A01), .read, value: .stored([0x40, 0x00])),  // 0004, 0005
            ]),
        // 0006; 0007, 0008, 0009
        ServiceDefinition(uuid(0x1801), [CharacteristicDefinition(uuid(0x2A05), .indicate)]),
        ServiceDefinition(
            uuid(0x180F),  // 000A
            [
                // 000B, 000C, 000D
                CharacteristicDefinition(
                    uuid(0x2A19), [.read, .notify], reading: .encrypted, notifying: .encrypted, value: .stored([100]))
            ]),
        ServiceDefinition(
            longUUID,  // 000E
            [
                CharacteristicDefinition(uuid(0xFF01), [.read, .write, .writeWithoutResponse]),  // 000F, 0010
                CharacteristicDefinition(
                    uuid(0xFF02), [.read, .write], value: .stored(Array(0..<40)), maximumLength: 60,  // 0011, 0012
                    descriptors: [
                        DescriptorDefinition(uuid(0x2901), value: .stored(Array("two".utf8)))  // 0013
                    ]),
                // 0014, 0015, 0016
                CharacteristicDefinition(uuid(0xFF03), [.write, .notify, .indicate], writing: .authenticated),
                // 0017, 0018
                CharacteristicDefinition(uuid(0xFF04), .read, reading: .secureConnections, value: .stored([4])),
                CharacteristicDefinition(
                    longUUID, .writeWithoutResponse, value: .stored([]), maximumLength: 4),  // 0019, 001A
            ]),
    ]

    static let encrypted = LinkSecurity(
        isEncrypted: true, isAuthenticated: false, isSecureConnections: false, keySize: 16)
    static let authenticated = LinkSecurity(
        isEncrypted: true, isAuthenticated: true, isSecureConnections: false, keySize: 16)
    static let secureConnections = LinkSecurity(
        isEncrypted: true, isAuthenticated: true, isSecureConnections: true, keySize: 16)
}

/// A server with its database. A test is its client and its layer above.
struct ServerBench {
    var database: AttributeDatabase
    var server: AttributeServer

    init(
        _ configuration: AttributeServer.Configuration = .init(), _ services: [ServiceDefinition] = ATTSamples.services
    ) throws {
        database = try AttributeDatabase(services)
        server = AttributeServer(configuration)
    }

    mutating func send(_ pdu: ATTPDU, at now: Duration = .zero) -> [AttributeServer.Output] {
        server.receive(pdu.bytes, at: now, in: &database)
    }

    mutating func send(_ hex: String, at now: Duration = .zero) -> [AttributeServer.Output] {
        server.receive(ATTSamples.bytes(hex), at: now, in: &database)
    }

    /// The PDUs that the server sends for a request.
    mutating func answers(to pdu: ATTPDU) -> [ATTPDU] { send(pdu).compactMap(\.pdu) }

    /// The error that a request gets.
    mutating func error(of pdu: ATTPDU) -> ATTError? {
        guard case .errorResponse(pdu.opcode.rawValue, _, let error)? = answers(to: pdu).first else { return nil }
        return error
    }

    /// The token of the question to the layer above that a request leads to.
    mutating func question(of pdu: ATTPDU) throws -> AttributeServer.RequestToken {
        let outputs = send(pdu)
        guard outputs.count == 1, case .asks(let token, _)? = outputs.first else { throw NoQuestion(outputs: outputs) }
        return token
    }

    struct NoQuestion: Error {
        let outputs: [AttributeServer.Output]
    }

    mutating func answer(
        _ token: AttributeServer.RequestToken, _ answer: AttributeServer.Answer
    ) -> [AttributeServer.Output] {
        server.answer(token, answer, in: &database)
    }

    mutating func exchangeMTU(_ mtu: UInt16) { _ = send(.exchangeMTURequest(mtu: mtu)) }
}

extension AttributeServer.Output {
    /// The PDU that is sent; nil for other outputs.
    var pdu: ATTPDU? {
        guard case .send(let bytes) = self else { return nil }
        return try? ATTPDU.decode(bytes)
    }

    var isViolation: Bool { if case .violation = self { true } else { false } }
}

extension AttributeClient.Output {
    var isViolation: Bool { if case .violation = self { true } else { false } }
}
