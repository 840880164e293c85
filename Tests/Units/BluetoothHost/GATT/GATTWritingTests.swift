import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("GATT writes")
struct GATTWritingTests {
    private static func value(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    @Test(
        "A value is written whole, in pieces if it is long", .shows("GATT/CL/GAW/BV-03-C", "GATT/CL/GAW/BV-05-C"),
        arguments: [0, 1, 20, 21, 36, 37, 512], [23, 517])
    func whole(count: Int, mtu: Int) throws {
        var bench = try GATTBench(GATTSamples.values, mtu: UInt16(mtu))
        bench.values[7] = [9]
        #expect(bench.perform(.write(7, GATTWritingTests.value(count))) == .done)
        #expect(bench.values[7] == GATTWritingTests.value(count))
        let isLong = count > mtu - 3
        #expect(bench.sent.count == (isLong ? (count + mtu - 6) / (mtu - 5) + 1 : 1))
        #expect(bench.sent.last?.opcode == (isLong ? .executeWriteRequest : .writeRequest))
        #expect(bench.violations == [] && bench.server.prepared == [])
    }

    @Test("Descriptors are written as values are, long ones too", .shows("GATT/CL/GAW/BV-08-C", "GATT/CL/GAW/BV-09-C"))
    func descriptor() throws {
        var bench = try GATTBench(GATTSamples.values)
        #expect(bench.perform(.write(8, GATTWritingTests.value(50))) == .done)
        #expect(bench.values[8] == GATTWritingTests.value(50))
    }

    @Test("A value of more than 512 bytes is not sent")
    func tooLong() throws {
        for mtu in [23, 1000] as [UInt16] {
            var bench = try GATTBench(GATTSamples.values, mtu: mtu)
            guard case .failed(let failure)? = bench.perform(.write(7, GATTWritingTests.value(513))) else {
                Issue.record("513 bytes were written")
                continue
            }
            #expect(failure == .tooLong("writing handle 0x0007: 513 bytes; 512 are possible"))
            #expect(failure.error == .invalidAttributeValueLength)
            #expect(bench.sent == [])
        }
    }

    @Test("The server's own error is the result of a write", arguments: [0x03, 0x0D, 0x80, 0xFC] as [UInt8])
    func ownError(code: UInt8) throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.refusals[7] = ATTError(code)
        #expect(bench.perform(.write(7, [1])) == .failed(.refused(ATTError(code), handle: 7)))
        #expect(bench.perform(.write(7, GATTWritingTests.value(30))) == .failed(.refused(ATTError(code), handle: 7)))
    }

    @Test("A piece that is refused first ends the write; a later one is cancelled before")
    func refusedPiece() {
        let writing = ValueWriting(HandleValue(7, GATTWritingTests.value(30)), for: "", GATTHabits())
        let refusal = GATTFailure.refused(.prepareQueueFull, handle: 7)
        let early = GATTScript(writing, [.failure(refusal)])
        #expect(early.result == .failed(refusal) && early.requests.count == 1)
        let piece = AttributeWrite(7, GATTWritingTests.value(18))
        let late = GATTScript(
            writing, [.success(.prepareWriteResponse(piece)), .failure(refusal), .success(.executeWriteResponse)])
        #expect(late.result == .failed(refusal))
        #expect(late.requests.last == .executeWriteRequest(commits: false))
    }

    @Test("A wrong echo is cancelled and fails the write", arguments: 0..<3)
    func wrongEcho(kind: Int) {
        let value = GATTWritingTests.value(30)
        var echo = AttributeWrite(7, Array(value.prefix(18)))
        switch kind {
        case 0: echo.handle = 8
        case 1: echo.offset = 1
        default: echo.value[17] ^= 1
        }
        let writing = PreparedWriting([HandleValue(7, value)], for: "writing", GATTHabits())
        let answers: [Result<ATTPDU, GATTFailure>] = [
            .success(.executeWriteResponse), .failure(.refused(.unlikelyError, handle: 7)), .failure(.lost("")),
        ]
        for answer in answers {
            let script = GATTScript(writing, [.success(.prepareWriteResponse(echo)), answer])
            #expect(script.requests.last == .executeWriteRequest(commits: false))
            #expect(script.broken?.contains("is not what was sent") == true)
        }
    }

    @Test("A wrong echo on the air is told once, cancelled, and writes nothing")
    func wrongEchoOnTheAir() throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.isServerThere = false
        let id = bench.begin(.write(7, GATTWritingTests.value(30)))
        bench.receive(.prepareWriteResponse(AttributeWrite(7, offset: 0, [1])))
        #expect(bench.sent.last == .executeWriteRequest(commits: false))
        #expect(bench.result(of: id) == nil)
        bench.receive(.executeWriteResponse)
        #expect(bench.violations.count == 1)
        #expect(bench.result(of: id) == .failed(.broken(bench.violations[0])))
        // The ATT client finds an echo of another handle by itself.
        let other = bench.begin(.write(7, GATTWritingTests.value(30)))
        bench.receive(.prepareWriteResponse(AttributeWrite(9, offset: 0, [1])))
        #expect(bench.sent.last == .executeWriteRequest(commits: false))
        bench.receive(.executeWriteResponse)
        #expect(bench.violations.count == 2)
        #expect(bench.result(of: other) == .failed(.broken(bench.violations[1])))
    }

    @Test("Without a link, nothing is cancelled")
    func lost() {
        let writing = PreparedWriting([HandleValue(7, GATTWritingTests.value(30))], for: "", GATTHabits())
        let piece = AttributeWrite(7, GATTWritingTests.value(18))
        for failure in [GATTFailure.lost("gone"), .timedOut("late")] {
            let script = GATTScript(writing, [.success(.prepareWriteResponse(piece)), .failure(failure)])
            #expect(script.requests.count == 2 && script.result == .failed(failure))
        }
    }

    @Test("A response of the wrong kind fails a write")
    func wrongKind() {
        let short = ValueWriting(HandleValue(7, [1]), for: "writing", GATTHabits())
        #expect(GATTScript(short, .readResponse(value: [])).broken == "Read Response during writing")
        let long = PreparedWriting([HandleValue(7, [1])], for: "writing", GATTHabits())
        #expect(GATTScript(long, .writeResponse).broken == "Write Response during writing")
        let echo = ATTPDU.prepareWriteResponse(AttributeWrite(7, [1]))
        #expect(GATTScript(long, echo, echo).broken == "Prepare Write Response during writing")
    }

    @Test("Several values are written reliably: all, or none")
    func reliable() throws {
        var bench = try GATTBench(GATTSamples.values)
        let values = [HandleValue(7, GATTWritingTests.value(20)), HandleValue(0x0A, []), HandleValue(8, [5])]
        #expect(bench.perform(.writeReliably(values)) == .done)
        #expect(bench.values == [7: GATTWritingTests.value(20), 0x0A: [], 8: [5]])
        #expect(bench.sent.map(\.opcode).filter { $0 == .prepareWriteRequest }.count == 4)
        bench.refusals[8] = ATTError(0x81)
        let result = bench.perform(.writeReliably([HandleValue(7, [1]), HandleValue(8, [1])]))
        #expect(result == .failed(.refused(ATTError(0x81), handle: 8)))
        #expect(bench.values[7] == GATTWritingTests.value(20))
        #expect(bench.perform(.writeReliably([])) == .failed(.invalid("writing reliably: no values")))
        // The last piece is not permitted: the first is dropped.
        let forbidden = bench.perform(.writeReliably([HandleValue(7, [1]), HandleValue(6, [1])]))
        #expect(forbidden == .failed(.refused(.writeNotPermitted, handle: 6)))
        #expect(bench.sent.last == .executeWriteRequest(commits: false))
        #expect(bench.server.prepared == [] && bench.values[7] == GATTWritingTests.value(20))
    }

    @Test("A write without response is sent at once, beside a request without an answer", .shows("GATT/CL/GAW/BV-01-C"))
    func withoutResponse() throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.isServerThere = false
        let read = bench.begin(.read(7))
        let (id, outputs) = bench.client.writeWithoutResponse(
            GATTWritingTests.value(20), to: 7, over: &bench.attributes, at: bench.now)
        let command = ATTPDU.writeCommand(handle: 7, value: GATTWritingTests.value(20))
        #expect(outputs == [.send(command.bytes), .completed(id, .done)])
        #expect(bench.result(of: read) == nil)
    }

    @Test("A write without response has at most MTU − 3 bytes", arguments: [23, 100] as [UInt16])
    func withoutResponseTooLong(mtu: UInt16) throws {
        var bench = try GATTBench(GATTSamples.values, mtu: mtu)
        let (id, outputs) = bench.client.writeWithoutResponse(
            GATTWritingTests.value(Int(mtu) - 2), to: 7, over: &bench.attributes, at: bench.now)
        let text = "writing handle 0x0007: \(mtu - 2) bytes without response; \(mtu - 3) are possible"
        #expect(outputs == [.completed(id, .failed(.tooLong(text)))])
    }
}
