import RadioModel
import SeededNumbers
import Testing

@testable import HILBluetoothHost

@Suite("Hostile servers of a GATT client")
struct GATTFuzzTests {
    /// A client that meets random answers, while its layer above asks, repeats, gives up and encrypts at random.
    private struct Machine {
        var client: GATTClient
        var attributes = AttributeClient()
        var numbers: SeededNumbers
        var now: Duration = .zero
        var parked: [GATTRequestID] = []
        var asked: Set<GATTRequestID> = []
        /// How many results each action has.
        var results: [GATTRequestID: Int] = [:]

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

        mutating func byte(_ range: ClosedRange<UInt8> = 0...255) -> UInt8 { UInt8.random(in: range, using: &numbers) }

        mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: count, using: &numbers)).map { _ in byte() }
        }

        /// A PDU of the server: mostly an answer to the outstanding request that is almost right.
        mutating func pdu() -> [UInt8] {
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

        mutating func step() -> [GATTClient.Output] {
            switch Int.random(in: 0..<16, using: &numbers) {
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
                return client.take(attributes.receive(pdu(), at: now), over: &attributes, at: now)
            }
        }
    }

    @Test("Any answers in any state trap nothing, fill no memory, and give each action one result", arguments: 1...20)
    func anything(seed: UInt64) {
        var machine = Machine(seed: seed)
        var (violations, successes, known) = (0, 0, 0)
        for index in 0..<ATTSamples.fuzzCount / 10 {
            for output in machine.step() {
                switch output {
                case .send(let bytes): #expect(bytes.count <= machine.attributes.mtu)
                case .completed(let id, let result):
                    #expect(machine.asked.contains(id))
                    machine.results[id, default: 0] += 1
                    if case .failed = result {} else { successes += 1 }
                case .needsProtection(let id, _): machine.parked.append(id)
                case .violation: violations += 1
                default: break
                }
            }
            let client = machine.client
            #expect(client.pendingRequests <= 11 && client.parked.count <= 11)
            #expect(client.notedHandles.count <= 64 && client.inbox.isEmpty && client.outbox.isEmpty)
            #expect(client.queue.isEmpty || client.current != nil || !client.parked.isEmpty, "Nothing stands still")
            let ranges = client.table.services.map(\.service.range)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.last < $1.first }, "Sorted, without overlaps")
            known = max(known, client.table.services.count)
            if machine.attributes.end != nil || index % 500 == 499 {
                end(&machine)
                machine = Machine(seed: machine.numbers.next())
            }
        }
        #expect(violations > 10 && successes > 10 && known > 1)
    }

    /// After the link's end, each action has exactly one result.
    private func end(_ machine: inout Machine) {
        let outputs = machine.client.take(
            machine.attributes.linkEnded(because: "end"), over: &machine.attributes, at: machine.now)
        for case .completed(let id, _) in outputs { machine.results[id, default: 0] += 1 }
        #expect(machine.client.pendingRequests == 0)
        #expect(machine.asked.allSatisfy { machine.results[$0] == 1 })
    }

    @Test("Any answers end every procedure after a bounded number of requests")
    func procedures() {
        var numbers = SeededNumbers(seed: 7)
        var habits = GATTHabits()
        habits.mostAttributes = 50
        for _ in 0..<ATTSamples.fuzzCount / 10 {
            var procedure: any GATTProcedure =
                [
                    ServiceDiscovery(habits), ServiceSearch([BluetoothUUID(short: 0x180F)], habits),
                    InclusionDiscovery(of: GATTSamples.battery, habits),
                    CharacteristicDiscovery(of: GATTSamples.battery, habits),
                    DescriptorDiscovery(of: GATTSamples.level, habits), ValueReading(3, for: "", habits),
                    TypedReading(BluetoothUUID(short: 0x2A00), habits),
                    PreparedWriting([HandleValue(3, [UInt8](repeating: 1, count: 99))], for: "", habits),
                    Subscribing(to: GATTSamples.level, isOn: true, habits),
                    ServiceChangedSubscribing(in: nil, habits),
                ].randomElement(using: &numbers) ?? MTUExchange(offered: 23)
            var step = procedure.start(mtu: 23)
            var count = 0
            while case .request(let pdu, _) = step, count < 200 {
                count += 1
                step = procedure.take(GATTFuzzTests.answer(to: pdu, &numbers), mtu: 23)
            }
            #expect(count < 200)
        }
    }

    /// An answer of the right kind with handles that mostly grow.
    private static func answer(
        to request: ATTPDU, _ numbers: inout SeededNumbers
    ) -> Result<ATTPDU, GATTFailure> {
        guard Int.random(in: 0..<40, using: &numbers) > 0 else { return .failure(.refused(ATTError(0x0A), handle: 1)) }
        let first = (request.handles?.first ?? 1) &+ UInt16.random(in: 0...1, using: &numbers)
        let range = HandleRange(first, first &+ UInt16.random(in: 0...2, using: &numbers))
        let part = (0..<22).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        switch request {
        case .readByGroupTypeRequest: return .success(.readByGroupTypeResponse([AttributeGroup(range, [1, 2])]))
        case .findByTypeValueRequest: return .success(.findByTypeValueResponse([range]))
        case .readByTypeRequest(_, type: AttributeType.characteristic):
            return .success(
                .readByTypeResponse([GATTSamples.characteristic(first, .indicate, value: range.last, 0x2A05)]))
        case .readByTypeRequest: return .success(.readByTypeResponse([HandleValue(first, Array(part.prefix(6)))]))
        case .findInformationRequest:
            return .success(.findInformationResponse([AttributeInformation(first, BluetoothUUID(short: 0x2902))]))
        case .readRequest: return .success(.readResponse(value: Array(part.prefix(16))))
        case .readBlobRequest: return .success(.readBlobResponse(value: part))
        case .prepareWriteRequest(let write): return .success(.prepareWriteResponse(write))
        case .executeWriteRequest: return .success(.executeWriteResponse)
        default: return .success(.writeResponse)
        }
    }
}
