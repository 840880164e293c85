import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("The GATT client of a link")
struct GATTClientTests {
    private func quietBench(table: GATTTable? = nil) throws -> GATTBench {
        var bench = try GATTBench(GATTSamples.values, table: table)
        bench.isServerThere = false
        return bench
    }

    @Test("Actions are performed one at a time, in the order of the calls")
    func order() throws {
        var bench = try quietBench()
        let ids = [bench.begin(.read(7)), bench.begin(.write(0x0A, [1])), bench.begin(.read(8))]
        #expect(bench.sent == [.readRequest(handle: 7)] && bench.client.pendingRequests == 3)
        bench.receive(.readResponse(value: [1]))
        #expect(bench.sent.last == .writeRequest(handle: 0x0A, value: [1]) && bench.sent.count == 2)
        bench.receive(.writeResponse)
        bench.receive(.readResponse(value: [2]))
        #expect(ids.map(bench.result) == [.value([1]), .done, .value([2])])
        #expect(bench.client.pendingRequests == 0)
    }

    @Test("An action that waits profits from the discovery before it")
    func lateDecision() throws {
        var bench = try quietBench()
        let ids = [bench.begin(.discoverServices(nil)), bench.begin(.discoverServices([ATTSamples.uuid(0x1801)]))]
        bench.receive(
            .readByGroupTypeResponse([AttributeGroup(HandleRange(1, 0xFFFF), GATTSamples.bytes(0x1801))]))
        #expect(bench.sent.count == 1)
        #expect(bench.result(of: ids[0]) == bench.result(of: ids[1]) && bench.result(of: ids[1]) != nil)
    }

    @Test("The MTU is exchanged once")
    func mtu() throws {
        var bench = try GATTBench(GATTSamples.values, mtu: 100)
        #expect(bench.attributes.mtu == 100)
        guard case .failed(.broken)? = bench.perform(.exchangeMTU) else {
            Issue.record("the MTU was exchanged again")
            return
        }
        var fresh = try quietBench()
        let id = fresh.begin(.exchangeMTU)
        fresh.receive(.exchangeMTUResponse(mtu: 23))
        #expect(fresh.result(of: id) == .mtu(23))
        let script = GATTScript(MTUExchange(offered: 100), .writeResponse)
        #expect(script.broken == "Write Response during exchanging the MTU")
    }

    @Test("A new MTU is told, before a refusal of the exchange is only a result")
    func mtuOutputs() throws {
        var bench = try quietBench()
        bench.attributes = AttributeClient()
        let id = bench.begin(.exchangeMTU)
        bench.receive(.exchangeMTUResponse(mtu: 200))
        #expect(bench.outputs == [.completed(id, .mtu(200)), .mtuChanged(200)])
        bench.attributes = AttributeClient()
        let refused = bench.begin(.exchangeMTU)
        bench.receive(.errorResponse(request: 2, handle: 0, error: .requestNotSupported))
        #expect(bench.result(of: refused) == .failed(.refused(.requestNotSupported, handle: 0)))
    }

    @Test("A request without an answer ends the bearer after 30 s, and fails all actions")
    func timeOut() throws {
        var bench = try quietBench()
        let ids = [bench.begin(.read(7)), bench.begin(.read(8))]
        let late = bench.attributes.advance(to: .seconds(29))
        #expect(late == [])
        let now = Duration.seconds(30)
        bench.pump(bench.client.take(bench.attributes.advance(to: now), over: &bench.attributes, at: now))
        let text = "reading handle 0x0007 (Read Request, handle 0x0007) had no answer within 30 s"
        #expect(
            bench.outputs == [
                .completed(ids[0], .failed(.timedOut(text))), .linkMustEnd(text),
                .completed(ids[1], .failed(.lost(text))),
            ])
        let after = bench.begin(.read(7))
        #expect(bench.result(of: after) == .failed(.lost(text)))
        #expect(bench.client.pendingRequests == 0)
    }

    @Test("The link's end fails all actions, also those that wait for protection, and a write without response")
    func linkEnd() throws {
        var bench = try quietBench()
        let ids = [bench.begin(.read(0x10)), bench.begin(.read(7))]
        bench.receive(.errorResponse(request: 0x0A, handle: 0x10, error: .insufficientAuthentication))
        #expect(bench.outputs == [.needsProtection(ids[0], .insufficientAuthentication)])
        bench.pump(
            bench.client.take(bench.attributes.linkEnded(because: "gone"), over: &bench.attributes, at: bench.now))
        #expect(ids.map(bench.result) == [.failed(.lost("gone")), .failed(.lost("gone"))])
        let (id, outputs) = bench.client.writeWithoutResponse([1], to: 7, over: &bench.attributes, at: bench.now)
        #expect(outputs == [.completed(id, .failed(.lost("writing handle 0x0007 failed: gone")))])
        bench.outputs = []
        bench.receive(.notification(HandleValue(7, [1])))
        #expect(bench.outputs == [])
    }

    @Test("An outstanding request fails with the link's end")
    func outstanding() throws {
        var bench = try quietBench()
        let id = bench.begin(.write(7, [UInt8](repeating: 1, count: 40)))
        bench.pump(
            bench.client.take(bench.attributes.linkEnded(because: "gone"), over: &bench.attributes, at: bench.now))
        guard case .failed(.lost(let text))? = bench.result(of: id) else {
            Issue.record("the write did not fail")
            return
        }
        #expect(text.contains("gone") && bench.client.pendingRequests == 0)
    }

    @Test("A table of an earlier link is used without discovery; it can be saved")
    func savedTable() throws {
        var first = try GATTBench(GATTSamples.values)
        first.discoverAll()
        let table = first.client.table
        var bench = try quietBench(table: table)
        let services = bench.begin(.discoverServices(nil))
        let characteristics = bench.begin(.discoverCharacteristics(service: 5, nil))
        let descriptors = bench.begin(.discoverDescriptors(characteristic: 0x0A))
        let included = bench.begin(.discoverIncluded(service: 5))
        for id in [services, characteristics, descriptors, included] { #expect(bench.result(of: id) != nil) }
        #expect(bench.result(of: services) == .services(table.services.map(\.service)))
        #expect(bench.sent == [])
        bench.begin(.setNotifying(characteristic: 0x0A, true))
        #expect(bench.sent == [.writeRequest(handle: 0x0B, value: [1, 0])])
    }

    @Test("Outputs for requests of others are ignored")
    func others() throws {
        var bench = try quietBench()
        _ = bench.attributes.exchangeMTU(at: bench.now)
        let id = bench.begin(.read(7))
        #expect(bench.sent == [], "The ATT client sends one request at a time")
        bench.receive(.exchangeMTUResponse(mtu: 23))
        #expect(bench.sent == [.readRequest(handle: 7)] && bench.result(of: id) == nil)
    }

    @Test("Texts name attributes by their types as far as they are known")
    func names() throws {
        var bench = try GATTBench()
        #expect(bench.client.name(of: 3) == "handle 0x0003")
        bench.discoverAll()
        #expect([3, 1, 0x13, 2].map(bench.client.name) == ["2A00", "1800", "2901", "handle 0x0002"])
        let failures: [GATTFailure] = [
            .refused(.invalidHandle, handle: 3), .noClientConfiguration(handle: 3), .servicesChanged(.all), .lost("x"),
        ]
        #expect(
            failures.map(\.description) == [
                "refused with error 0x01 (invalid handle) for handle 0x0003",
                "characteristic at handle 0x0003 without the descriptor 2902",
                "the services of handles 0x0001 to 0xFFFF have changed", "x",
            ])
        #expect(failures.map(\.error) == [.invalidHandle, .attributeNotFound, .invalidHandle, nil])
    }
}

@Suite("GATT requests that need protection")
struct GATTProtectionTests {
    private static let errors: [ATTError] = [
        .insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort,
    ]

    private func bench(_ configuration: GATTClient.Configuration = .init()) throws -> GATTBench {
        var bench = try GATTBench(GATTSamples.values, configuration)
        bench.isServerThere = false
        return bench
    }

    private func refusal(_ error: ATTError, _ request: ATTOpcode = .readRequest) -> ATTPDU {
        .errorResponse(request: request.rawValue, handle: 0x10, error: error)
    }

    @Test("The refused request is repeated after pairing", arguments: errors)
    func repeats(error: ATTError) throws {
        var bench = try bench()
        let ids = [bench.begin(.read(0x10)), bench.begin(.read(7))]
        bench.receive(refusal(error))
        #expect(bench.outputs == [.needsProtection(ids[0], error)])
        #expect(bench.sent.count == 1, "Others wait")
        bench.pump(bench.client.retry(ids[0], over: &bench.attributes, at: bench.now))
        #expect(bench.sent == [.readRequest(handle: 0x10), .readRequest(handle: 0x10)])
        bench.receive(.readResponse(value: [1]))
        bench.receive(.readResponse(value: [2]))
        #expect(ids.map(bench.result) == [.value([1]), .value([2])])
    }

    @Test("Without pairing, it fails with its own error", arguments: errors)
    func givesUp(error: ATTError) throws {
        var bench = try bench()
        let ids = [bench.begin(.read(0x10)), bench.begin(.read(7))]
        bench.receive(refusal(error))
        bench.pump(bench.client.giveUp(ids[0], over: &bench.attributes, at: bench.now))
        #expect(bench.result(of: ids[0]) == .failed(.refused(error, handle: 0x10)))
        #expect(bench.sent.last == .readRequest(handle: 7))
    }

    @Test("A request is repeated at most twice")
    func atMostTwice() throws {
        var bench = try bench()
        let id = bench.begin(.read(0x10))
        for _ in 0..<2 {
            bench.receive(refusal(.insufficientEncryption))
            #expect(bench.result(of: id) == nil)
            bench.pump(bench.client.retry(id, over: &bench.attributes, at: bench.now))
        }
        bench.receive(refusal(.insufficientAuthentication))
        #expect(bench.result(of: id) == .failed(.refused(.insufficientAuthentication, handle: 0x10)))
        #expect(bench.sent.count == 3)
    }

    @Test("Each request of a procedure has its own tries; the procedure goes on where it was")
    func triesPerRequest() throws {
        var bench = try bench()
        let id = bench.begin(.read(0x10))
        let part = [UInt8](repeating: 1, count: 22)
        for offset in 0..<4 {
            for _ in 0..<2 {
                bench.receive(refusal(.insufficientEncryption, offset == 0 ? .readRequest : .readBlobRequest))
                bench.pump(bench.client.retry(id, over: &bench.attributes, at: bench.now))
            }
            bench.receive(offset == 0 ? .readResponse(value: part) : .readBlobResponse(value: part))
        }
        bench.receive(.readBlobResponse(value: []))
        #expect(bench.result(of: id) == .value([UInt8](repeating: 1, count: 88)))
    }

    @Test("If configured, others go on meanwhile; the repeated request comes before those that wait")
    func othersGoOn() throws {
        var configuration = GATTClient.Configuration()
        configuration.waitsForProtection = false
        var bench = try bench(configuration)
        let ids = [bench.begin(.read(0x10)), bench.begin(.read(7)), bench.begin(.read(8))]
        bench.receive(refusal(.insufficientAuthentication))
        #expect(bench.sent.last == .readRequest(handle: 7))
        bench.pump(bench.client.retry(ids[0], over: &bench.attributes, at: bench.now))
        #expect(bench.sent.count == 2, "One at a time")
        bench.receive(.readResponse(value: [1]))
        #expect(bench.sent.last == .readRequest(handle: 0x10))
        bench.receive(.readResponse(value: [2]))
        bench.receive(.readResponse(value: [3]))
        #expect(ids.map(bench.result) == [.value([2]), .value([1]), .value([3])])
    }

    @Test("Repeated requests keep their order, before those that have not begun")
    func order() throws {
        var configuration = GATTClient.Configuration()
        configuration.waitsForProtection = false
        var bench = try bench(configuration)
        let ids = [bench.begin(.read(0x10)), bench.begin(.read(0x11)), bench.begin(.read(7)), bench.begin(.read(8))]
        bench.receive(refusal(.insufficientAuthentication))
        bench.receive(.errorResponse(request: 0x0A, handle: 0x11, error: .insufficientAuthentication))
        for id in ids.prefix(2) { bench.pump(bench.client.retry(id, over: &bench.attributes, at: bench.now)) }
        for number in 1...4 as ClosedRange<UInt8> { bench.receive(.readResponse(value: [number])) }
        #expect(ids.map(bench.result) == [2, 3, 1, 4].map { .value([$0]) })
    }

    @Test("A long write that is given up drops what the server keeps")
    func longWrite() throws {
        var bench = try bench()
        let id = bench.begin(.write(0x10, [UInt8](repeating: 1, count: 40)))
        bench.receive(.prepareWriteResponse(AttributeWrite(0x10, [UInt8](repeating: 1, count: 18))))
        bench.receive(refusal(.insufficientEncryption, .prepareWriteRequest))
        bench.pump(bench.client.giveUp(id, over: &bench.attributes, at: bench.now))
        #expect(bench.sent.last == .executeWriteRequest(commits: false) && bench.result(of: id) == nil)
        bench.receive(.executeWriteResponse)
        #expect(bench.result(of: id) == .failed(.refused(.insufficientEncryption, handle: 0x10)))
    }

    @Test("Unknown actions are neither repeated nor given up, and other errors do not wait")
    func others() throws {
        var bench = try bench()
        let id = bench.begin(.read(0x10))
        #expect(bench.client.retry(id, over: &bench.attributes, at: bench.now) == [])
        #expect(bench.client.giveUp(id, over: &bench.attributes, at: bench.now) == [])
        bench.receive(refusal(.insufficientAuthorization))
        #expect(bench.result(of: id) == .failed(.refused(.insufficientAuthorization, handle: 0x10)))
    }

    @Test("Against a server: read, write and subscription succeed after encryption")
    func server() throws {
        var bench = try GATTBench(GATTSamples.values)
        bench.discoverAll()
        bench.values[0x10] = [7]
        let read = bench.begin(.read(0x10))
        #expect(bench.outputs.last == .needsProtection(read, .insufficientAuthentication))
        bench.server.security = ATTSamples.encrypted
        bench.pump(bench.client.retry(read, over: &bench.attributes, at: bench.now))
        #expect(bench.result(of: read) == .value([7]))
        #expect(bench.perform(.write(0x10, [8])) == .done)
        #expect(bench.perform(.setNotifying(characteristic: 0x10, true)) == .done)
        bench.pump(bench.deliver(bench.server.notify([9], of: 0x10, in: bench.database)))
        #expect(bench.received == [HandleValue(0x10, [9])])
    }
}
