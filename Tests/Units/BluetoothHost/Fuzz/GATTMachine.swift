import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// A client that meets random answers, while its layer above asks, repeats, gives up and encrypts at random.
struct GATTMachine: FuzzedMachine {
    static let mustMeet: Set<String> = ["violation", "success", "services", "end"]

    var numbers: SeededNumbers
    var log: FuzzLog?
    private(set) var met: Set<String> = []
    private var client: GATTClient
    private var attributes = AttributeClient()
    private var now: Duration = .zero
    private var steps = 0
    private var parked: [GATTRequestID] = []
    private var asked: Set<GATTRequestID> = []
    /// How many results each action has.
    private var results: [GATTRequestID: Int] = [:]

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
        var configuration = GATTClient.Configuration()
        configuration.subscribesToServiceChanged = .always
        configuration.waitsForProtection = Bool.random(using: &numbers)
        configuration.habits.serviceSearch = Bool.random(using: &numbers) ? .readsAll : .findsByUUID
        configuration.habits.endsWithWantedCharacteristics = Bool.random(using: &numbers)
        configuration.habits.continuesAfterValue = Bool.random(using: &numbers)
        configuration.habits.mostAttributes = 100
        client = GATTClient(configuration, isBonded: Bool.random(using: &numbers))
    }

    /// A PDU of the server: mostly an answer to the outstanding request that is almost right.
    private mutating func pdu() -> [UInt8] {
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0: return bytes(0...30)
        case 1: return [0x1D, byte(0...30), 0] + bytes(0...4)
        case 2: return [0x1B, byte(0...30), 0] + bytes(0...4)
        case 3: return error([0x0A, 0x05, 0x0F, 0x0C, 0x0B, 0x12, 0x80].randomElement(using: &numbers) ?? 1)
        default: return answer()
        }
    }

    private mutating func error(_ code: UInt8) -> [UInt8] {
        [0x01, attributes.outstanding?.request.pdu.opcode.rawValue ?? 0x0A, byte(0...30), 0, code]
    }

    private mutating func answer() -> [UInt8] {
        guard let request = attributes.outstanding?.request.pdu else { return bytes(1...20) }
        let first = UInt8(truncatingIfNeeded: Int(request.handles?.first ?? 0)) &+ byte(0...3)
        let next = first &+ byte(0...4)
        if Int.random(in: 0..<6, using: &numbers) == 0 { return error(0x0A) }
        switch request {
        case .exchangeMTURequest: return [0x03, byte(0...100), 0]
        case .findInformationRequest: return [0x05, 1, first, 0, byte(0...4), 0x29]
        case .findByTypeValueRequest: return [0x07, first, 0, next, byte(0...1) * 255]
        case .readByTypeRequest(_, type: AttributeType.characteristic):
            let type: [UInt8] = [[0x05, 0x2A], [0x01, 0xFF]].randomElement(using: &numbers) ?? []
            return [0x09, 7, first, 0, byte(), next, 0] + type
        case .readByTypeRequest(_, type: AttributeType.include):
            return [0x09, 8, first, 0, next, 0, next &+ 3, 0] + bytes(2...2)
        case .readByTypeRequest: return [0x09, 4, first, 0] + bytes(2...2)
        case .readByGroupTypeRequest:
            return [0x11, 6, first, 0, next, 0, byte(0...3), 0x18]
        case .readRequest: return [0x0B] + bytes(0...22)
        case .readBlobRequest: return [0x0D] + bytes(20...22)
        case .prepareWriteRequest(let write):
            return ATTPDU.prepareWriteResponse(write).bytes.dropLast(Int(byte(0...1)))
        default: return [request.opcode.rawValue + 1]
        }
    }

    private mutating func action() -> GATTClient.Action {
        let handle = UInt16(byte(0...30))
        let wanted = [BluetoothUUID(short: 0x1801), BluetoothUUID(short: 0xFF01)]
        let actions: [GATTClient.Action] = [
            .exchangeMTU, .discoverServices(nil), .discoverServices(wanted), .discoverSecondaryServices,
            .discoverIncluded(service: handle), .discoverCharacteristics(service: handle, nil),
            .discoverCharacteristics(service: handle, wanted), .discoverDescriptors(characteristic: handle),
            .read(handle), .readByType(wanted[0], in: .all), .readMultiple([handle, 1], isVariable: true),
            .readMultiple([handle], isVariable: false), .readFeature(.databaseHash), .write(handle, bytes(0...60)),
            .writeReliably([HandleValue(handle, bytes(0...30)), HandleValue(1, [])]),
            .setNotifying(characteristic: handle, Bool.random(using: &numbers)), .subscribeToServiceChanged,
        ]
        return actions.randomElement(using: &numbers) ?? .exchangeMTU
    }

    mutating func step() -> String? {
        steps += 1
        for output in act() {
            switch output {
            case .send(let bytes): if bytes.count > attributes.mtu { return "a PDU is longer than the MTU" }
            case .completed(let id, let result):
                if !asked.contains(id) { return "a result without an action" }
                results[id, default: 0] += 1
                if case .failed = result {} else { met.insert("success") }
            case .needsProtection(let id, _): parked.append(id)
            case .violation: met.insert("violation")
            default: break
            }
        }
        if let problem { return problem }
        return attributes.end != nil || steps == 300 ? endLink() : nil
    }

    /// What is wrong in the client's state.
    private var problem: String? {
        if client.pendingRequests > 11 || client.parked.count > 11 { return "too many requests wait" }
        if client.notedHandles.count > 64 { return "\(client.notedHandles.count) handles are noted" }
        if !client.inbox.isEmpty || !client.outbox.isEmpty { return "something is neither sent nor told" }
        if !client.queue.isEmpty && client.current == nil && client.parked.isEmpty { return "everything stands still" }
        let ranges = client.table.services.map(\.service.range)
        return zip(ranges, ranges.dropFirst()).allSatisfy { $0.last < $1.first } ? nil : "services overlap"
    }

    /// After the link's end, each action has exactly one result. Then a new link begins.
    private mutating func endLink() -> String? {
        if client.table.services.count > 1 { met.insert("services") }
        met.insert("end")
        for case .completed(let id, _) in client.take(attributes.linkEnded(because: "end"), over: &attributes, at: now)
        {
            results[id, default: 0] += 1
        }
        if client.pendingRequests > 0 { return "requests wait after the link's end" }
        if let id = asked.first(where: { results[$0] != 1 }) { return "\(id) has \(results[id] ?? 0) results" }
        var next = GATTMachine(seed: numbers.next())
        (next.met, next.log) = (met, log)
        self = next
        return nil
    }

    private mutating func act() -> [GATTClient.Output] {
        let choice = chance(16)
        if choice < 8 { log?.add("action \(choice)") }
        switch choice {
        case 0...3:
            guard client.pendingRequests < 10 else { return [] }
            // Known services and characteristics come more often.
            var next = action()
            if let service = client.table.services.randomElement(using: &numbers) {
                let handle = service.characteristics.randomElement(using: &numbers)?.handle
                let known: [GATTClient.Action] = [
                    next, .discoverCharacteristics(service: service.service.handle, nil),
                    handle.map { .setNotifying(characteristic: $0, true) } ?? next,
                ]
                next = known.randomElement(using: &numbers) ?? next
            }
            let (id, outputs) = client.perform(next, over: &attributes, at: now)
            asked.insert(id)
            return outputs
        case 4:
            guard let id = parked.popLast() else { return [] }
            if Bool.random(using: &numbers) { return client.giveUp(id, over: &attributes, at: now) }
            return client.retry(id, over: &attributes, at: now)
        case 5:
            now += .milliseconds(Int.random(in: 0...900, using: &numbers))
            return client.take(attributes.advance(to: now), over: &attributes, at: now)
        case 6 where byte() < 20: return client.linkWasEncrypted(over: &attributes, at: now)
        case 7:
            let (id, outputs) = client.writeWithoutResponse(bytes(0...25), to: 3, over: &attributes, at: now)
            asked.insert(id)
            return outputs
        default:
            let pdu = pdu()
            log?.packet("ATT", pdu)
            return client.take(attributes.receive(pdu, at: now), over: &attributes, at: now)
        }
    }
}
