import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// A bearer that meets random PDUs, while its layer above answers, asks, subscribes and waits at random.
struct AttributeMachine: FuzzedMachine {
    static let mustMeet: Set<String> = ["violation", "answer", "question"]

    var numbers: SeededNumbers
    var log: FuzzLog?
    private(set) var met: Set<String> = []
    private var bearer = AttributeBearer()
    private var database: AttributeDatabase
    private var now: Duration = .zero
    private var questions: [AttributeServer.RequestToken] = []

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        do { database = try AttributeDatabase(ATTSamples.services) } catch { preconditionFailure("\(error)") }
        bearer.server.security =
            [.none, ATTSamples.encrypted, ATTSamples.secureConnections].randomElement(
                using: &numbers) ?? .none
        bearer.server.usesRobustCaching = Bool.random(using: &numbers)
    }

    /// A new link, which remembers what was met.
    private init(after other: AttributeMachine) {
        var seeds = other.numbers
        self.init(seed: seeds.next())
        (met, log) = (other.met, other.log)
    }

    /// One PDU of the peer: a mostly right one, or any bytes.
    private mutating func pdu() -> [UInt8] {
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

    mutating func step() -> String? {
        let before = bearer.mtu
        for output in act() {
            switch output {
            case .client(.send(let bytes)), .server(.send(let bytes)):
                if bytes.count > max(before, bearer.mtu) { return "a PDU is longer than the MTU" }
                if (try? ATTPDU.decode(bytes)) == nil { return "a PDU that was sent cannot be read" }
            case .server(.asks(let token, _)):
                met.insert("question")
                questions = [token]
            case .client(.violation), .server(.violation): met.insert("violation")
            case .client(.answered), .client(.refused): met.insert("answer")
            default: break
            }
        }
        return problem
    }

    /// What is wrong in the bearer's state.
    private var problem: String? {
        let (client, server) = (bearer.client, bearer.server)
        if client.mtu != server.mtu || client.mtu < 23 || client.mtu > 527 {
            return "MTUs of \(client.mtu), \(server.mtu)"
        }
        if client.pendingRequests > 8 { return "\(client.pendingRequests) requests wait" }
        if server.prepared.count > 64 || server.indications.count > 64 { return "too much is prepared or indicated" }
        if server.prepared.reduce(0, { $0 + $1.value.count }) > 8192 { return "too many bytes are prepared" }
        if server.configurations.count > 3 { return "\(server.configurations.count) configurations" }
        if (client.end != nil) != (server.end != nil) { return "one half ended without the other" }
        let isLong = database.attributes.contains {
            if case .stored(let value) = $0.content { value.count > 512 } else { false }
        }
        return isLong ? "a value is longer than 512 bytes" : nil
    }

    private mutating func act() -> [AttributeBearer.Output] {
        if bearer.client.end != nil { self = AttributeMachine(after: self) }

        let handle = UInt16.random(in: 0...30, using: &numbers)
        let choice = Int.random(in: 0..<12, using: &numbers)
        if choice < 7 { log?.add("action \(choice) at handle \(handle)") }
        switch choice {
        case 0: return request(handle)
        case 1: return bearer.client.confirm().map { .client($0) }
        case 2: return answer(handle)
        case 3: return bearer.server.notify([1, 2], of: handle, in: database).map { .server($0) }
        case 4: return bearer.server.indicate([1], of: handle, at: now, in: database).map { .server($0) }
        case 5: return replaceService()
        case 6:
            now += .milliseconds(Int.random(in: 0...500, using: &numbers))
            return bearer.advance(to: now)
        default:
            let pdu = pdu()
            log?.packet("ATT", pdu)
            return bearer.receive(pdu, at: now, in: &database)
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
