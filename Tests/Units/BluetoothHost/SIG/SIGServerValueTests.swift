import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases GATT/SR of the Bluetooth SIG about descriptors, and about parts of several values.
@Suite("SIG cases: values of the phone's server")
struct SIGServerValueTests {
    /// A characteristic with a long description that may be written, and a presentation format. The comments are handles.
    private static let services = [
        ServiceDefinition(
            ATTSamples.uuid(0xFF00),  // 1
            [
                CharacteristicDefinition(
                    ATTSamples.uuid(0xFF01), [.read, .write], value: .stored(Array(0..<50)), maximumLength: 60,  // 3
                    descriptors: [
                        DescriptorDefinition(
                            ATTSamples.uuid(0x2901), writing: LinkProtection.none, value: .stored(Array(50..<100))),
                        DescriptorDefinition(
                            ATTSamples.uuid(0x2904), value: .stored([0x04, 0x00, 0x01, 0x27, 0x01, 0x00, 0x00])),
                    ]),  // 4, 5
                CharacteristicDefinition(
                    ATTSamples.uuid(0xFF02), [.read, .write], value: .stored(Array(0..<50)), maximumLength: 60),  // 7
            ])
    ]

    private func bench() throws -> ServerBench { try ServerBench(.init(), Self.services) }

    private func content(_ bench: ServerBench, _ handle: UInt16) -> Attribute.Content? {
        bench.database.attribute(at: handle)?.content
    }

    @Test(
        "A read has as many bytes as the agreed MTU lets through, of 23 and of 512", .shows("GATT/SR/GAC/BV-01-C"),
        arguments: [23, 512] as [UInt16])
    func mtu(peer: UInt16) throws {
        let long = CharacteristicDefinition(
            ATTSamples.uuid(0xFF01), .read, value: .stored([UInt8](repeating: 5, count: 512)))
        var bench = try ServerBench(.init(), [ServiceDefinition(ATTSamples.uuid(0xFF00), [long])])
        guard case .exchangeMTUResponse(let own)? = bench.answers(to: .exchangeMTURequest(mtu: peer)).first else {
            return #expect(Bool(false), "no response")
        }
        guard case .readResponse(let value)? = bench.answers(to: .readRequest(handle: 3)).first else {
            return #expect(Bool(false), "no value")
        }
        #expect(value.count == Int(min(own, peer)) - 1)
    }

    @Test(
        "A descriptor is read, in parts if it is long; an offset behind its end is invalid",
        .shows(
            "GATT/SR/GAR/BV-06-C", "GATT/SR/GAR/BV-07-C", "GATT/SR/GAR/BV-08-C", "GATT/SR/GPA/BV-12-C"))
    func descriptors() throws {
        var bench = try bench()
        let format: [UInt8] = [0x04, 0x00, 0x01, 0x27, 0x01, 0x00, 0x00]
        #expect(bench.answers(to: .readRequest(handle: 5)) == [.readResponse(value: format)])
        #expect(bench.answers(to: .readRequest(handle: 4)) == [.readResponse(value: Array(50..<72))])
        var value: [UInt8] = []
        for offset in [0, 22, 44] as [UInt16] {
            guard
                case .readBlobResponse(let part)? = bench.answers(to: .readBlobRequest(handle: 4, offset: offset)).first
            else { return #expect(Bool(false), "no part at \(offset)") }
            value += part
        }
        #expect(value == Array(50..<100))
        #expect(bench.error(of: .readBlobRequest(handle: 4, offset: 51)) == .invalidOffset)
    }

    @Test("A descriptor is written, in parts if it is long", .shows("GATT/SR/GAW/BV-08-C", "GATT/SR/GAW/BV-09-C"))
    func writesDescriptor() throws {
        var bench = try bench()
        #expect(bench.answers(to: .writeRequest(handle: 4, value: [1, 2])) == [.writeResponse])
        #expect(content(bench, 4) == .stored([1, 2]))
        for offset in [0, 18] as [UInt16] {
            let part = AttributeWrite(4, offset: offset, [UInt8](repeating: UInt8(offset), count: 18))
            #expect(bench.answers(to: .prepareWriteRequest(part)) == [.prepareWriteResponse(part)])
        }
        #expect(bench.answers(to: .executeWriteRequest(commits: true)) == [.executeWriteResponse])
        #expect(
            content(bench, 4)
                == .stored([UInt8](repeating: 0, count: 18) + [UInt8](repeating: 18, count: 18)))
    }

    @Test(
        "Parts of several values are written together, whatever order the values have",
        .shows("GATT/SR/GAW/BV-06-C", "GATT/SR/GAW/BV-10-C"))
    func severalValues() throws {
        var bench = try bench()
        // The parts of both values alternate.
        for offset in [0, 18] as [UInt16] {
            for handle in [7, 3] as [UInt16] {
                let part = AttributeWrite(handle, offset: offset, [UInt8](repeating: UInt8(handle), count: 18))
                #expect(bench.answers(to: .prepareWriteRequest(part)) == [.prepareWriteResponse(part)])
            }
        }
        #expect(content(bench, 3) == .stored(Array(0..<50)), "nothing is written before the last command")
        #expect(bench.answers(to: .executeWriteRequest(commits: true)) == [.executeWriteResponse])
        #expect(content(bench, 3) == .stored([UInt8](repeating: 3, count: 36)))
        #expect(content(bench, 7) == .stored([UInt8](repeating: 7, count: 36)))
    }

    @Test(
        "Without prepared parts, or once they are cancelled, the last command is answered and writes nothing",
        .shows("GATT/SR/GAW/BV-07-C", "GATT/SR/GAW/BV-11-C"))
    func nothingPrepared() throws {
        var bench = try bench()
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send([0x19])])
        let part = AttributeWrite(3, [9, 9])
        #expect(bench.answers(to: .prepareWriteRequest(part)) == [.prepareWriteResponse(part)])
        #expect(bench.send(.executeWriteRequest(commits: false)) == [.send([0x19])])
        #expect(bench.send(.executeWriteRequest(commits: true)) == [.send([0x19])])
        #expect(content(bench, 3) == .stored(Array(0..<50)))
    }

    @Test(
        "Values are read by handle, by UUID and together, and are written with and without response",
        .shows(
            "GATT/SR/GAR/BV-01-C", "GATT/SR/GAR/BV-03-C", "GATT/SR/GAR/BV-05-C", "GATT/SR/GAR/BV-09-C",
            "GATT/SR/GAW/BV-01-C", "GATT/SR/GAW/BV-03-C"))
    func shortValues() throws {
        let long = ATTSamples.longUUID
        let services = [
            ServiceDefinition(
                ATTSamples.uuid(0xFF00),
                [
                    CharacteristicDefinition(
                        ATTSamples.uuid(0xFF01), [.read, .write, .writeWithoutResponse], value: .stored([1])),
                    CharacteristicDefinition(long, [.read], value: .stored([2, 3])),
                ])
        ]
        var bench = try ServerBench(.init(), services)
        #expect(bench.answers(to: .readRequest(handle: 3)) == [.readResponse(value: [1])])
        #expect(
            bench.answers(to: .readByTypeRequest(.all, type: ATTSamples.uuid(0xFF01)))
                == [.readByTypeResponse([HandleValue(3, [1])])])
        #expect(
            bench.answers(to: .readByTypeRequest(.all, type: long)) == [.readByTypeResponse([HandleValue(5, [2, 3])])])
        #expect(
            bench.answers(to: .readMultipleRequest(handles: [5, 3])) == [.readMultipleResponse(values: [2, 3, 1])])
        let values = [VariableValue(length: 2, bytes: [2, 3]), VariableValue(length: 1, bytes: [1])]
        #expect(
            bench.answers(to: .readMultipleVariableRequest(handles: [5, 3])) == [.readMultipleVariableResponse(values)])
        #expect(bench.answers(to: .writeRequest(handle: 3, value: [4])) == [.writeResponse])
        #expect(content(bench, 3) == .stored([4]))
        #expect(bench.answers(to: .writeCommand(handle: 3, value: [5])).isEmpty)
        #expect(content(bench, 3) == .stored([5]))
    }
}

/// Cases GATT/SR of the Bluetooth SIG about what a server sends by itself.
@Suite("SIG cases: values that the phone's server sends")
struct SIGServerSendingTests {
    @Test("An included service is found by its declaration, with short and long UUIDs", .shows("GATT/SR/GAD/BV-03-C"))
    func includes() throws {
        let services = [
            ATTSamples.service(0xFF00, 0xFF01),  // 1 to 3
            ServiceDefinition(ATTSamples.longUUID, []),  // 4
            ServiceDefinition(ATTSamples.uuid(0xFF10), included: [0, 1], []),  // 5 to 7
        ]
        var bench = try ServerBench(.init(), services)
        let range = HandleRange(5, 7)
        let first = bench.answers(to: .readByTypeRequest(range, type: AttributeType.include))
        #expect(first == [.readByTypeResponse([HandleValue(6, GATTSamples.bytes(1, 3, 0xFF00))])])
        let second = bench.answers(to: .readByTypeRequest(HandleRange(7, 7), type: AttributeType.include))
        // The client reads the long UUID from the included service.
        #expect(second == [.readByTypeResponse([HandleValue(7, GATTSamples.bytes(4, 4))])])
        let none = HandleRange(1, 5)
        #expect(bench.error(of: .readByTypeRequest(none, type: AttributeType.include)) == .attributeNotFound)
    }

    @Test("Service Changed is indicated to a subscriber, and to nobody else", .shows("GATT/SR/GAS/BV-01-C"))
    func serviceChanged() throws {
        var bench = try ServerBench(.init(), PhoneServices(name: "iPhone").definitions)
        var ranges: [HandleRange] = []
        for isSubscribed in [false, true] {
            if isSubscribed {
                #expect(bench.answers(to: .writeRequest(handle: 9, value: [2, 0])) == [.writeResponse])
            }
            let range = try #require(try bench.database.add([ATTSamples.service(0xFF00, 0xFF01)]))
            ranges.append(range)
            let outputs = PhoneServices.servicesChanged(in: range, of: bench.database, for: &bench.server, at: .zero)
            guard isSubscribed else {
                #expect(outputs.compactMap(\.pdu).isEmpty)
                continue
            }
            let value = HandleValue(8, GATTSamples.bytes(range.first, range.last))
            #expect(outputs.compactMap(\.pdu) == [.indication(value)])
            #expect(bench.send(.confirmation) == [.confirmed(handle: 8)])
        }
        #expect(ranges.count == 2)
    }
}
