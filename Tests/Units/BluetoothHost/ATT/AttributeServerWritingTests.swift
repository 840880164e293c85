import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Values that a client writes")
struct AttributeServerWritingTests {
    private var bench: ServerBench

    init() throws { bench = try ServerBench() }

    @Test("A stored value is replaced, and the layer above learns of it after the response")
    mutating func stored() {
        #expect(
            bench.send(.writeRequest(handle: 0x12, value: [9])) == [.send([0x13]), .written(handle: 0x12, value: [9])])
        #expect(bench.answers(to: .readRequest(handle: 0x12)) == [.readResponse(value: [9])])
    }

    @Test("The layer above answers a write of a dynamic value")
    mutating func dynamic() throws {
        let outputs = bench.send(.writeRequest(handle: 0x10, value: [1, 2]))
        guard case .asks(let token, .write([AttributeWrite(0x10, [1, 2])]))? = outputs.first else {
            Issue.record("not asked: \(outputs)")
            return
        }
        #expect(bench.answer(token, .written) == [.send([0x13])])
        let refused = try bench.question(of: .writeRequest(handle: 0x10, value: []))
        #expect(bench.answer(refused, .refused(.valueNotAllowed)) == [.send(ATTSamples.bytes("01 12 10 00 13"))])
        let wrong = try bench.question(of: .writeRequest(handle: 0x10, value: []))
        #expect(bench.answer(wrong, .value([1])) == [.send(ATTSamples.bytes("01 12 10 00 0E"))])
    }

    @Test("Commands write without an answer; those that cannot are ignored and noted")
    mutating func commands() {
        #expect(bench.send(.writeCommand(handle: 0x10, value: [1])) == [.written(handle: 0x10, value: [1])])
        #expect(bench.send(.writeCommand(handle: 0x1A, value: [1])) == [.written(handle: 0x1A, value: [1])])
        #expect(bench.database.attribute(at: 0x1A)?.content == .stored([1]))
        for (handle, value) in [(0, [1]), (0x99, [1]), (0x1A, [1, 2, 3, 4, 5]), (0x16, [1, 0])] as [(UInt16, [UInt8])] {
            let outputs = bench.send(.writeCommand(handle: handle, value: value))
            guard outputs.count == 1, case .note? = outputs.first else {
                Issue.record("no note: \(outputs)")
                return
            }
        }
    }

    @Test("A command arrives while the layer above has a question")
    mutating func commandMeanwhile() throws {
        let token = try bench.question(of: .readRequest(handle: 0x10))
        #expect(bench.send(.writeCommand(handle: 0x10, value: [1])) == [.written(handle: 0x10, value: [1])])
        #expect(bench.answer(token, .value([2])) == [.send([0x0B, 2])])
    }

    @Test("Signed writes are ignored: the phone has no signing key")
    mutating func signed() {
        let pdu = ATTPDU.signedWriteCommand(
            handle: 0x10, value: [1], signature: [UInt8](repeating: 0, count: 12))
        #expect(
            bench.send(pdu) == [
                .note("Signed Write Command, handle 0x0010, was ignored: the phone has no signing key")
            ])
    }
}

@Suite("Prepared writes")
struct PreparedWriteTests {
    private var bench: ServerBench

    init() throws { bench = try ServerBench() }

    private mutating func prepare(_ handle: UInt16, _ offset: UInt16, _ value: [UInt8]) -> ATTError? {
        let write = AttributeWrite(handle, offset: offset, value)
        let answers = bench.answers(to: .prepareWriteRequest(write))
        if answers == [.prepareWriteResponse(write)] { return nil }
        guard case .errorResponse(0x16, handle, let error)? = answers.first else { return .unlikelyError }
        return error
    }

    @Test("A long value is written in parts, and ends where the last part ends", .shows("GATT/SR/GAW/BV-05-C"))
    mutating func longValue() {
        #expect(prepare(0x12, 0, Array(100..<118)) == nil)
        #expect(prepare(0x12, 18, [1, 2]) == nil)
        #expect(bench.database.attribute(at: 0x12)?.content == .stored(Array(0..<40)), "Nothing is written yet")
        let value = [UInt8](100..<118) + [1, 2]
        #expect(
            bench.send(.executeWriteRequest(commits: true)) == [.send([0x19]), .written(handle: 0x12, value: value)])
        #expect(bench.database.attribute(at: 0x12)?.content == .stored(value))
        #expect(bench.server.prepared.isEmpty)
    }

    @Test("A cancelled queue writes nothing")
    mutating func cancelled() {
        #expect(prepare(0x12, 0, [1]) == nil)
        #expect(bench.send(.executeWriteRequest(commits: false)) == [.send([0x19])])
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send([0x19])], "The queue is empty")
        #expect(bench.database.attribute(at: 0x12)?.content == .stored(Array(0..<40)))
    }

    @Test("An offset behind the value, or too many bytes, fail the whole queue; it is empty afterwards")
    mutating func badParts() {
        #expect(prepare(0x10, 0, [1]) == nil)
        #expect(prepare(0x12, 0, [1]) == nil)
        #expect(prepare(0x12, 2, [1]) == nil)
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send(ATTSamples.bytes("01 18 12 00 07"))])
        #expect(bench.server.prepared.isEmpty)
        for offset in [0, 18, 36, 54] as [UInt16] { #expect(prepare(0x12, offset, Array(0..<18)) == nil) }
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send(ATTSamples.bytes("01 18 12 00 0D"))])
        #expect(prepare(0x10, 0xFFFF, [1]) == nil)
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send(ATTSamples.bytes("01 18 10 00 0D"))])
        #expect(bench.database.attribute(at: 0x12)?.content == .stored(Array(0..<40)))
    }

    @Test("Dynamic parts go to the layer above together; stored ones are written when it agrees")
    mutating func dynamic() throws {
        #expect(prepare(0x10, 0, [1, 2]) == nil)
        #expect(prepare(0x12, 0, [7]) == nil)
        #expect(prepare(0x10, 2, [3]) == nil)
        let outputs = bench.send(.executeWriteRequest(commits: true))
        let writes = [AttributeWrite(0x10, [1, 2]), AttributeWrite(0x10, offset: 2, [3])]
        guard case .asks(let token, .write(writes))? = outputs.first, outputs.count == 1 else {
            Issue.record("not asked: \(outputs)")
            return
        }
        #expect(bench.answer(token, .written) == [.send([0x19]), .written(handle: 0x12, value: [7])])
        #expect(prepare(0x10, 0, [1, 2]) == nil)
        #expect(prepare(0x12, 0, [8]) == nil)
        let refused = try bench.question(of: .executeWriteRequest(commits: true))
        #expect(
            bench.answer(refused, .refused(.invalidOffset)) == [.send(ATTSamples.bytes("01 18 10 00 07"))])
        #expect(bench.database.attribute(at: 0x12)?.content == .stored([7]))
    }

    @Test("A subscription can be prepared as well")
    mutating func subscription() {
        #expect(prepare(0x16, 0, [1]) == nil)
        #expect(prepare(0x16, 1, [0]) == nil)
        #expect(
            bench.send(.executeWriteRequest(commits: true)) == [
                .send([0x19]), .subscribed(handle: 0x15, notifies: true, indicates: false),
            ])
        #expect(prepare(0x16, 0, [1]) == nil)
        #expect(bench.error(of: .executeWriteRequest(commits: true)) == .invalidAttributeValueLength)
    }

    @Test("The queue has a most of entries and a most of bytes")
    mutating func full() throws {
        for _ in 0..<64 { #expect(prepare(0x12, 0, [1]) == nil) }
        #expect(prepare(0x12, 0, [1]) == .prepareQueueFull)
        #expect(prepare(0x99, 0, [1]) == .invalidHandle)
        #expect(bench.server.prepared.count == 64)
        bench = try ServerBench()
        bench.exchangeMTU(527)
        let part = [UInt8](repeating: 0, count: 512)
        for _ in 0..<16 { #expect(prepare(0x12, 0, part) == nil) }
        #expect(prepare(0x12, 0, [1]) == .prepareQueueFull)
        #expect(prepare(0x12, 0, []) == nil)
        #expect(bench.answers(to: .executeWriteRequest(commits: false)) == [.executeWriteResponse])
        #expect(prepare(0x12, 0, [1]) == nil)
    }

    @Test("A service that goes away between both steps fails the second one")
    mutating func removed() throws {
        #expect(prepare(0x12, 0, [1]) == nil)
        try bench.database.remove(3)
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send(ATTSamples.bytes("01 18 12 00 01"))])
    }

    @Test("A service that goes away before the layer above answers is written no more")
    mutating func removedMeanwhile() throws {
        #expect(prepare(0x10, 0, [1]) == nil)
        #expect(prepare(0x12, 0, [1]) == nil)
        let token = try bench.question(of: .executeWriteRequest(commits: true))
        try bench.database.remove(3)
        #expect(bench.answer(token, .written) == [.send([0x19])])
    }
}
