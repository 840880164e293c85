import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases GATT/CL of the Bluetooth SIG. The server is the tester of the case.
@Suite("SIG cases: the phone as a GATT client")
struct SIGClientTests {
    /// What an app asks for, and the request that the server refuses.
    enum Asked: CaseIterable {
        case read, readByUUID, longRead, write, longWrite

        var action: GATTClient.Action {
            switch self {
            case .read, .longRead: .read(7)
            case .readByUUID: .readByType(ATTSamples.uuid(0xFF01), in: .all)
            case .write: .write(7, [1])
            case .longWrite: .write(7, [UInt8](repeating: 1, count: 40))
            }
        }

        var opcode: ATTOpcode {
            switch self {
            case .read: .readRequest
            case .readByUUID: .readByTypeRequest
            case .longRead: .readBlobRequest
            case .write: .writeRequest
            case .longWrite: .prepareWriteRequest
            }
        }

        /// Those that are possible for it; 0x80 and above are the server's own.
        var errors: [ATTError] {
            let common: [ATTError] = [
                .invalidHandle, .insufficientAuthorization, .insufficientAuthentication, .encryptionKeySizeTooShort,
            ]
            switch self {
            case .read: return common + [.readNotPermitted, ATTError(0x80)]
            case .readByUUID: return common.dropFirst() + [.readNotPermitted, .attributeNotFound]
            case .longRead: return common + [.readNotPermitted, .invalidOffset]
            case .write: return common + [.writeNotPermitted]
            case .longWrite: return common + [.writeNotPermitted, .invalidOffset]
            }
        }
    }

    @Test(
        "The server's refusal of each kind of request is the app's result, also when nobody raises the protection",
        .shows(
            "GATT/CL/GAR/BI-01-C", "GATT/CL/GAR/BI-02-C", "GATT/CL/GAR/BI-03-C", "GATT/CL/GAR/BI-04-C",
            "GATT/CL/GAR/BI-05-C", "GATT/CL/GAR/BI-06-C", "GATT/CL/GAR/BI-07-C", "GATT/CL/GAR/BI-09-C",
            "GATT/CL/GAR/BI-10-C", "GATT/CL/GAR/BI-11-C", "GATT/CL/GAR/BI-12-C", "GATT/CL/GAR/BI-13-C",
            "GATT/CL/GAR/BI-14-C", "GATT/CL/GAR/BI-15-C", "GATT/CL/GAR/BI-16-C", "GATT/CL/GAR/BI-17-C",
            "GATT/CL/GAR/BI-35-C", "GATT/CL/GAW/BI-02-C", "GATT/CL/GAW/BI-03-C", "GATT/CL/GAW/BI-04-C",
            "GATT/CL/GAW/BI-05-C", "GATT/CL/GAW/BI-06-C", "GATT/CL/GAW/BI-07-C", "GATT/CL/GAW/BI-08-C",
            "GATT/CL/GAW/BI-09-C", "GATT/CL/GAW/BI-11-C", "GATT/CL/GAW/BI-12-C", "GATT/CL/GAW/BI-13-C"),
        arguments: Asked.allCases)
    func refusals(asked: Asked) throws {
        for error in asked.errors {
            var bench = try GATTBench(GATTSamples.values)
            bench.isServerThere = false
            let id = bench.begin(asked.action)
            if asked == .longRead { bench.receive(.readResponse(value: [UInt8](repeating: 3, count: 22))) }
            #expect(bench.sent.last?.opcode == asked.opcode)
            bench.receive(.errorResponse(request: asked.opcode.rawValue, handle: 7, error: error))
            if error.concernsProtection {
                #expect(bench.outputs.last == .needsProtection(id, error))
                #expect(bench.result(of: id) == nil)
                bench.pump(bench.client.giveUp(id, over: &bench.attributes, at: bench.now))
            }
            #expect(bench.result(of: id) == .failed(.refused(error, handle: 7)), "\(asked), \(error)")
            #expect(bench.violations == [])
        }
    }

    @Test("The MTU is exchanged, and a prepared part has 5 bytes less", .shows("GATT/CL/GAC/BV-01-C"))
    func mtu() throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.isServerThere = false
        let exchange = bench.begin(.exchangeMTU)
        guard case .exchangeMTURequest? = bench.sent.last else { return #expect(Bool(false), "\(bench.sent)") }
        bench.receive(.exchangeMTUResponse(mtu: 100))
        #expect(bench.result(of: exchange) != nil)
        _ = bench.begin(.write(7, [UInt8](repeating: 1, count: 200)))
        guard case .prepareWriteRequest(let part)? = bench.sent.last else {
            return #expect(Bool(false), "\(bench.sent)")
        }
        let mtu = min(100, Int(bench.attributes.mtu))
        #expect(part.value.count == mtu - 5 && part.offset == 0)
    }

    @Test(
        "A request without an answer ends after 30 s, is told, and is not repeated",
        .shows("GATT/CL/GAT/BV-01-C", "GATT/CL/GAT/BV-02-C"), arguments: [true, false])
    func silence(isRead: Bool) throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.isServerThere = false
        let id = bench.begin(isRead ? .read(7) : .write(7, [1]))
        bench.now = .seconds(30) - .milliseconds(1)
        bench.pump(bench.client.take(bench.attributes.advance(to: bench.now), over: &bench.attributes, at: bench.now))
        #expect(bench.result(of: id) == nil)
        bench.now = .seconds(30)
        bench.pump(bench.client.take(bench.attributes.advance(to: bench.now), over: &bench.attributes, at: bench.now))
        guard case .failed(.timedOut)? = bench.result(of: id) else {
            return #expect(Bool(false), "\(String(describing: bench.result(of: id)))")
        }
        #expect(bench.sent == [isRead ? .readRequest(handle: 7) : .writeRequest(handle: 7, value: [1])])
    }

    @Test(
        "A notification arrives; indications arrive and are confirmed, two at once as well",
        .shows("GATT/CL/GAN/BV-01-C", "GATT/CL/GAI/BV-01-C", "GATT/CL/GAI/BI-01-C"))
    func values() throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.discoverAll()
        #expect(bench.perform(.setNotifying(characteristic: 0x0A, true)) == .done)
        #expect(bench.perform(.setNotifying(characteristic: 0x0D, true)) == .done)
        #expect(bench.server.configurations == [0x0B: .notifies, 0x0E: .indicates])
        bench.sent = []
        bench.receive(.notification(HandleValue(0x0A, [1])))
        #expect(bench.sent == [])
        bench.receive(.indication(HandleValue(0x0D, [2])))
        bench.receive(.indication(HandleValue(0x0D, [3])))
        #expect(bench.received == [HandleValue(0x0A, [1]), HandleValue(0x0D, [2]), HandleValue(0x0D, [3])])
        #expect(bench.sent == [.confirmation, .confirmation])
    }

    @Test("Service Changed is confirmed and told, and what was known is forgotten", .shows("GATT/CL/GAS/BV-01-C"))
    func serviceChanged() throws {
        var configuration = GATTClient.Configuration()
        configuration.subscribesToServiceChanged = .always
        var bench = try GATTBench(GATTSamples.values, configuration)
        bench.discoverAll()
        #expect(bench.client.table.services.count == 2)
        bench.sent = []
        bench.receive(.indication(HandleValue(3, GATTSamples.bytes(5, 0x11))))
        #expect(bench.sent == [.confirmation])
        #expect(bench.outputs.last == .servicesChanged(HandleRange(5, 0x11)))
        #expect(bench.client.table.services.map(\.service.handle) == [1])
    }
}
