import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Changes of the peer's services")
struct GATTServiceChangedTests {
    /// A table of ``GATTSamples/values`` from an earlier link with a bond.
    private func table() throws -> GATTTable {
        var bench = try GATTBench(GATTSamples.values, isBonded: true)
        bench.discoverAll()
        return bench.client.table
    }

    private func changed(_ first: UInt16, _ last: UInt16) -> ATTPDU {
        .indication(HandleValue(3, GATTSamples.bytes(first, last)))
    }

    private static func configuration(
        _ subscription: GATTClient.Configuration.ServiceChangedSubscription
    ) -> GATTClient.Configuration {
        var configuration = GATTClient.Configuration()
        configuration.subscribesToServiceChanged = subscription
        return configuration
    }

    @Test("With a bond, the client subscribes by itself once it knows the services, before other actions")
    func subscribes() throws {
        var bench = try GATTBench(GATTSamples.values, isBonded: true)
        bench.isServerThere = false
        let ids = [bench.begin(.discoverServices(nil)), bench.begin(.read(7))]
        bench.isServerThere = true
        let group = AttributeGroup(HandleRange(1, 4), GATTSamples.bytes(0x1801))
        bench.receive(.readByGroupTypeResponse([group]))
        #expect(bench.result(of: ids[1]) == .value([]))
        #expect(
            bench.sent.dropFirst(3).dropLast() == [
                .readByTypeRequest(HandleRange(1, 4), type: AttributeType.characteristic),
                .readByTypeRequest(HandleRange(4, 4), type: AttributeType.characteristic),
                .findInformationRequest(HandleRange(4, 4)), .writeRequest(handle: 4, value: [2, 0]),
            ])
        #expect(bench.client.table.isSubscribedToServiceChanged)
        #expect(bench.server.configurations == [4: .indicates])
        #expect(bench.outputs.count == 2, "Nobody waits for its result")
    }

    @Test(
        "An indication before the Write Response of the subscription is obeyed; the client does not subscribe again",
        arguments: [false, true])
    func early(isAsked: Bool) throws {
        var bench = try GATTBench(
            GATTSamples.values, GATTServiceChangedTests.configuration(isAsked ? .never : .always))
        bench.isServerThere = false
        bench.begin(isAsked ? .subscribeToServiceChanged : .discoverServices(nil))
        let range = HandleRange(1, 0xFFFF)
        let group = AttributeGroup(range, GATTSamples.bytes(0x1801))
        bench.receive(isAsked ? .findByTypeValueResponse([range]) : .readByGroupTypeResponse([group]))
        bench.receive(.readByTypeResponse([GATTSamples.characteristic(2, .indicate, value: 3, 0x2A05)]))
        bench.receive(.notFound(.readByTypeRequest, at: 4))
        let configuration = AttributeInformation(4, AttributeType.clientConfiguration)
        bench.receive(.findInformationResponse([configuration]))
        bench.receive(.notFound(.findInformationRequest, at: 5))
        #expect(bench.sent.last == .writeRequest(handle: 4, value: [2, 0]))
        bench.receive(changed(1, 0xFFFF))
        #expect(bench.outputs.last == .servicesChanged(.all) && bench.received == [])
        bench.receive(.writeResponse)
        #expect(bench.client.table.isSubscribedToServiceChanged && bench.client.table.services == [])
        #expect(bench.notes == [] && bench.client.pendingRequests == 0)
        bench.receive(changed(1, 0xFFFF))
        #expect(bench.outputs.filter { $0 == .servicesChanged(.all) }.count == 2)
    }

    @Test("Without a bond it subscribes only if configured; after pairing it does")
    func whenBonded() throws {
        for (subscription, isExpected) in [
            (GATTClient.Configuration.ServiceChangedSubscription.never, false), (.whenBonded, false), (.always, true),
        ] {
            var bench = try GATTBench(
                GATTSamples.values, GATTServiceChangedTests.configuration(subscription))
            bench.discoverAll()
            #expect(bench.client.table.isSubscribedToServiceChanged == isExpected)
            bench.pump(bench.client.bonded(over: &bench.attributes, at: bench.now))
            #expect(bench.client.table.isSubscribedToServiceChanged == (subscription != .never))
        }
    }

    @Test("A saved subscription of a bond is not repeated; without a bond it is forgotten")
    func saved() throws {
        let bonded = try GATTBench(GATTSamples.values, table: table(), isBonded: true)
        #expect(bonded.sent == [] && bonded.client.table.isSubscribedToServiceChanged)
        let plain = try GATTBench(
            GATTSamples.values, GATTServiceChangedTests.configuration(.always), table: table())
        #expect(plain.sent == [.writeRequest(handle: 4, value: [2, 0])])
    }

    @Test("A phone that finds services by UUID searches for the GATT service")
    func searches() throws {
        var configuration = GATTServiceChangedTests.configuration(.always)
        configuration.habits.serviceSearch = .findsByUUID
        var bench = try GATTBench(GATTSamples.values, configuration)
        bench.perform(.discoverServices([ATTSamples.uuid(0xFF00)]))
        #expect(bench.server.configurations == [4: .indicates])
        #expect(bench.client.table.serviceChangedHandle == 3)
        // On a server without the service it ends well.
        var other = try GATTBench([ATTSamples.service(0xFF00)], configuration)
        other.perform(.discoverServices([ATTSamples.uuid(0xFF00)]))
        #expect(other.notes == [] && !other.client.table.isSubscribedToServiceChanged)
        #expect(other.perform(.subscribeToServiceChanged) == .done)
    }

    @Test("A GATT service without Service Changed, or without its descriptor, harms nothing")
    func incomplete() throws {
        var bench = try GATTBench([ATTSamples.service(0x1801, 0x2B3A)], isBonded: true)
        bench.perform(.discoverServices(nil))
        #expect(bench.notes == [] && bench.client.hasTriedServiceChanged)
        let service = DiscoveredService(HandleRange(1, 3), ATTSamples.uuid(0x1801))
        let script = GATTScript(
            ServiceChangedSubscribing(in: service, GATTHabits()),
            .readByTypeResponse([GATTSamples.characteristic(2, .indicate, value: 3, 0x2A05)]))
        #expect(script.result == .failed(.noClientConfiguration(handle: 3)))
    }

    @Test("A refused subscription is told, and tried again after encryption, but not without end")
    func refused() throws {
        var services = GATTSamples.values
        services[0].characteristics[0].notifying = .secureConnections
        var bench = try GATTBench(services, GATTServiceChangedTests.configuration(.always))
        bench.perform(.discoverServices(nil))
        #expect(bench.notes.count == 1 && bench.notes[0].contains("insufficient authentication"))
        let count = bench.sent.count
        bench.perform(.read(7))
        #expect(bench.sent.count == count + 1)
        bench.server.security = ATTSamples.encrypted
        bench.pump(bench.client.linkWasEncrypted(over: &bench.attributes, at: bench.now))
        #expect(bench.sent.count == count + 2 && bench.notes.count == 2)
        bench.pump(bench.client.linkWasEncrypted(over: &bench.attributes, at: bench.now))
        #expect(bench.sent.count == count + 2)
    }

    @Test("The range of a change is forgotten, and discovered anew")
    func invalidates() throws {
        var bench = try GATTBench(GATTSamples.values, table: table())
        bench.receive(changed(5, 0xFFFF))
        #expect(bench.outputs == [.servicesChanged(HandleRange(5, 0xFFFF))] && bench.sent == [.confirmation])
        #expect(bench.client.table.services.map(\.service.handle) == [1])
        #expect(!bench.client.table.hasAllPrimaryServices)
        bench.discoverAll()
        #expect(bench.client.table.layout == bench.database.layout)
        // What is left of the old table stays valid.
        bench.receive(changed(0x40, 0x50))
        #expect(bench.client.table.layout == bench.database.layout)
        #expect(!bench.client.table.hasAllPrimaryServices)
    }

    @Test("Its handle stays known after a change of all services")
    func again() throws {
        var bench = try GATTBench(GATTSamples.values, table: table())
        bench.receive(changed(1, 0xFFFF))
        bench.receive(changed(1, 0xFFFF))
        #expect(bench.outputs == [.servicesChanged(.all), .servicesChanged(.all)])
    }

    @Test("Actions for changed attributes fail: the outstanding one with its answer, the others at once")
    func failsActions() throws {
        var bench = try GATTBench(GATTSamples.values, table: table())
        bench.isServerThere = false
        let range = HandleRange(5, 0x0B)
        let failing: [GATTClient.Action] = [
            .read(7), .read(8), .write(0x0A, [1]), .setNotifying(characteristic: 0x0A, true),
            .discoverCharacteristics(service: 5, nil), .discoverIncluded(service: 5),
            .discoverDescriptors(characteristic: 7), .readMultiple([3, 7], isVariable: false),
            .writeReliably([HandleValue(3, []), HandleValue(7, [])]),
        ]
        let ids = failing.map { bench.begin($0) }
        let staying: [GATTClient.Action] = [.read(3), .readByType(ATTSamples.uuid(0x2A00), in: .all), .write(3, [1])]
        let others = staying.map { bench.begin($0) }
        bench.receive(.indication(HandleValue(3, GATTSamples.bytes(range.first, range.last))))
        for id in ids.dropFirst() { #expect(bench.result(of: id) == .failed(.servicesChanged(range))) }
        #expect(bench.result(of: ids[0]) == nil)
        bench.receive(.readResponse(value: [UInt8](repeating: 1, count: 22)))
        #expect(bench.result(of: ids[0]) == .failed(.servicesChanged(range)))
        #expect(bench.sent.last == .readRequest(handle: 3), "No Read Blob follows")
        for id in others { #expect(bench.result(of: id) == nil) }
    }

    @Test("A discovery of services that is under way fails; one that waits begins anew")
    func discoveries() throws {
        var bench = try GATTBench(GATTSamples.values, table: table())
        bench.receive(changed(5, 0xFFFF))
        bench.isServerThere = false
        let ids = [bench.begin(.discoverServices(nil)), bench.begin(.discoverServices(nil))]
        bench.receive(changed(5, 0xFFFF))
        bench.isServerThere = true
        bench.receive(.notFound(.readByGroupTypeRequest))
        #expect(bench.result(of: ids[0]) == .failed(.servicesChanged(HandleRange(5, 0xFFFF))))
        guard case .services(let services)? = bench.result(of: ids[1]) else {
            Issue.record("no services")
            return
        }
        #expect(services.count == 2)
    }

    @Test("A long write for changed attributes is cancelled, also while it waits for protection")
    func cancels() throws {
        for waits in [false, true] {
            var bench = try GATTBench(GATTSamples.values, table: table())
            bench.isServerThere = false
            let id = bench.begin(.write(0x10, [UInt8](repeating: 1, count: 40)))
            let piece = AttributeWrite(0x10, [UInt8](repeating: 1, count: 18))
            bench.receive(.prepareWriteResponse(piece))
            if waits {
                bench.receive(.errorResponse(request: 0x16, handle: 0x10, error: .insufficientEncryption))
            }
            bench.receive(changed(5, 0x20))
            if !waits {
                #expect(bench.sent.filter { $0.opcode == .executeWriteRequest } == [])
                bench.receive(
                    .prepareWriteResponse(AttributeWrite(0x10, offset: 18, [UInt8](repeating: 1, count: 18))))
            }
            #expect(bench.sent.contains(.executeWriteRequest(commits: false)))
            bench.receive(.executeWriteResponse)
            #expect(bench.result(of: id) == .failed(.servicesChanged(HandleRange(5, 0x20))))
            #expect(bench.violations == [])
        }
    }

    @Test("A second change does not keep a long write from its cancellation")
    func twoChanges() throws {
        var configuration = GATTClient.Configuration()
        configuration.waitsForProtection = false
        var bench = try GATTBench(GATTSamples.values, configuration, table: table())
        bench.isServerThere = false
        let other = bench.begin(.read(3))
        bench.receive(.readResponse(value: []))
        #expect(bench.result(of: other) == .value([]))
        let id = bench.begin(.write(0x10, [UInt8](repeating: 1, count: 40)))
        bench.receive(.prepareWriteResponse(AttributeWrite(0x10, [UInt8](repeating: 1, count: 18))))
        bench.receive(.errorResponse(request: 0x16, handle: 0x10, error: .insufficientEncryption))
        bench.begin(.read(3))
        #expect(bench.sent.last?.opcode == .prepareWriteRequest, "A half-sent long write lets nothing pass")
        let both = [changed(5, 0x20), changed(5, 0x20)].flatMap { bench.attributes.receive($0.bytes, at: bench.now) }
        bench.pump(bench.client.take(both, over: &bench.attributes, at: bench.now))
        #expect(bench.sent.contains(.executeWriteRequest(commits: false)))
        bench.receive(.executeWriteResponse)
        #expect(bench.result(of: id) == .failed(.servicesChanged(HandleRange(5, 0x20))))
    }

    @Test("On a bonded link an indication before encryption is neither confirmed nor obeyed until encryption")
    func withheld() throws {
        let table = try table()
        var bench = try GATTBench(GATTSamples.values, table: table, isBonded: true)
        bench.receive(changed(5, 0xFFFF))
        #expect(bench.sent == [] && bench.client.table == table)
        #expect(bench.notes == ["Service Changed, handle 0x0003, waits for encryption"])
        bench.pump(bench.client.linkWasEncrypted(over: &bench.attributes, at: bench.now))
        #expect(bench.sent == [.confirmation])
        #expect(bench.outputs.contains(.servicesChanged(HandleRange(5, 0xFFFF))))
        bench.receive(changed(5, 0xFFFF))
        #expect(bench.sent == [.confirmation, .confirmation])
    }

    @Test("Another phone confirms it at once")
    func notWithheld() throws {
        var configuration = GATTClient.Configuration()
        configuration.withholdsServiceChanged = false
        var bench = try GATTBench(GATTSamples.values, configuration, table: table(), isBonded: true)
        bench.receive(changed(5, 0xFFFF))
        #expect(bench.sent == [.confirmation] && bench.outputs == [.servicesChanged(HandleRange(5, 0xFFFF))])
    }

    @Test("A value of the wrong form is a breach of the protocol; a notification is ignored")
    func lies() throws {
        var bench = try GATTBench(GATTSamples.values, table: table())
        bench.receive(.indication(HandleValue(3, [1, 0, 5])))
        bench.receive(changed(5, 4))
        bench.receive(changed(0, 4))
        #expect(
            bench.violations == [
                "Service Changed, handle 0x0003, with 3 bytes; 4 are due",
                "Service Changed, handle 0x0003, with the handles 0x0005 to 0x0004",
                "Service Changed, handle 0x0003, with the handles 0x0000 to 0x0004",
            ])
        bench.receive(.notification(HandleValue(3, GATTSamples.bytes(1, 0xFFFF))))
        #expect(bench.notes.count == 1)
        #expect(bench.client.table.services.count == 2)
    }

    @Test("Database Out Of Sync empties the table")
    func outOfSync() throws {
        var bench = try GATTBench(GATTSamples.values, table: table())
        bench.isServerThere = false
        let id = bench.begin(.read(7))
        bench.receive(.errorResponse(request: 0x0A, handle: 7, error: .databaseOutOfSync))
        #expect(
            bench.outputs == [
                .completed(id, .failed(.refused(.databaseOutOfSync, handle: 7))), .servicesChanged(.all),
            ])
        #expect(bench.client.table.services == [])
    }

    @Test("Against a server: a service comes, the client hears of it and finds it")
    func server() throws {
        var bench = try GATTBench(GATTSamples.values, isBonded: true)
        bench.server.security = ATTSamples.encrypted
        bench.pump(bench.client.linkWasEncrypted(over: &bench.attributes, at: bench.now))
        bench.discoverAll()
        let range = try #require(try bench.database.add([ATTSamples.service(0xFF10, 0xFF11)]))
        let value = GATTSamples.bytes(range.first, range.last)
        bench.pump(bench.deliver(bench.server.indicate(value, of: 3, at: bench.now, in: bench.database)))
        #expect(bench.outputs.last == .servicesChanged(range))
        bench.discoverAll()
        #expect(bench.client.table.layout == bench.database.layout)
        #expect(bench.server.unconfirmed == nil)
    }
}
