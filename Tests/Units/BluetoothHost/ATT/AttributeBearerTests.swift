import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Two bearers of one link, each with a database. PDUs go from one to the other until both are silent.
private struct TwoBearers {
    struct End {
        var bearer: AttributeBearer
        var database: AttributeDatabase
        var outputs: [AttributeBearer.Output] = []
        /// The answers to questions about dynamic values.
        var values: [UInt16: [UInt8]] = [:]

        mutating func receive(_ bytes: [UInt8]) -> [AttributeBearer.Output] {
            bearer.receive(bytes, at: .zero, in: &database)
        }

        /// Takes outputs, and returns the PDUs for the other end.
        mutating func take(_ new: [AttributeBearer.Output]) -> [[UInt8]] {
            var sent: [[UInt8]] = []
            for output in new {
                switch output {
                case .client(.send(let bytes)), .server(.send(let bytes)): sent.append(bytes)
                case .server(.asks(let token, let request)):
                    sent += take(bearer.server.answer(token, answer(to: request), in: &database).map { .server($0) })
                default: outputs.append(output)
                }
            }
            return sent
        }

        private mutating func answer(to request: AttributeServer.Request) -> AttributeServer.Answer {
            switch request {
            case .read(let handle, let offset): return .value(Array((values[handle] ?? []).dropFirst(Int(offset))))
            case .write(let writes):
                for write in writes {
                    values[write.handle] = Array((values[write.handle] ?? []).prefix(Int(write.offset))) + write.value
                }
                return .written
            }
        }
    }

    var phone: End
    var accessory: End

    init() throws {
        var client = AttributeClient.Configuration()
        var server = AttributeServer.Configuration()
        phone = End(
            bearer: AttributeBearer(client: client, server: server),
            database: try AttributeDatabase(ATTSamples.services))
        (client.offeredMTU, server.offeredMTU) = (100, 100)
        accessory = End(
            bearer: AttributeBearer(client: client, server: server),
            database: try AttributeDatabase(ATTSamples.services))
    }

    mutating func pump(_ outputs: [AttributeBearer.Output], of end: WritableKeyPath<TwoBearers, End>) {
        let other = end == \TwoBearers.phone ? \TwoBearers.accessory : \TwoBearers.phone
        for bytes in self[keyPath: end].take(outputs) {
            pump(self[keyPath: other].receive(bytes), of: other)
        }
    }

    /// A request of the phone, and its answer.
    mutating func request(_ pdu: ATTPDU) -> ATTPDU? {
        let (token, outputs) = phone.bearer.client.request(pdu, for: "testing", at: .zero)
        pump(outputs.map { .client($0) }, of: \.phone)
        for case .client(.answered(token, let answer)) in phone.outputs { return answer }
        return nil
    }
}

@Suite("Two ends of an ATT bearer")
struct AttributeBearerTests {
    private var ends: TwoBearers

    init() throws { ends = try TwoBearers() }

    @Test("Both halves of both ends have the MTU of one exchange")
    mutating func sharedMTU() {
        #expect(ends.request(.exchangeMTURequest(mtu: 527)) == .exchangeMTUResponse(mtu: 100))
        #expect(ends.phone.bearer.mtu == 100 && ends.phone.bearer.server.mtu == 100)
        #expect(ends.accessory.bearer.mtu == 100 && ends.accessory.bearer.server.mtu == 100)
        #expect(ends.phone.outputs.contains(.client(.mtuChanged(100))))
        #expect(ends.accessory.outputs == [.server(.mtuChanged(100))])
    }

    @Test("A phone discovers, reads, writes and is notified, while the accessory is its client")
    mutating func journey() {
        let found = ends.request(.findByTypeValueRequest(.all, type: 0x2800, value: [0x0F, 0x18]))
        #expect(found == .findByTypeValueResponse([HandleRange(10, 13)]))
        #expect(ends.request(.writeRequest(handle: 0x16, value: [3, 0])) == .writeResponse)
        #expect(ends.accessory.outputs.contains(.server(.subscribed(handle: 0x15, notifies: true, indicates: true))))
        #expect(ends.request(.writeRequest(handle: 0x10, value: [1, 2, 3])) == .writeResponse)
        #expect(ends.request(.readBlobRequest(handle: 0x10, offset: 1)) == .readBlobResponse(value: [2, 3]))
        let database = ends.accessory.database
        for value in 1...3 as ClosedRange<UInt8> {
            let outputs = ends.accessory.bearer.server.indicate([value], of: 0x15, at: .zero, in: database)
            ends.pump(outputs.map { .server($0) }, of: \.accessory)
        }
        let indicated = ends.phone.outputs.filter { if case .client(.indicated) = $0 { true } else { false } }
        #expect(indicated == (1...3).map { .client(.indicated(handle: 0x15, value: [$0])) })
        #expect(ends.accessory.outputs.filter { $0 == .server(.confirmed(handle: 0x15)) }.count == 3)
        let (token, outputs) = ends.accessory.bearer.client.request(.readRequest(handle: 3), for: "", at: .zero)
        ends.pump(outputs.map { .client($0) }, of: \.accessory)
        #expect(
            ends.accessory.outputs.last == .client(.answered(token, .readResponse(value: Array("Phone".utf8)))))
        #expect((ends.phone.outputs + ends.accessory.outputs).allSatisfy { !$0.isViolation })
    }

    @Test("A long value is written and read in parts")
    mutating func longValue() {
        let value = (0..<200).map { UInt8($0) }
        for offset in stride(from: 0, to: 200, by: 18) {
            let part = AttributeWrite(0x10, offset: UInt16(offset), Array(value[offset..<min(offset + 18, 200)]))
            #expect(ends.request(.prepareWriteRequest(part)) == .prepareWriteResponse(part))
        }
        #expect(ends.request(.executeWriteRequest(commits: true)) == .executeWriteResponse)
        #expect(ends.accessory.values[0x10] == value)
        var read: [UInt8] = []
        while case .readBlobResponse(let part)? = ends.request(
            .readBlobRequest(handle: 0x10, offset: UInt16(read.count)))
        {
            read += part
            if part.count < 22 { break }
        }
        #expect(read == value)
    }

    @Test("The client's time-out ends the server half, and the server's ends the client half")
    func timeOuts() throws {
        var bearer = AttributeBearer()
        var database = try AttributeDatabase(ATTSamples.services)
        _ = bearer.client.request(.readRequest(handle: 3), for: "reading", at: .seconds(2))
        _ = bearer.receive([0x12, 0x16, 0, 2, 0], at: .zero, in: &database)
        _ = bearer.server.indicate([1], of: 0x15, at: .seconds(1), in: database)
        #expect(bearer.deadline == .seconds(31))
        var other = bearer
        let ofServer = bearer.advance(to: .seconds(31))
        #expect(ofServer.count == 2)
        guard case .server(.linkMustEnd)? = ofServer.first, case .client(.failed)? = ofServer.last else {
            Issue.record("not both halves: \(ofServer)")
            return
        }
        #expect(bearer.receive([0x0A, 3, 0], at: .seconds(31), in: &database).isEmpty)
        _ = other.receive([0x1E], at: .seconds(3), in: &database)
        #expect(other.deadline == .seconds(32))
        #expect(other.advance(to: .seconds(32)).count == 2)
        #expect(other.receive([0x0A, 3, 0], at: .seconds(32), in: &database).isEmpty)
        #expect(other.server.notify([1], of: 0x15, in: database).isEmpty)
    }

    @Test("The end of the link ends both halves")
    func linkEnded() throws {
        var bearer = AttributeBearer()
        var database = try AttributeDatabase(ATTSamples.services)
        let (token, _) = bearer.client.request(.readRequest(handle: 3), for: "reading", at: .zero)
        #expect(
            bearer.linkEnded(because: "the link was lost") == [
                .client(.failed(token, "reading (Read Request, handle 0x0003) failed: the link was lost"))
            ])
        #expect(bearer.receive([0x0A, 3, 0], at: .zero, in: &database).isEmpty)
        #expect(bearer.deadline == nil)
    }
}

extension AttributeBearer.Output {
    fileprivate var isViolation: Bool {
        switch self {
        case .client(let output): output.isViolation
        case .server(let output): output.isViolation
        }
    }
}
