import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("GATT discoveries")
struct GATTDiscoveryTests {
    @Test("Everything that a server has is discovered, and known as it was built", arguments: [23, 517] as [UInt16])
    func everything(mtu: UInt16) throws {
        var bench = try GATTBench(mtu: mtu)
        bench.discoverAll()
        #expect(bench.client.table.layout == bench.database.layout)
        #expect(bench.violations == [] && bench.notes == [])
        let parts = bench.client.table.services
        #expect(parts.allSatisfy { $0.hasAllCharacteristics && $0.included == [] })
        #expect(parts.flatMap(\.characteristics).allSatisfy { $0.descriptors != nil })
        #expect(bench.client.table.hasAllPrimaryServices && bench.client.table.hasAllSecondaryServices)
    }

    @Test(
        "Services are read by group type, from the end of the last one on, until nothing is found",
        .shows("GATT/CL/GAD/BV-01-C"))
    func servicesAsAnIPhone() throws {
        var bench = try GATTBench()
        let uuids = ATTSamples.services.map(\.uuid)
        guard case .services(let services)? = bench.perform(.discoverServices(nil)) else {
            Issue.record("no services")
            return
        }
        #expect(services.map(\.uuid) == uuids && services.allSatisfy(\.isPrimary))
        #expect(services.map(\.range).last == HandleRange(0x0E, 0x1A))
        #expect(
            bench.sent == [
                .readByGroupTypeRequest(.all, type: AttributeType.primaryService),
                .readByGroupTypeRequest(HandleRange(0x0E, 0xFFFF), type: AttributeType.primaryService),
                .readByGroupTypeRequest(HandleRange(0x1B, 0xFFFF), type: AttributeType.primaryService),
            ])
    }

    @Test("A service that ends with the last handle ends the discovery without another request")
    func lastHandle() {
        let group = AttributeGroup(HandleRange(0x10, 0xFFFF), GATTSamples.bytes(0x180F))
        let script = GATTScript(ServiceDiscovery(GATTHabits()), .readByGroupTypeResponse([group]))
        #expect(script.requests.count == 1)
        let service = DiscoveredService(HandleRange(0x10, 0xFFFF), BluetoothUUID(short: 0x180F))
        #expect(script.result == .services([service]))
        #expect(script.findings == [.allServices([service], isPrimary: true)])
    }

    @Test("A search for UUIDs reads all services, and gives the wanted ones")
    func wantedServices() throws {
        var bench = try GATTBench()
        let wanted = [ATTSamples.longUUID, ATTSamples.uuid(0x1234)]
        guard case .services(let services)? = bench.perform(.discoverServices(wanted)) else {
            Issue.record("no services")
            return
        }
        #expect(services.map(\.uuid) == [ATTSamples.longUUID])
        #expect(bench.client.table.services.count == 4)
    }

    @Test("Another phone finds services by UUID, and knows only those")
    func servicesByUUID() throws {
        var configuration = GATTClient.Configuration()
        configuration.habits.serviceSearch = .findsByUUID
        var bench = try GATTBench(ATTSamples.services, configuration)
        let wanted = [ATTSamples.longUUID, ATTSamples.uuid(0x180F)]
        guard case .services(let services)? = bench.perform(.discoverServices(wanted)) else {
            Issue.record("no services")
            return
        }
        #expect(services.map(\.uuid) == [ATTSamples.uuid(0x180F), ATTSamples.longUUID])
        let uuid = Array(ATTSamples.longUUID.bytes.reversed())
        #expect(
            bench.sent == [
                .findByTypeValueRequest(.all, type: 0x2800, value: uuid),
                .findByTypeValueRequest(HandleRange(0x1B, 0xFFFF), type: 0x2800, value: uuid),
                .findByTypeValueRequest(.all, type: 0x2800, value: [0x0F, 0x18]),
                .findByTypeValueRequest(HandleRange(0x0E, 0xFFFF), type: 0x2800, value: [0x0F, 0x18]),
            ])
        #expect(bench.client.table.services.count == 2 && !bench.client.table.hasAllPrimaryServices)
        bench.perform(.discoverServices(nil))
        #expect(bench.client.table.services.count == 4)
    }

    @Test("Included services are found; a long UUID is read from the included service", .shows("GATT/CL/GAD/BV-03-C"))
    func included() throws {
        let services = [
            ServiceDefinition(ATTSamples.uuid(0x180F), isPrimary: false, []),
            ServiceDefinition(ATTSamples.longUUID, isPrimary: false, []),
            ServiceDefinition(ATTSamples.uuid(0x1812), included: [0, 1, 0], []),
        ]
        var bench = try GATTBench(services)
        bench.perform(.discoverServices(nil))
        bench.sent = []
        let result = bench.perform(.discoverIncluded(service: 3))
        #expect(
            result
                == .included([
                    IncludedService(4, HandleRange(1, 1), ATTSamples.uuid(0x180F)),
                    IncludedService(5, HandleRange(2, 2), ATTSamples.longUUID),
                    IncludedService(6, HandleRange(1, 1), ATTSamples.uuid(0x180F)),
                ]))
        #expect(bench.sent.contains(.readRequest(handle: 2)))
        #expect(bench.client.table.layout == bench.database.layout)
        bench.sent = []
        #expect(bench.perform(.discoverIncluded(service: 3)) == result)
        #expect(bench.sent == [], "The table knows")
        #expect(bench.violations == [])
    }

    @Test("Secondary services are discovered if asked for")
    func secondary() throws {
        var bench = try GATTBench([ServiceDefinition(ATTSamples.uuid(0x180F), isPrimary: false, [])])
        #expect(bench.perform(.discoverServices(nil)) == .services([]))
        let service = DiscoveredService(HandleRange(1, 1), ATTSamples.uuid(0x180F), isPrimary: false)
        #expect(bench.perform(.discoverSecondaryServices) == .services([service]))
        bench.sent = []
        #expect(bench.perform(.discoverServices(nil)) == .services([]))
        #expect(bench.perform(.discoverSecondaryServices) == .services([service]))
        #expect(bench.sent == [])
    }
}

@Suite("GATT discoveries of characteristics and descriptors")
struct GATTCharacteristicDiscoveryTests {
    private static let declarations = [
        GATTSamples.characteristic(0x11, [.read, .notify], value: 0x12, 0x2A19),
        GATTSamples.characteristic(0x15, .read, value: 0x16, 0x2A1A),
    ]

    @Test(
        "Characteristics are read from the service's first handle on, then from the last value on",
        .shows("GATT/CL/GAD/BV-04-C"))
    func requests() {
        let script = GATTScript(
            CharacteristicDiscovery(of: GATTSamples.battery, GATTHabits()),
            .readByTypeResponse(GATTCharacteristicDiscoveryTests.declarations),
            .notFound(.readByTypeRequest, at: 0x17))
        let type = AttributeType.characteristic
        #expect(
            script.requests == [
                .readByTypeRequest(HandleRange(0x10, 0x20), type: type),
                .readByTypeRequest(HandleRange(0x17, 0x20), type: type),
            ])
        let found = [
            GATTSamples.level,
            DiscoveredCharacteristic(0x15, value: 0x16, last: 0x20, BluetoothUUID(short: 0x2A1A), .read),
        ]
        #expect(script.result == .characteristics(found))
        #expect(script.findings == [.characteristics(found, of: 0x10, isAll: true)])
    }

    @Test("Another phone continues after the declaration")
    func afterDeclaration() {
        var habits = GATTHabits()
        habits.continuesAfterValue = false
        let script = GATTScript(
            CharacteristicDiscovery(of: GATTSamples.battery, habits),
            .readByTypeResponse(GATTCharacteristicDiscoveryTests.declarations))
        #expect(script.requests.last?.handles == HandleRange(0x16, 0x20))
    }

    @Test("A value in the last handle ends the discovery")
    func lastValue() {
        let last = GATTSamples.characteristic(0x1F, .read, value: 0x20, 0x2A19)
        let script = GATTScript(
            CharacteristicDiscovery(of: GATTSamples.battery, GATTHabits()), .readByTypeResponse([last]))
        #expect(script.requests.count == 1 && script.result != nil && script.broken == nil)
    }

    @Test("All characteristics are read also for one UUID, and the table knows them", .shows("GATT/CL/GAD/BV-05-C"))
    func wanted() throws {
        var bench = try GATTBench()
        bench.perform(.discoverServices(nil))
        let result = bench.perform(.discoverCharacteristics(service: 0x0E, [ATTSamples.uuid(0xFF02)]))
        guard case .characteristics(let found)? = result else {
            Issue.record("no characteristics")
            return
        }
        #expect(found.map(\.handle) == [0x12])
        #expect(bench.client.table.service(at: 0x0E)?.characteristics.count == 5)
        bench.sent = []
        bench.perform(.discoverCharacteristics(service: 0x0E, nil))
        #expect(bench.sent == [])
    }

    @Test("Another phone ends with the wanted one; the descriptors then end with the next declaration")
    func endsEarly() throws {
        var configuration = GATTClient.Configuration()
        configuration.habits.endsWithWantedCharacteristics = true
        var bench = try GATTBench(ATTSamples.services, configuration)
        bench.perform(.discoverServices(nil))
        bench.sent = []
        let wanted = GATTClient.Action.discoverCharacteristics(service: 0x0E, [ATTSamples.uuid(0xFF03)])
        bench.perform(wanted)
        #expect(bench.sent.count == 1)
        #expect(bench.client.table.service(at: 0x0E)?.hasAllCharacteristics == false)
        guard case .descriptors(let found)? = bench.perform(.discoverDescriptors(characteristic: 0x15)) else {
            Issue.record("no descriptors")
            return
        }
        #expect(found.map(\.id.handle) == [0x16])
        bench.sent = []
        bench.perform(wanted)
        #expect(bench.sent == [], "The table knows the wanted one")
        bench.perform(.discoverCharacteristics(service: 0x0E, nil))
        #expect(bench.client.table.service(at: 0x0E)?.hasAllCharacteristics == true)
        #expect(bench.client.table.characteristic(at: 0x15)?.descriptors?.count == 1, "Known descriptors stay")
        #expect(bench.violations == [])
    }

    @Test("Descriptors are found from the value to the next declaration", .shows("GATT/CL/GAD/BV-06-C"))
    func descriptors() {
        let entries = [
            AttributeInformation(0x13, BluetoothUUID(short: 0x2902)),
            AttributeInformation(0x14, BluetoothUUID(short: 0x2901)),
        ]
        let script = GATTScript(
            DescriptorDiscovery(of: GATTSamples.level, GATTHabits()), .findInformationResponse(entries))
        #expect(script.requests == [.findInformationRequest(HandleRange(0x13, 0x14))])
        let found = entries.map { GATTDescriptor(uuid: $0.type, id: DescriptorID(handle: $0.handle)) }
        #expect(script.result == .descriptors(found))
        #expect(script.findings == [.descriptors(found, ofValue: 0x12)])
    }

    @Test("A characteristic without room for descriptors needs no request", arguments: [0x12, 0xFFFF] as [UInt16])
    func noDescriptors(handle: UInt16) {
        let level = DiscoveredCharacteristic(0x11, value: handle, last: handle, BluetoothUUID(short: 0x2A19), .read)
        let script = GATTScript(DescriptorDiscovery(of: level, GATTHabits()))
        #expect(script.requests == [] && script.result == .descriptors([]))
    }

    @Test("Unknown services and characteristics are not asked for")
    func unknown() throws {
        var bench = try GATTBench()
        let actions: [GATTClient.Action] = [
            .discoverIncluded(service: 3), .discoverCharacteristics(service: 3, nil),
            .discoverDescriptors(characteristic: 3), .setNotifying(characteristic: 3, true),
        ]
        for action in actions {
            guard case .failed(.invalid(let text))? = bench.perform(action) else {
                Issue.record("\(action) did not fail")
                continue
            }
            #expect(text.contains("0x0003"))
        }
        #expect(bench.sent == [])
    }

    @Test("An error of the server during a discovery is its result", arguments: [0x06, 0x0E, 0x80] as [UInt8])
    func refused(code: UInt8) {
        let error = GATTFailure.refused(ATTError(code), handle: 1)
        let habits = GATTHabits()
        let results = [
            GATTScript(ServiceDiscovery(habits), [.failure(error)]).result,
            GATTScript(ServiceSearch([BluetoothUUID(short: 0x180F)], habits), [.failure(error)]).result,
            GATTScript(InclusionDiscovery(of: GATTSamples.battery, habits), [.failure(error)]).result,
            GATTScript(CharacteristicDiscovery(of: GATTSamples.battery, habits), [.failure(error)]).result,
            GATTScript(DescriptorDiscovery(of: GATTSamples.level, habits), [.failure(error)]).result,
        ]
        #expect(results.allSatisfy { $0 == .failed(error) })
    }
}
