import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("The server's answers to discovery")
struct AttributeServerDiscoveryTests {
    private var bench: ServerBench

    init() throws { bench = try ServerBench() }

    /// All answers of a discovery by ranges, to its Attribute Not Found.
    private mutating func walk(
        _ request: (HandleRange) -> ATTPDU, next: (ATTPDU) -> UInt16?
    ) -> [ATTPDU] {
        var found: [ATTPDU] = []
        var first: UInt16 = 1
        while let pdu = bench.answers(to: request(HandleRange(first, 0xFFFF))).first, let last = next(pdu) {
            found.append(pdu)
            guard last < 0xFFFF, found.count < 100 else { break }
            first = last + 1
        }
        return found
    }

    @Test("The MTU is the smaller of both, and is exchanged once")
    mutating func mtu() {
        #expect(
            bench.send(.exchangeMTURequest(mtu: 185)) == [
                .send(ATTPDU.exchangeMTUResponse(mtu: 527).bytes), .mtuChanged(185),
            ])
        #expect(bench.server.mtu == 185)
        #expect(
            bench.send(.exchangeMTURequest(mtu: 527)) == [
                .send(ATTSamples.bytes("01 02 00 00 06")), .note("second Exchange MTU Request"),
            ])
        #expect(bench.server.mtu == 185)
    }

    @Test("An MTU below 23 counts as 23, and is noted", arguments: [0, 22] as [UInt16])
    mutating func smallMTU(peer: UInt16) {
        #expect(
            bench.send(.exchangeMTURequest(mtu: peer)) == [
                .send(ATTPDU.exchangeMTUResponse(mtu: 527).bytes),
                .note("Exchange MTU Request with an MTU of \(peer); 23 is the smallest"),
            ])
        #expect(bench.server.mtu == 23)
    }

    @Test(
        "Services of one UUID length are found together, the others by the next request", .shows("GATT/SR/GAD/BV-01-C"))
    mutating func services() {
        let pdus = walk({ .readByGroupTypeRequest($0, type: AttributeType.primaryService) }) {
            guard case .readByGroupTypeResponse(let groups) = $0 else { return nil }
            return groups.last?.range.last
        }
        let groups = pdus.flatMap {
            if case .readByGroupTypeResponse(let groups) = $0 { groups } else { [AttributeGroup]() }
        }
        #expect(
            groups.map(\.range) == [
                HandleRange(1, 5), HandleRange(6, 9), HandleRange(10, 13), HandleRange(14, 26),
            ])
        #expect(groups.map(\.value.count) == [2, 2, 2, 16])
        #expect(pdus.count == 2)
        #expect(
            bench.error(of: .readByGroupTypeRequest(HandleRange(15, 0xFFFF), type: AttributeType.primaryService))
                == .attributeNotFound)
    }

    @Test("Only services are groups; the error names the first handle")
    mutating func otherGroups() {
        let request = ATTPDU.readByGroupTypeRequest(HandleRange(2, 9), type: AttributeType.characteristic)
        #expect(bench.send(request) == [.send(ATTSamples.bytes("01 10 02 00 10"))])
        #expect(
            bench.error(of: .readByGroupTypeRequest(.all, type: AttributeType.secondaryService)) == .attributeNotFound)
    }

    @Test("A service is found by its UUID, with the end of its group", .shows("GATT/SR/GAD/BV-02-C"))
    mutating func byUUID() {
        let request = ATTPDU.findByTypeValueRequest(.all, type: 0x2800, value: [0x0F, 0x18])
        #expect(bench.answers(to: request) == [.findByTypeValueResponse([HandleRange(10, 13)])])
        let long = ATTPDU.findByTypeValueRequest(.all, type: 0x2800, value: ATTSamples.longUUID.bytes.reversed())
        #expect(bench.answers(to: long) == [.findByTypeValueResponse([HandleRange(14, 26)])])
        #expect(
            bench.send(.findByTypeValueRequest(HandleRange(2, 9), type: 0x2800, value: [0x0F, 0x18])) == [
                .send(ATTSamples.bytes("01 06 02 00 0A"))
            ])
    }

    @Test("Find By Type Value does not reveal a value that the client may not read")
    mutating func secretValue() {
        let request = ATTPDU.findByTypeValueRequest(.all, type: 0x2A19, value: [100])
        #expect(bench.error(of: request) == .attributeNotFound)
        bench.server.security = ATTSamples.encrypted
        #expect(bench.answers(to: request) == [.findByTypeValueResponse([HandleRange(12, 12)])])
    }

    @Test("Characteristics are found by their declarations", .shows("GATT/SR/GAD/BV-04-C", "GATT/SR/GAD/BV-05-C"))
    mutating func characteristics() {
        let pdus = walk({ .readByTypeRequest($0, type: AttributeType.characteristic) }) {
            guard case .readByTypeResponse(let values) = $0 else { return nil }
            return values.last?.handle
        }
        let values = pdus.flatMap { if case .readByTypeResponse(let values) = $0 { values } else { [HandleValue]() } }
        #expect(values.map(\.handle) == [2, 4, 7, 11, 15, 17, 20, 23, 25])
        #expect(values[0].value == [0x02, 0x03, 0x00, 0x00, 0x2A])
    }

    @Test(
        "Descriptors are found by Find Information, each response with one form of UUID", .shows("GATT/SR/GAD/BV-06-C"))
    mutating func information() {
        let pdus = walk({ .findInformationRequest($0) }) {
            guard case .findInformationResponse(let entries) = $0 else { return nil }
            return entries.last?.handle
        }
        let entries = pdus.flatMap {
            if case .findInformationResponse(let entries) = $0 { entries } else { [AttributeInformation]() }
        }
        #expect(entries.map(\.handle) == Array(1...26))
        #expect(entries.map(\.type) == bench.database.attributes.map(\.type))
        #expect(pdus.allSatisfy { $0.bytes.count <= 23 })
        #expect(bench.error(of: .findInformationRequest(HandleRange(27, 0xFFFF))) == .attributeNotFound)
    }

    @Test("A range that is empty or begins with 0 has an invalid handle", arguments: [(0, 0xFFFF), (5, 4), (0, 0)])
    mutating func invalidRanges(first: UInt16, last: UInt16) {
        let range = HandleRange(first, last)
        let requests: [ATTPDU] = [
            .findInformationRequest(range), .findByTypeValueRequest(range, type: 0x2800, value: []),
            .readByTypeRequest(range, type: AttributeType.characteristic),
            .readByGroupTypeRequest(range, type: AttributeType.characteristic),
        ]
        for request in requests {
            let answer = ATTPDU.errorResponse(
                request: request.opcode.rawValue, handle: first, error: .invalidHandle)
            #expect(bench.answers(to: request) == [answer])
        }
    }

    @Test("Responses fit in the MTU, whatever it is", arguments: [23, 24, 25, 50, 100, 185, 527] as [UInt16])
    mutating func fits(mtu: UInt16) throws {
        let services = (0..<60).map { number in
            ServiceDefinition(
                number < 30 ? ATTSamples.uuid(0x180F) : ATTSamples.longUUID,
                [CharacteristicDefinition(number < 40 ? ATTSamples.uuid(0xFF01) : ATTSamples.longUUID, .read)])
        }
        bench = try ServerBench(.init(), services)
        bench.exchangeMTU(mtu)
        for first in 1...UInt16(180) {
            let range = HandleRange(first, 0xFFFF)
            let requests: [ATTPDU] = [
                .findInformationRequest(range), .findByTypeValueRequest(range, type: 0x2800, value: [0x0F, 0x18]),
                .readByTypeRequest(range, type: AttributeType.characteristic),
                .readByGroupTypeRequest(range, type: AttributeType.primaryService),
            ]
            for request in requests {
                let answers = bench.answers(to: request)
                #expect(answers.count == 1 && answers.allSatisfy { $0.bytes.count <= Int(mtu) })
                #expect(answers.allSatisfy { $0.opcode == .errorResponse || request.mistake(of: $0) == nil })
            }
        }
    }
}
