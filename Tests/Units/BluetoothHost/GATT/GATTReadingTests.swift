import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("GATT reads")
struct GATTReadingTests {
    private static func value(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }

    @Test(
        "A value is read whole, whatever its length", .shows("GATT/CL/GAR/BV-01-C", "GATT/CL/GAR/BV-04-C"),
        arguments: [0, 1, 21, 22, 23, 44, 45, 100, 511, 512], [23, 158, 517] as [UInt16])
    func whole(count: Int, mtu: UInt16) throws {
        var bench = try GATTBench(GATTSamples.values, mtu: mtu)
        bench.values[7] = GATTReadingTests.value(count)
        #expect(bench.perform(.read(7)) == .value(GATTReadingTests.value(count)))
        let part = Int(mtu) - 1
        let requests = 1 + count / part
        let most = (512 + part - 1) / part
        #expect(bench.sent.count == min(requests, most))
        #expect(bench.sent.first == .readRequest(handle: 7))
        #expect(bench.violations == [])
    }

    @Test("A value that fills its answer exactly costs one more request, with an empty answer")
    func multiple() {
        let part = GATTReadingTests.value(22)
        let script = GATTScript(
            ValueReading(7, for: "reading", GATTHabits()), .readResponse(value: part), .readBlobResponse(value: []))
        #expect(script.requests == [.readRequest(handle: 7), .readBlobRequest(handle: 7, offset: 22)])
        #expect(script.result == .value(part))
    }

    @Test("Attribute Not Long ends a long read well; as the first answer it is an error")
    func notLong() {
        let part = GATTReadingTests.value(22)
        let refusal = GATTFailure.refused(.attributeNotLong, handle: 7)
        let reading = ValueReading(7, for: "reading", GATTHabits())
        #expect(
            GATTScript(reading, [.success(.readResponse(value: part)), .failure(refusal)]).result == .value(part))
        #expect(GATTScript(reading, [.failure(refusal)]).result == .failed(refusal))
        let other = GATTFailure.refused(.invalidOffset, handle: 7)
        #expect(
            GATTScript(reading, [.success(.readResponse(value: part)), .failure(other)]).result == .failed(other))
    }

    @Test("A read ends at 512 bytes, also with a server that has more")
    func longest() {
        let part = ATTPDU.readBlobResponse(value: GATTReadingTests.value(157))
        let first = ATTPDU.readResponse(value: GATTReadingTests.value(157))
        let script = GATTScript(ValueReading(7, for: "", GATTHabits()), mtu: 158, first, part, part, part, part)
        #expect(script.requests.count == 4)
        guard case .value(let value)? = script.result else {
            Issue.record("no value")
            return
        }
        #expect(value.count == 512)
    }

    @Test("An answer from before a larger MTU may be cut too")
    func largerMTU() {
        var reading = ValueReading(7, for: "", GATTHabits())
        _ = reading.start(mtu: 23)
        let step = reading.take(.success(.readResponse(value: GATTReadingTests.value(22))), mtu: 517)
        #expect(step == .request(.readBlobRequest(handle: 7, offset: 22), for: ""))
        let last = reading.take(.success(.readBlobResponse(value: GATTReadingTests.value(40))), mtu: 517)
        #expect(last == .done(.value(GATTReadingTests.value(22) + GATTReadingTests.value(40))))
    }

    @Test("A response of the wrong kind fails a read")
    func wrongKind() {
        let reading = ValueReading(7, for: "reading 2A19", GATTHabits())
        #expect(
            GATTScript(reading, .readBlobResponse(value: [])).broken == "Read Blob Response during reading 2A19")
        let full = ATTPDU.readResponse(value: GATTReadingTests.value(22))
        #expect(GATTScript(reading, full, full).broken == "Read Response during reading 2A19")
    }

    @Test("The server's own error is the result", arguments: [0x01, 0x02, 0x80, 0xFF] as [UInt8])
    func ownError(code: UInt8) throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.refusals[7] = ATTError(code)
        let result = bench.perform(.read(7))
        #expect(result == .failed(.refused(ATTError(code), handle: 7)))
        guard case .failed(let failure)? = result else { return }
        #expect(failure.error == ATTError(code))
    }

    @Test("Descriptors are read as values are, long ones too", .shows("GATT/CL/GAR/BV-06-C", "GATT/CL/GAR/BV-07-C"))
    func descriptor() throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.values[8] = GATTReadingTests.value(60)
        #expect(bench.perform(.read(8)) == .value(GATTReadingTests.value(60)))
        #expect(bench.perform(.read(0x0B)) == .value([0, 0]))
    }

    @Test(
        "The device name is read by type, and its rest by Read Blob",
        .shows("GATT/CL/GAR/BV-03-C", "GAP/IDLE/NAMP/BV-01-C"))
    func byType() throws {
        for (name, requests) in [("Phone", 1), ("Phone of somebody", 1), ("The phone of somebody", 2)] {
            let service = ServiceDefinition(
                ATTSamples.uuid(0x1800),
                [CharacteristicDefinition(ATTSamples.uuid(0x2A00), .read, value: .stored(Array(name.utf8)))])
            var bench = try GATTBench([service])
            let result = bench.perform(.readByType(ATTSamples.uuid(0x2A00), in: HandleRange(1, 3)))
            #expect(result == .values([HandleValue(3, Array(name.utf8))]))
            #expect(bench.sent.count == requests)
            #expect(bench.sent.first == .readByTypeRequest(HandleRange(1, 3), type: ATTSamples.uuid(0x2A00)))
        }
        var bench = try GATTBench()
        let missing = bench.perform(.readByType(ATTSamples.uuid(0x2A00), in: HandleRange(6, 9)))
        #expect(missing == .failed(.refused(.attributeNotFound, handle: 6)))
        let empty = bench.perform(.readByType(ATTSamples.uuid(0x2A00), in: HandleRange(9, 6)))
        guard case .failed(.invalid)? = empty else {
            Issue.record("an empty range was asked for")
            return
        }
    }

    @Test("A read by type fails for handles that do not grow, and for answers of the wrong kind")
    func byTypeLies() {
        let reading = TypedReading(BluetoothUUID(short: 0x2A00), in: HandleRange(1, 5), GATTHabits())
        let (one, six) = (HandleValue(1, [1]), HandleValue(6, [1]))
        #expect(GATTScript(reading, .readByTypeResponse([six])).broken?.contains("0x0006, outside of") == true)
        #expect(GATTScript(reading, .readByTypeResponse([one, one])).broken?.contains("from 0x0002 on") == true)
        #expect(GATTScript(reading, .readByTypeResponse([])).broken?.contains("without a value") == true)
        #expect(GATTScript(reading, .writeResponse).broken?.contains("Write Response") == true)
        let full = HandleValue(1, GATTReadingTests.value(19))
        #expect(GATTScript(reading, .readByTypeResponse([full]), .writeResponse).broken != nil)
        var habits = GATTHabits()
        habits.readsRestOfTypedValue = false
        let short = TypedReading(BluetoothUUID(short: 0x2A00), habits)
        #expect(GATTScript(short, .readByTypeResponse([full])).result == .values([full]))
        // Two values of the greatest length fit: both may be longer.
        let two = [HandleValue(1, GATTReadingTests.value(253)), HandleValue(3, GATTReadingTests.value(253))]
        #expect(GATTScript(reading, mtu: 517, .readByTypeResponse(two)).result == .values(two))
    }

    @Test("Several values are read at once, with and without their lengths")
    func several() throws {
        var bench = try GATTBench()
        #expect(
            bench.perform(.readMultiple([3, 5], isVariable: false)) == .value(Array("Phone".utf8) + [0x40, 0]))
        let expected = [HandleValue(3, Array("Phone".utf8)), HandleValue(5, [0x40, 0])]
        #expect(bench.perform(.readMultiple([3, 5], isVariable: true)) == .values(expected))
        // The MTU cuts the second value.
        #expect(bench.perform(.readMultiple([3, 0x12], isVariable: true)) == .values([expected[0]]))
        for handles in [[3], [UInt16](repeating: 3, count: 12)] {
            guard case .failed(.invalid)? = bench.perform(.readMultiple(handles, isVariable: false)) else {
                Issue.record("\(handles.count) handles were sent")
                continue
            }
        }
        #expect(bench.sent.count == 3)
        let reading = MultipleReading([3, 5], isVariable: true)
        let values = [VariableValue](repeating: VariableValue(length: 0, bytes: []), count: 3)
        #expect(
            GATTScript(reading, .readMultipleVariableResponse(values)).broken
                == "reading several values: 3 values for 2 handles")
        #expect(GATTScript(reading, .readMultipleResponse(values: [])).broken != nil)
    }

    @Test("The server's features and the hash of its database are read and checked")
    func features() throws {
        func services(_ type: UInt16, _ value: [UInt8]) -> [ServiceDefinition] {
            let feature = CharacteristicDefinition(ATTSamples.uuid(type), .read, value: .stored(value))
            return [ServiceDefinition(ATTSamples.uuid(0x1801), [feature])]
        }
        let hash = GATTReadingTests.value(16)
        var bench = try GATTBench(services(0x2B2A, hash))
        #expect(bench.perform(.readFeature(.databaseHash)) == .values([HandleValue(3, hash)]))
        #expect(bench.perform(.readFeature(.serverFeatures)) == .failed(.refused(.attributeNotFound, handle: 1)))
        bench = try GATTBench(services(0x2B2A, [1, 2]))
        #expect(
            bench.perform(.readFeature(.databaseHash)) == .failed(.broken("2B2A at handle 0x0003 has 2 bytes")))
        #expect(bench.violations == ["2B2A at handle 0x0003 has 2 bytes"])
        bench = try GATTBench(services(0x2B3A, [1]))
        #expect(bench.perform(.readFeature(.serverFeatures)) == .values([HandleValue(3, [1])]))
        bench = try GATTBench(services(0x2B29, [7]))
        #expect(bench.perform(.readFeature(.clientFeatures)) == .values([HandleValue(3, [7])]))
        let two = [HandleValue(3, [1]), HandleValue(5, [1])]
        let script = GATTScript(FeatureReading(.serverFeatures, GATTHabits()), .readByTypeResponse(two))
        #expect(script.broken == "2 values of 2B3A; 1 is due")
    }
}
