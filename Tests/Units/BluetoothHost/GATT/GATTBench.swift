import RadioModel

@testable import HILBluetoothHost

/// A GATT client and a server with a database, joined by a pump of PDUs.
struct GATTBench {
    var client: GATTClient
    var attributes: AttributeClient
    var server = AttributeServer()
    var database: AttributeDatabase
    var now: Duration = .zero
    /// The PDUs that the client has sent, in order.
    var sent: [ATTPDU] = []
    /// The client's outputs without `send`.
    var outputs: [GATTClient.Output] = []
    /// The values of dynamic attributes.
    var values: [UInt16: [UInt8]] = [:]
    /// The errors of dynamic attributes.
    var refusals: [UInt16: ATTError] = [:]
    /// The owner of some dynamic values; nil for none.
    var phone: PhoneServices?
    /// Whether PDUs of the client arrive.
    var isServerThere = true

    /// - Parameter mtu: The MTU of the bearer, in bytes; it is exchanged if it is not 23.
    init(
        _ services: [ServiceDefinition] = ATTSamples.services, mtu: UInt16 = 23,
        _ configuration: GATTClient.Configuration = .init(), table: GATTTable? = nil, isBonded: Bool = false
    ) throws {
        client = GATTClient(configuration, table: table, isBonded: isBonded)
        var offer = AttributeClient.Configuration()
        offer.offeredMTU = mtu
        attributes = AttributeClient(offer)
        database = try AttributeDatabase(services)
        pump(client.start(over: &attributes, at: now))
        guard mtu != 23 else { return }
        _ = perform(.exchangeMTU)
        sent = []
        outputs = []
    }

    /// Performs an action, and all that follows from it.
    @discardableResult
    mutating func perform(_ action: GATTClient.Action) -> GATTResult? {
        let id = begin(action)
        return result(of: id)
    }

    @discardableResult
    mutating func begin(_ action: GATTClient.Action) -> GATTRequestID {
        let (id, outputs) = client.perform(action, over: &attributes, at: now)
        pump(outputs)
        return id
    }

    func result(of id: GATTRequestID) -> GATTResult? {
        for case .completed(id, let result) in outputs { return result }
        return nil
    }

    /// Delivers PDUs until both ends are quiet.
    mutating func pump(_ outputs: [GATTClient.Output]) {
        var waiting = outputs
        while !waiting.isEmpty {
            let output = waiting.removeFirst()
            guard case .send(let bytes) = output else {
                self.outputs.append(output)
                continue
            }
            if let pdu = try? ATTPDU.decode(bytes) { sent.append(pdu) }
            guard isServerThere else { continue }
            waiting += deliver(server.receive(bytes, at: now, in: &database))
        }
    }

    /// Hands the server's outputs to the client.
    mutating func deliver(_ outputs: [AttributeServer.Output]) -> [GATTClient.Output] {
        outputs.flatMap { output -> [GATTClient.Output] in
            switch output {
            case .send(let bytes): return receive(bytes)
            case .asks(let token, let request): return deliver(server.answer(token, answer(request), in: &database))
            default: return []
            }
        }
    }

    mutating func receive(_ bytes: [UInt8]) -> [GATTClient.Output] {
        client.take(attributes.receive(bytes, at: now), over: &attributes, at: now)
    }

    /// A PDU that the peer sends by itself.
    mutating func receive(_ pdu: ATTPDU) { pump(receive(pdu.bytes)) }

    private mutating func answer(_ request: AttributeServer.Request) -> AttributeServer.Answer {
        if let answer = phone?.answer(request, by: &server, in: database) { return answer }
        switch request {
        case .read(let handle, let offset):
            if let error = refusals[handle] { return .refused(error) }
            return .value(Array((values[handle] ?? []).dropFirst(Int(offset))))
        case .write(let writes):
            if let handle = writes.map(\.handle).first(where: { refusals[$0] != nil }), let error = refusals[handle] {
                return .refused(error, handle: handle)
            }
            for write in writes {
                values[write.handle] = Array((values[write.handle] ?? []).prefix(Int(write.offset))) + write.value
            }
            return .written
        }
    }

    /// Discovers everything, as an app that asks for all.
    mutating func discoverAll() {
        perform(.discoverServices(nil))
        perform(.discoverSecondaryServices)
        for service in client.table.services.map(\.service.handle) {
            perform(.discoverIncluded(service: service))
            perform(.discoverCharacteristics(service: service, nil))
            for characteristic in client.table.service(at: service)?.characteristics ?? [] {
                perform(.discoverDescriptors(characteristic: characteristic.handle))
            }
        }
    }

    var violations: [String] { outputs.compactMap { if case .violation(let text) = $0 { text } else { nil } } }
    var notes: [String] { outputs.compactMap { if case .note(let text) = $0 { text } else { nil } } }

    /// The values that were delivered.
    var received: [HandleValue] {
        outputs.compactMap { if case .value(let handle, let value, _) = $0 { HandleValue(handle, value) } else { nil } }
    }
}

extension ATTPDU {
    /// The answer to a discovery that found nothing more.
    static func notFound(_ request: ATTOpcode, at handle: UInt16 = 1) -> ATTPDU {
        .errorResponse(request: request.rawValue, handle: handle, error: .attributeNotFound)
    }
}

/// Runs a procedure against answers that a test has written.
struct GATTScript {
    var requests: [ATTPDU] = []
    /// Nil if the procedure wants more answers.
    var result: GATTResult?
    var findings: [GATTFinding] = []

    init(_ procedure: some GATTProcedure, mtu: Int = 23, _ answers: ATTPDU...) {
        self.init(procedure, mtu: mtu, answers.map { .success($0) })
    }

    init(_ procedure: some GATTProcedure, mtu: Int = 23, _ answers: [Result<ATTPDU, GATTFailure>]) {
        var procedure = procedure
        var answers = answers
        var step = procedure.start(mtu: mtu)
        while case .request(let pdu, _) = step {
            requests.append(pdu)
            guard !answers.isEmpty else { break }
            var answer = answers.removeFirst()
            if case .success(.errorResponse(_, let handle, let error)) = answer {
                answer = .failure(.refused(error, handle: handle))
            }
            step = procedure.take(answer, mtu: mtu)
        }
        if case .done(let result) = step { self.result = result }
        findings = procedure.findings
    }

    /// The text of a breach of the protocol; nil for other results.
    var broken: String? {
        if case .failed(.broken(let text)) = result { text } else { nil }
    }
}

/// UUIDs and declarations for tests of GATT.
enum GATTSamples {
    /// Declarations as a server sends them.
    static func characteristic(
        _ handle: UInt16, _ properties: GATTCharacteristic.Properties, value: UInt16, _ uuid: UInt16
    ) -> HandleValue {
        var bytes = [properties.rawValue]
        bytes.append(uint16: value)
        bytes.append(uint16: uuid)
        return HandleValue(handle, bytes)
    }

    static func bytes(_ numbers: UInt16...) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in numbers { bytes.append(uint16: number) }
        return bytes
    }

    static let battery = DiscoveredService(HandleRange(0x10, 0x20), BluetoothUUID(short: 0x180F))
    static let level = DiscoveredCharacteristic(
        0x11, value: 0x12, last: 0x14, BluetoothUUID(short: 0x2A19), [.read, .notify])

    /// A service with a characteristic of each kind that reads, writes and subscriptions need. The comments are
    /// handles.
    static let values = [
        // 1; 2, 3, 4
        ServiceDefinition(ATTSamples.uuid(0x1801), [CharacteristicDefinition(ATTSamples.uuid(0x2A05), .indicate)]),
        ServiceDefinition(
            ATTSamples.uuid(0xFF00),  // 5
            [
                CharacteristicDefinition(
                    ATTSamples.uuid(0xFF01), [.read, .write, .writeWithoutResponse],  // 6, 7
                    descriptors: [
                        DescriptorDefinition(ATTSamples.uuid(0x2901), writing: LinkProtection.none)  // 8
                    ]),
                CharacteristicDefinition(ATTSamples.uuid(0xFF02), [.read, .write, .notify, .indicate]),  // 9, A, B
                CharacteristicDefinition(ATTSamples.uuid(0xFF03), [.read, .indicate]),  // C, D, E
                CharacteristicDefinition(
                    ATTSamples.uuid(0xFF04), [.read, .write, .notify], reading: .encrypted,
                    writing: .encrypted, notifying: .encrypted),  // F, 10, 11
            ]),
    ]
}
