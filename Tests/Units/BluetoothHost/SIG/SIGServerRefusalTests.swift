import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases GATT/SR of the Bluetooth SIG about refusals: each kind of request against each protection.
@Suite("SIG cases: refusals of the phone's server")
struct SIGServerRefusalTests {
    /// Values that refuse. The comments are handles.
    private static let services = [
        ServiceDefinition(
            ATTSamples.uuid(0xFF00),  // 1
            [
                CharacteristicDefinition(ATTSamples.uuid(0xFF01), [.read, .write], value: .stored([1, 2, 3, 4])),  // 3
                CharacteristicDefinition(ATTSamples.uuid(0xFF02), [.write], value: .stored([1])),  // 5
                CharacteristicDefinition(ATTSamples.uuid(0xFF03), [.read], value: .stored([1])),  // 7
                // The app refuses: 9.
                CharacteristicDefinition(ATTSamples.uuid(0xFF04), [.read, .write]),
                CharacteristicDefinition(
                    ATTSamples.uuid(0xFF05), [.read, .write], reading: .authenticated, writing: .authenticated,
                    value: .stored([1])),  // B
                CharacteristicDefinition(
                    ATTSamples.uuid(0xFF06), [.read, .write], reading: .secureConnections,
                    writing: .secureConnections, value: .stored([1])),  // D
            ])
    ]

    /// Why a value is refused.
    enum Obstacle: CaseIterable {
        case readNotPermitted, writeNotPermitted, invalidHandle, authorization, authentication, keySize

        var handle: UInt16 {
            switch self {
            case .readNotPermitted: 5
            case .writeNotPermitted: 7
            case .invalidHandle: 0x77
            case .authorization: 9
            case .authentication: 0xB
            case .keySize: 0xD
            }
        }

        var uuid: BluetoothUUID { ATTSamples.uuid(0xFF00 + (handle - 1) / 2) }

        var error: ATTError {
            switch self {
            case .readNotPermitted: .readNotPermitted
            case .writeNotPermitted: .writeNotPermitted
            case .invalidHandle: .invalidHandle
            case .authorization: .insufficientAuthorization
            case .authentication: .insufficientAuthentication
            case .keySize: .encryptionKeySizeTooShort
            }
        }

        static let forReads = allCases.filter { $0 != .writeNotPermitted }
        static let forWrites = allCases.filter { $0 != .readNotPermitted }
    }

    private func bench(_ obstacle: Obstacle) throws -> ServerBench {
        var bench = try ServerBench(.init(), Self.services)
        if obstacle == .keySize {
            bench.server.security = ATTSamples.secureConnections
            bench.server.security.keySize = 7
        }
        return bench
    }

    /// The error that a request gets, from the server or from the app.
    private func refusal(_ pdu: ATTPDU, _ obstacle: Obstacle) throws -> (ATTError, UInt16)? {
        var bench = try bench(obstacle)
        var outputs = bench.send(pdu)
        if case .asks(let token, _)? = outputs.first {
            #expect(obstacle == .authorization, "only the app knows who is authorised")
            outputs = bench.answer(token, .refused(.insufficientAuthorization, handle: obstacle.handle))
        }
        guard case .errorResponse(pdu.opcode.rawValue, let handle, let error)? = outputs.first?.pdu else { return nil }
        return (error, handle)
    }

    private func expect(
        _ pdu: ATTPDU, _ obstacle: Obstacle, handle: UInt16? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let refusal = try #require(try refusal(pdu, obstacle), sourceLocation: sourceLocation)
        #expect(refusal.0 == obstacle.error, sourceLocation: sourceLocation)
        #expect(refusal.1 == handle ?? obstacle.handle, sourceLocation: sourceLocation)
    }

    @Test(
        "Reading a value",
        .shows(
            "GATT/SR/GAR/BI-01-C", "GATT/SR/GAR/BI-02-C", "GATT/SR/GAR/BI-03-C", "GATT/SR/GAR/BI-04-C",
            "GATT/SR/GAR/BI-05-C"), arguments: Obstacle.forReads)
    func read(obstacle: Obstacle) throws { try expect(.readRequest(handle: obstacle.handle), obstacle) }

    @Test(
        "Reading by UUID",
        .shows(
            "GATT/SR/GAR/BI-06-C", "GATT/SR/GAR/BI-07-C", "GATT/SR/GAR/BI-08-C", "GATT/SR/GAR/BI-09-C",
            "GATT/SR/GAR/BI-10-C", "GATT/SR/GAR/BI-11-C"), arguments: Obstacle.forReads)
    func readByUUID(obstacle: Obstacle) throws {
        guard obstacle == .invalidHandle else {
            return try expect(.readByTypeRequest(.all, type: obstacle.uuid), obstacle)
        }
        // An invalid handle is one of an invalid range here; an unknown UUID is not found.
        try expect(.readByTypeRequest(HandleRange(9, 3), type: ATTSamples.uuid(0xFF01)), obstacle, handle: 9)
        try expect(.readByTypeRequest(HandleRange(0, 3), type: ATTSamples.uuid(0xFF01)), obstacle, handle: 0)
        let unknown = try #require(try refusal(.readByTypeRequest(.all, type: ATTSamples.uuid(0xEEEE)), obstacle))
        #expect(unknown.0 == .attributeNotFound && unknown.1 == 1)
    }

    @Test(
        "Reading a part of a value",
        .shows(
            "GATT/SR/GAR/BI-12-C", "GATT/SR/GAR/BI-13-C", "GATT/SR/GAR/BI-14-C", "GATT/SR/GAR/BI-15-C",
            "GATT/SR/GAR/BI-16-C", "GATT/SR/GAR/BI-17-C"), arguments: Obstacle.forReads)
    func readPart(obstacle: Obstacle) throws {
        try expect(.readBlobRequest(handle: obstacle.handle, offset: 1), obstacle)
        let behind = try #require(try refusal(.readBlobRequest(handle: 3, offset: 5), obstacle))
        #expect(behind.0 == .invalidOffset && behind.1 == 3)
    }

    @Test(
        "Reading several values, with and without their lengths: the first one that refuses is named",
        .shows(
            "GATT/SR/GAR/BI-18-C", "GATT/SR/GAR/BI-19-C", "GATT/SR/GAR/BI-20-C", "GATT/SR/GAR/BI-21-C",
            "GATT/SR/GAR/BI-22-C", "GATT/SR/GAR/BI-36-C", "GATT/SR/GAR/BI-38-C", "GATT/SR/GAR/BI-40-C",
            "GATT/SR/GAR/BI-42-C", "GATT/SR/GAR/BI-44-C"), arguments: Obstacle.forReads)
    func readSeveral(obstacle: Obstacle) throws {
        try expect(.readMultipleRequest(handles: [3, obstacle.handle]), obstacle)
        try expect(.readMultipleVariableRequest(handles: [3, obstacle.handle]), obstacle)
    }

    @Test(
        "Writing a value",
        .shows(
            "GATT/SR/GAW/BI-02-C", "GATT/SR/GAW/BI-03-C", "GATT/SR/GAW/BI-04-C", "GATT/SR/GAW/BI-05-C",
            "GATT/SR/GAW/BI-06-C"), arguments: Obstacle.forWrites)
    func write(obstacle: Obstacle) throws {
        try expect(.writeRequest(handle: obstacle.handle, value: [9]), obstacle)
        var bench = try bench(obstacle)
        let before = bench.database.attribute(at: obstacle.handle)?.content
        _ = bench.send(.writeRequest(handle: obstacle.handle, value: [9]))
        #expect(bench.database.attribute(at: obstacle.handle)?.content == before)
    }

    @Test(
        "Writing a long value: the first part is refused, or the whole",
        .shows(
            "GATT/SR/GAW/BI-07-C", "GATT/SR/GAW/BI-08-C", "GATT/SR/GAW/BI-09-C", "GATT/SR/GAW/BI-11-C",
            "GATT/SR/GAW/BI-12-C", "GATT/SR/GAW/BI-13-C"), arguments: Obstacle.forWrites)
    func writeLong(obstacle: Obstacle) throws {
        let part = AttributeWrite(obstacle.handle, [1, 2])
        if obstacle == .authorization {
            // The app is asked when all parts are there.
            var bench = try bench(obstacle)
            #expect(bench.answers(to: .prepareWriteRequest(part)) == [.prepareWriteResponse(part)])
            let token = try bench.question(of: .executeWriteRequest(commits: true))
            let refusal = bench.answer(token, .refused(.insufficientAuthorization, handle: 9))
            #expect(refusal == [.send(ATTSamples.bytes("01 18 09 00 08"))])
        } else {
            try expect(.prepareWriteRequest(part), obstacle)
        }
        var bench = try bench(obstacle)
        let behind = AttributeWrite(3, offset: 5, [1])
        _ = bench.send(.prepareWriteRequest(behind))
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send(ATTSamples.bytes("01 18 03 00 07"))])
        #expect(bench.database.attribute(at: 3)?.content == .stored([1, 2, 3, 4]))
    }

    @Test(
        "A value that is too long is refused whole, long or short, and ignored without response",
        .shows("GATT/SR/GAW/BI-32-C", "GATT/SR/GAW/BI-33-C", "GATT/SR/GAW/BI-39-C"))
    func tooLong() throws {
        let definition = CharacteristicDefinition(
            ATTSamples.uuid(0xFF01), [.read, .write, .writeWithoutResponse], value: .stored([7]), maximumLength: 4)
        var bench = try ServerBench(.init(), [ServiceDefinition(ATTSamples.uuid(0xFF00), [definition])])
        #expect(bench.error(of: .writeRequest(handle: 3, value: [1, 2, 3, 4, 5])) == .invalidAttributeValueLength)
        for offset in [0, 3] as [UInt16] {
            let part = AttributeWrite(3, offset: offset, [1, 2, 3])
            #expect(bench.answers(to: .prepareWriteRequest(part)) == [.prepareWriteResponse(part)])
        }
        #expect(bench.error(of: .executeWriteRequest(commits: true)) == .invalidAttributeValueLength)
        #expect(bench.answers(to: .writeCommand(handle: 3, value: [1, 2, 3, 4, 5])).isEmpty)
        #expect(bench.database.attribute(at: 3)?.content == .stored([7]))
    }
}
