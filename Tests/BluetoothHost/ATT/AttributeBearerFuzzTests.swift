import RadioModel
import SeededNumbers
import Testing

@testable import HILBluetoothHost

@Suite("Hostile peers of an ATT bearer")
struct AttributeBearerFuzzTests {
    /// A bearer that meets random PDUs, while its layer above answers, asks, subscribes and waits at random.
    private struct Machine {
        var bearer = AttributeBearer()
        var database: AttributeDatabase
        var numbers: SeededNumbers
        var now: Duration = .zero
        var questions: [AttributeServer.RequestToken] = []

        init(seed: UInt64) throws {
            numbers = SeededNumbers(seed: seed)
            database = try AttributeDatabase(ATTSamples.services)
            bearer.server.security =
                [.none, ATTSamples.encrypted, ATTSamples.secureConnections].randomElement(
                    using: &numbers) ?? .none
            bearer.server.usesRobustCaching = Bool.random(using: &numbers)
        }

        /// One PDU of the peer: a mostly right one, or any bytes.
        mutating func pdu() -> [UInt8] {
            var bytes = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            guard Int.random(in: 0..<10, using: &numbers) > 0 else { return bytes }
            let opcode = ATTOpcode.allCases.randomElement(using: &numbers) ?? .confirmation
            let handle = UInt8.random(in: 0...30, using: &numbers)
            bytes = [opcode.rawValue, handle, 0] + bytes.prefix(Int.random(in: 0...24, using: &numbers))
            switch opcode {
            case .confirmation, .writeResponse, .executeWriteResponse: return [opcode.rawValue]
            case .executeWriteRequest: return [opcode.rawValue, handle % 3]
            case .readRequest: return Array(bytes.prefix(3))
            case .readBlobRequest: return Array(bytes.prefix(3)) + [handle, 0]
            case .errorResponse: return [1, bearer.client.outstanding?.request.pdu.opcode.rawValue ?? 0, handle, 0, 5]
            case .findInformationRequest: return [4, handle, 0, 30, 0]
            case .readByTypeRequest: return [8, handle, 0, 30, 0, 3, 0x28]
            case .readByGroupTypeRequest: return [0x10, handle, 0, 30, 0, 0, 0x28]
            default: return bytes
            }
        }

        mutating func step() -> [AttributeBearer.Output] {
            let handle = UInt16.random(in: 0...30, using: &numbers)
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0: return request(handle)
            case 1: return bearer.client.confirm().map { .client($0) }
            case 2: return answer(handle)
            case 3: return bearer.server.notify([1, 2], of: handle, in: database).map { .server($0) }
            case 4: return bearer.server.indicate([1], of: handle, at: now, in: database).map { .server($0) }
            case 5: return replaceService()
            case 6:
                now += .milliseconds(Int.random(in: 0...500, using: &numbers))
                return bearer.advance(to: now)
            default: return bearer.receive(pdu(), at: now, in: &database)
            }
        }

        private mutating func request(_ handle: UInt16) -> [AttributeBearer.Output] {
            let requests: [ATTPDU] = [
                .readRequest(handle: handle), .exchangeMTURequest(mtu: 100), .findInformationRequest(.all),
                .writeRequest(handle: handle, value: [1]), .readMultipleVariableRequest(handles: [1, 2]),
                .readByGroupTypeRequest(.all, type: AttributeType.primaryService),
                .prepareWriteRequest(.init(handle, [1])),
            ]
            guard bearer.client.pendingRequests < 8, let pdu = requests.randomElement(using: &numbers) else {
                return []
            }
            return bearer.client.request(pdu, for: "fuzzing", at: now).outputs.map { .client($0) }
        }

        private mutating func answer(_ handle: UInt16) -> [AttributeBearer.Output] {
            guard let token = questions.popLast() else { return [] }
            let answers: [AttributeServer.Answer] = [
                .value([1, 2, 3]), .value([UInt8](repeating: 0, count: 600)), .written, .refused(.unlikelyError),
                .refused(ATTError(0x80), handle: handle),
            ]
            let answer = answers.randomElement(using: &numbers) ?? .written
            return bearer.server.answer(token, answer, in: &database).map { .server($0) }
        }

        /// Removes the last service, and adds it again at its handles.
        private mutating func replaceService() -> [AttributeBearer.Output] {
            guard let last = database.layout.last, last.handle == 14,
                let range = try? database.remove(ServiceID(database.nextID.number - 1))
            else { return [] }
            bearer.server.databaseChanged(range, in: database)
            var service = ATTSamples.services[3]
            service.handle = 14
            if let range = try? database.add([service]) { bearer.server.databaseChanged(range, in: database) }
            return []
        }
    }

    @Test("Any PDUs in any state trap nothing, fill no memory, and are answered within the MTU", arguments: 1...20)
    func anything(seed: UInt64) throws {
        var machine = try Machine(seed: seed)
        var (violations, answered) = (0, 0)
        for _ in 0..<ATTSamples.fuzzCount / 10 {
            let before = machine.bearer
            for output in machine.step() {
                switch output {
                case .client(.send(let bytes)), .server(.send(let bytes)):
                    #expect(bytes.count <= max(before.mtu, machine.bearer.mtu))
                    #expect((try? ATTPDU.decode(bytes)) != nil)
                case .server(.asks(let token, _)): machine.questions = [token]
                case .client(.violation), .server(.violation): violations += 1
                case .client(.answered), .client(.refused): answered += 1
                default: break
                }
            }
            let (client, server) = (machine.bearer.client, machine.bearer.server)
            #expect(client.mtu == server.mtu && client.mtu >= 23 && client.mtu <= 527)
            #expect(client.pendingRequests <= 8)
            #expect(server.prepared.count <= 64 && server.indications.count <= 64)
            #expect(server.configurations.count <= 3)
            #expect(server.prepared.reduce(0) { $0 + $1.value.count } <= 8192)
            if client.end != nil || server.end != nil {
                #expect(client.end != nil && server.end != nil, "One half ended without the other")
                machine = try Machine(seed: machine.numbers.next())
            }
        }
        #expect(violations > 0 && answered > 0)
        let values = machine.database.attributes.compactMap { attribute in
            if case .stored(let value) = attribute.content { value.count } else { nil }
        }
        #expect(values.allSatisfy { $0 <= 512 })
    }

    @Test("Requests of any form get exactly one answer, or a question to the layer above")
    func oneAnswer() throws {
        var numbers = SeededNumbers(seed: 99)
        var bench = try ServerBench()
        for _ in 0..<ATTSamples.fuzzCount {
            let opcodes = ATTOpcode.allCases.filter { $0.kind == .request }
            let bytes =
                [opcodes.randomElement(using: &numbers)?.rawValue ?? 0]
                + (0..<Int.random(in: 0...22, using: &numbers)).map { _ in
                    UInt8.random(in: 0...(Bool.random(using: &numbers) ? 30 : 255), using: &numbers)
                }
            let outputs = bench.server.receive(bytes, at: .zero, in: &bench.database)
            let pdus = outputs.compactMap(\.pdu)
            var isAsked = false
            for case .asks(let token, let request) in outputs {
                isAsked = true
                if case .read = request {
                    #expect(bench.answer(token, .refused(.unlikelyError)).count == 1)
                } else {
                    #expect(bench.answer(token, .written).first?.pdu != nil)
                }
            }
            #expect(pdus.count == (isAsked ? 0 : 1), "\(Hex.spaced(bytes, most: 30)): \(outputs)")
            guard let opcode = ATTOpcode(rawValue: bytes[0]), let pdu = pdus.first else { continue }
            #expect(pdu.opcode == opcode.response || pdu.opcode == .errorResponse)
        }
    }
}
