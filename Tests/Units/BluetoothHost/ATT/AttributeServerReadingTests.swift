import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Values that a client reads")
struct AttributeServerReadingTests {
    private var bench: ServerBench

    init() throws { bench = try ServerBench() }

    @Test("A stored value is read at once, and cut to the MTU")
    mutating func stored() {
        #expect(bench.answers(to: .readRequest(handle: 3)) == [.readResponse(value: Array("Phone".utf8))])
        #expect(bench.answers(to: .readRequest(handle: 0x12)) == [.readResponse(value: Array(0..<22))])
        bench.exchangeMTU(100)
        #expect(bench.answers(to: .readRequest(handle: 0x12)) == [.readResponse(value: Array(0..<40))])
    }

    @Test("A long value is read by its parts; an offset behind its end is an error", .shows("GATT/SR/GAR/BV-04-C"))
    mutating func blob() {
        let first = bench.answers(to: .readBlobRequest(handle: 0x12, offset: 0))
        #expect(first == [.readBlobResponse(value: Array(0..<22))])
        let rest = bench.answers(to: .readBlobRequest(handle: 0x12, offset: 22))
        #expect(rest == [.readBlobResponse(value: Array(22..<40))])
        #expect(bench.answers(to: .readBlobRequest(handle: 0x12, offset: 40)) == [.readBlobResponse(value: [])])
        #expect(bench.error(of: .readBlobRequest(handle: 0x12, offset: 41)) == .invalidOffset)
        #expect(bench.error(of: .readBlobRequest(handle: 0x12, offset: 0xFFFF)) == .invalidOffset)
        #expect(bench.answers(to: .readBlobRequest(handle: 3, offset: 0)).first?.opcode == .readBlobResponse)
    }

    @Test("A phone may refuse parts of a value that is not long")
    mutating func shortBlob() throws {
        var configuration = AttributeServer.Configuration()
        configuration.refusesShortBlobs = true
        bench = try ServerBench(configuration)
        #expect(bench.error(of: .readBlobRequest(handle: 3, offset: 0)) == .attributeNotLong)
        #expect(bench.answers(to: .readBlobRequest(handle: 0x12, offset: 0)).first?.opcode == .readBlobResponse)
    }

    @Test("A dynamic value comes from the layer above, from the offset on, and is cut to the MTU")
    mutating func dynamic() throws {
        let outputs = bench.send(.readBlobRequest(handle: 0x10, offset: 5))
        guard case .asks(let token, .read(handle: 0x10, offset: 5))? = outputs.first, outputs.count == 1 else {
            Issue.record("not asked: \(outputs)")
            return
        }
        let value = [UInt8](0..<30)
        #expect(bench.answer(token, .value(value)) == [.send([0x0D] + value.prefix(22))])
        #expect(bench.answer(token, .value(value)).isEmpty, "A second answer is ignored")
        let next = try bench.question(of: .readRequest(handle: 0x10))
        #expect(bench.answer(next, .value([7])) == [.send([0x0B, 7])])
    }

    @Test("A refusal of the layer above is sent with its code, known or not")
    mutating func refusedAbove() throws {
        let token = try bench.question(of: .readRequest(handle: 0x10))
        #expect(bench.answer(token, .refused(ATTError(0x80))) == [.send(ATTSamples.bytes("01 0A 10 00 80"))])
        let other = try bench.question(of: .readRequest(handle: 0x10))
        #expect(
            bench.answer(other, .refused(.invalidOffset, handle: 9)) == [.send(ATTSamples.bytes("01 0A 09 00 07"))])
    }

    @Test("An answer of the wrong kind becomes Unlikely Error")
    mutating func wrongAnswer() throws {
        let token = try bench.question(of: .readRequest(handle: 0x10))
        #expect(bench.answer(token, .written) == [.send(ATTSamples.bytes("01 0A 10 00 0E"))])
    }

    @Test("Read By Type has all values of the first one's length, and none that the client may not read")
    mutating func byType() throws {
        let type = ATTSamples.uuid(0xFF01)
        bench = try ServerBench(
            .init(),
            [
                ServiceDefinition(
                    ATTSamples.uuid(0x180F),
                    [
                        CharacteristicDefinition(type, .read, value: .stored([1, 2])),  // 0003
                        CharacteristicDefinition(type, .read, value: .stored([3, 4])),  // 0005
                        CharacteristicDefinition(type, .read, value: .stored([5])),  // 0007
                        CharacteristicDefinition(type, .read, value: .stored([6])),  // 0009
                        CharacteristicDefinition(type, .read, reading: .encrypted, value: .stored([7])),  // 000B
                        CharacteristicDefinition(type, .read, value: .stored([8])),  // 000D
                        CharacteristicDefinition(type, .read),  // 000F
                        CharacteristicDefinition(type, .write, value: .stored([9])),  // 0011
                    ])
            ])
        func handles(from first: UInt16) -> [UInt16]? {
            guard
                case .readByTypeResponse(let values)? = bench.answers(
                    to: .readByTypeRequest(HandleRange(first, 0xFFFF), type: type)
                ).first
            else { return nil }
            return values.map(\.handle)
        }
        #expect(handles(from: 1) == [3, 5])
        #expect(handles(from: 6) == [7, 9])
        #expect(
            bench.send(.readByTypeRequest(HandleRange(10, 0xFFFF), type: type)) == [
                .send(ATTSamples.bytes("01 08 0B 00 05"))
            ])
        #expect(handles(from: 12) == [13], "The layer above is not asked for a second value")
        #expect(bench.error(of: .readByTypeRequest(HandleRange(16, 0xFFFF), type: type)) == .readNotPermitted)
        #expect(bench.error(of: .readByTypeRequest(HandleRange(18, 0xFFFF), type: type)) == .attributeNotFound)
    }

    @Test("Read By Type asks the layer above for a first dynamic value, and cuts it to its field")
    mutating func byTypeDynamic() throws {
        bench.exchangeMTU(527)
        let request = ATTPDU.readByTypeRequest(.all, type: ATTSamples.uuid(0xFF01))
        let token = try bench.question(of: request)
        let value = [UInt8](repeating: 7, count: 300)
        #expect(bench.answer(token, .value(value)) == [.send([0x09, 255, 0x10, 0] + value.prefix(253))])
        let refused = try bench.question(of: request)
        #expect(bench.answer(refused, .refused(.unlikelyError)) == [.send(ATTSamples.bytes("01 08 10 00 0E"))])
    }

    @Test("Several values are read together, stored and dynamic")
    mutating func multiple() throws {
        let handles: [UInt16] = [5, 0x10, 5, 0x10]
        let token = try bench.question(of: .readMultipleRequest(handles: handles))
        let outputs = bench.answer(token, .value([7]))
        guard case .asks(let second, .read(handle: 0x10, offset: 0))? = outputs.first else {
            Issue.record("not asked: \(outputs)")
            return
        }
        #expect(bench.answer(second, .value([8])) == [.send(ATTSamples.bytes("0F 40 00 07 40 00 08"))])
        let variable = try bench.question(of: .readMultipleVariableRequest(handles: [5, 0x10]))
        #expect(bench.answer(variable, .value([7])) == [.send(ATTSamples.bytes("21 02 00 40 00 01 00 07"))])
    }

    @Test("Several values are refused for the first that cannot be read, before the layer above is asked")
    mutating func multipleRefused() {
        #expect(
            bench.send(.readMultipleRequest(handles: [0x10, 0x99])) == [.send(ATTSamples.bytes("01 0E 99 00 01"))])
        #expect(
            bench.send(.readMultipleVariableRequest(handles: [0x10, 0x0C])) == [
                .send(ATTSamples.bytes("01 20 0C 00 05"))
            ])
    }

    @Test("Several values are cut to the MTU; a length is not, and values without room are not asked for")
    mutating func multipleCut() {
        #expect(
            bench.answers(to: .readMultipleRequest(handles: [0x12, 0x10])) == [
                .readMultipleResponse(values: Array(0..<22))
            ])
        let cut = VariableValue(length: 40, bytes: Array(0..<20))
        #expect(
            bench.answers(to: .readMultipleVariableRequest(handles: [0x12, 0x10])) == [
                .readMultipleVariableResponse([cut])
            ])
        let whole = VariableValue(length: 5, bytes: Array("Phone".utf8))
        let answers = bench.answers(to: .readMultipleVariableRequest(handles: [3, 3, 3, 3]))
        #expect(answers == [.readMultipleVariableResponse([whole, whole, whole])])
    }
}
