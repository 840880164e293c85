import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("PDUs of the Attribute Protocol")
struct ATTPDUTests {
    /// Each PDU as the tables of Vol 3, Part F, 3.4 lay it out.
    private static let known: [(String, ATTPDU)] = [
        ("01 0A 12 00 05", .errorResponse(request: 0x0A, handle: 0x12, error: .insufficientAuthentication)),
        ("02 0F 02", .exchangeMTURequest(mtu: 527)),
        ("03 B9 00", .exchangeMTUResponse(mtu: 185)),
        ("04 01 00 FF FF", .findInformationRequest(.all)),
        (
            "05 01 03 00 00 28 04 00 03 28",
            .findInformationResponse([.init(3, ATTSamples.uuid(0x2800)), .init(4, ATTSamples.uuid(0x2803))])
        ),
        (
            "05 02 03 00 00 00 00 00 00 30 00 20 00 10 00 00 01 00 41 4C",
            .findInformationResponse([.init(3, ATTSamples.longUUID)])
        ),
        ("06 01 00 FF FF 00 28 0F 18", .findByTypeValueRequest(.all, type: 0x2800, value: [0x0F, 0x18])),
        ("07 01 00 05 00 09 00 0C 00", .findByTypeValueResponse([HandleRange(1, 5), HandleRange(9, 12)])),
        ("08 01 00 FF FF 00 2A", .readByTypeRequest(.all, type: ATTSamples.uuid(0x2A00))),
        (
            "08 01 00 FF FF 00 00 00 00 00 30 00 20 00 10 00 00 01 00 41 4C",
            .readByTypeRequest(.all, type: ATTSamples.longUUID)
        ),
        ("09 04 03 00 0A 0B 05 00 0C 0D", .readByTypeResponse([.init(3, [10, 11]), .init(5, [12, 13])])),
        ("0A 34 12", .readRequest(handle: 0x1234)),
        ("0B", .readResponse(value: [])),
        ("0B 01 02", .readResponse(value: [1, 2])),
        ("0C 34 12 16 00", .readBlobRequest(handle: 0x1234, offset: 22)),
        ("0D 03", .readBlobResponse(value: [3])),
        ("0E 03 00 05 00", .readMultipleRequest(handles: [3, 5])),
        ("0F 01 02 03", .readMultipleResponse(values: [1, 2, 3])),
        ("10 01 00 FF FF 00 28", .readByGroupTypeRequest(.all, type: AttributeType.primaryService)),
        ("11 06 01 00 05 00 00 18", .readByGroupTypeResponse([.init(HandleRange(1, 5), [0x00, 0x18])])),
        ("12 34 12 01", .writeRequest(handle: 0x1234, value: [1])),
        ("13", .writeResponse),
        ("16 34 12 05 00 01 02", .prepareWriteRequest(.init(0x1234, offset: 5, [1, 2]))),
        ("17 34 12 05 00 01 02", .prepareWriteResponse(.init(0x1234, offset: 5, [1, 2]))),
        ("18 00", .executeWriteRequest(commits: false)),
        ("18 01", .executeWriteRequest(commits: true)),
        ("19", .executeWriteResponse),
        ("1B 34 12 07", .notification(.init(0x1234, [7]))),
        ("1D 34 12 07", .indication(.init(0x1234, [7]))),
        ("1E", .confirmation),
        ("20 03 00 05 00", .readMultipleVariableRequest(handles: [3, 5])),
        (
            "21 01 00 07 04 00 08 09",
            .readMultipleVariableResponse([.init(length: 1, bytes: [7]), .init(length: 4, bytes: [8, 9])])
        ),
        ("23 03 00 01 00 07 05 00 00 00", .multipleNotification([.init(3, [7]), .init(5, [])])),
        ("52 34 12 01 02", .writeCommand(handle: 0x1234, value: [1, 2])),
        (
            "D2 34 12 01 00 00 00 00 01 02 03 04 05 06 07 08",
            .signedWriteCommand(handle: 0x1234, value: [1], signature: [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
        ),
    ]

    @Test("Each PDU is read and written as the specification lays it out", arguments: known)
    func knownBytes(hex: String, pdu: ATTPDU) throws {
        #expect(pdu.bytes == ATTSamples.bytes(hex))
        #expect(try ATTPDU.decode(ATTSamples.bytes(hex)) == pdu)
    }

    @Test("There is a known PDU for each opcode, and its answer follows its request")
    func opcodes() {
        #expect(Set(ATTPDUTests.known.map(\.1.opcode)) == Set(ATTOpcode.allCases))
        #expect(Set(ATTOpcode.allCases.map(\.name)).count == ATTOpcode.allCases.count)
        #expect(ATTOpcode.allCases.allSatisfy { $0.kind != .request || $0.response?.kind == .response })
        #expect(ATTOpcode.readMultipleVariableRequest.response == .readMultipleVariableResponse)
        #expect(ATTOpcode.writeCommand.response == nil)
        #expect(ATTOpcode.allCases.filter { ATTOpcode.isCommand($0.rawValue) } == [.writeCommand, .signedWriteCommand])
    }

    @Test(
        "A PDU of the wrong form is an error",
        arguments: [
            "", "00", "14", "FF", "01 0A 12 00", "01 0A 12 00 05 00", "02 17", "02 17 00 00", "03", "04 01 00 FF",
            "05", "05 01", "05 01 03 00", "05 01 03 00 00", "05 02 03 00 00 28", "05 03 03 00 00 28",
            "05 01 03 00 00 28 04", "06 01 00 FF FF 00", "07", "07 01 00 05", "07 01 00 05 00 06", "08 01 00 FF FF",
            "08 01 00 FF FF 00 00 2A 00", "08 01 00 FF FF 00", "09", "09 04", "09 00", "09 01 00", "09 04 03 00 0A",
            "09 04 03 00 0A 0B 05 00 0C", "0A 12", "0A 12 00 00", "0C 12 00 01", "0E", "0E 03 00", "0E 03 00 05",
            "0E 03 00 05 00 01", "10 01 00 FF FF", "11", "11 06", "11 03 01 00 05 00 00", "11 06 01 00 05 00 00",
            "12 34", "13 00", "16 34 12 05", "17 34 12 05", "18", "18 02", "18 01 00", "19 00", "1B", "1B 34", "1D 34",
            "1E 00", "20 03 00", "21", "21 01", "23", "23 03 00 01 00", "23 03 00 FF FF 07", "52 34",
            "D2 34 12 00 00 00 00 01 02 03 04 05 06 07",
        ])
    func malformed(hex: String) {
        #expect(throws: Malformed.self) { try ATTPDU.decode(ATTSamples.bytes(hex)) }
    }

    @Test("Errors name the PDU and the lengths")
    func errorTexts() {
        #expect(throws: Malformed("Read Request of 2 bytes; at least 3 are needed")) { try ATTPDU.decode([0x0A, 1]) }
        #expect(throws: Malformed("Write Response of 2 bytes, 1 too many")) { try ATTPDU.decode([0x13, 1]) }
        #expect(throws: Malformed("Read By Type Response with entries of 1 bytes; at least 2 are needed")) {
            try ATTPDU.decode([0x09, 1, 1])
        }
    }

    @Test("A PDU is described by its name and its handles")
    func descriptions() {
        #expect("\(ATTPDU.readRequest(handle: 0x12))" == "Read Request, handle 0x0012")
        #expect("\(ATTPDU.findInformationRequest(.all))" == "Find Information Request, handles 0x0001 to 0xFFFF")
        #expect("\(ATTPDU.readMultipleRequest(handles: [3, 5]))" == "Read Multiple Request, handles 0x0003, 0x0005")
        #expect("\(ATTPDU.executeWriteRequest(commits: true))" == "Execute Write Request")
        #expect("\(ATTError.insufficientAuthentication)" == "error 0x05 (insufficient authentication)")
    }

    @Test("The MTU may cut the length of a last value")
    func cutLength() throws {
        let pdu = try ATTPDU.decode(ATTSamples.bytes("21 01 00 07 04"))
        #expect(pdu == .readMultipleVariableResponse([.init(length: 1, bytes: [7])]))
    }

    @Test("Types with and without a short form are written in the long form together")
    func mixedTypes() throws {
        let entries = [AttributeInformation(3, ATTSamples.uuid(0x2800)), AttributeInformation(4, ATTSamples.longUUID)]
        let bytes = ATTPDU.findInformationResponse(entries).bytes
        #expect(bytes.count == 2 + 2 * 18)
        #expect(try ATTPDU.decode(bytes) == .findInformationResponse(entries))
    }

    @Test("Values that no entry can hold are cut")
    func longEntries() throws {
        let long = [UInt8](repeating: 1, count: 300)
        let values = try ATTPDU.decode(ATTPDU.readByTypeResponse([.init(1, long)]).bytes)
        #expect(values == .readByTypeResponse([.init(1, Array(long.prefix(253)))]))
        let groups = try ATTPDU.decode(ATTPDU.readByGroupTypeResponse([.init(.all, long)]).bytes)
        #expect(groups == .readByGroupTypeResponse([.init(.all, Array(long.prefix(251)))]))
    }

    @Test("Random bytes never trap the reader, and a PDU that was read is written with the same meaning")
    func fuzz() {
        var numbers = SeededNumbers(seed: 1)
        var readCount = 0
        for _ in 0..<ATTSamples.fuzzCount {
            var bytes = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            if !bytes.isEmpty, Bool.random(using: &numbers),
                let opcode = ATTOpcode.allCases.randomElement(using: &numbers)
            {
                bytes[0] = opcode.rawValue
            }
            if Bool.random(using: &numbers) { bytes = mutated(using: &numbers) }
            guard let pdu = try? ATTPDU.decode(bytes) else { continue }
            readCount += 1
            #expect((try? ATTPDU.decode(pdu.bytes)) == pdu)
            #expect(!pdu.description.isEmpty)
        }
        #expect(readCount > ATTSamples.fuzzCount / 10)
    }

    /// A known PDU with a byte changed, removed or added.
    private func mutated(using numbers: inout SeededNumbers) -> [UInt8] {
        guard let hex = ATTPDUTests.known.randomElement(using: &numbers)?.0 else { return [] }
        var bytes = ATTSamples.bytes(hex)
        let index = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: index)
        }
        return bytes
    }
}
