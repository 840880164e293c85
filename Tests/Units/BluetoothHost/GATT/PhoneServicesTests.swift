import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("The phone's services of Bluetooth itself")
struct PhoneServicesTests {
    private static let name = ATTSamples.uuid(0x2A00)

    private func bench(_ services: PhoneServices, _ others: [ServiceDefinition] = []) throws -> GATTBench {
        var configuration = GATTClient.Configuration()
        configuration.subscribesToServiceChanged = .always
        var bench = try GATTBench(services.definitions + others, configuration)
        bench.phone = services
        return bench
    }

    @Test("They have an iPhone's handles", .shows("GAP/GAT/BV-17-C"))
    func handles() throws {
        var bench = try bench(PhoneServices(name: "Kim's iPhone"))
        bench.discoverAll()
        #expect(bench.client.table.services.map(\.service.range) == [HandleRange(1, 5), HandleRange(6, 9)])
        #expect(bench.client.table.serviceChangedHandle == 8)
        #expect(bench.perform(.read(5)) == .value([0x40, 0x00]))
    }

    @Test("The person's name for the phone is only for bonded devices", .shows("GAP/GAT/BV-16-C"))
    func names() throws {
        var bench = try bench(PhoneServices(name: "The iPhone of Kim and Robin"))
        #expect(
            bench.perform(.readByType(PhoneServicesTests.name, in: .all))
                == .values([HandleValue(3, Array("iPhone".utf8))]))
        bench.server.isBonded = true
        #expect(bench.perform(.read(3)) == .value(Array("The iPhone of Kim and Robin".utf8)))
        let asked = AttributeServer.Request.read(handle: 3, offset: 28)
        #expect(bench.phone?.answer(asked, by: &bench.server, in: bench.database) == .refused(.invalidOffset))
    }

    @Test("Values of other services are not theirs, also of the same types")
    func others() throws {
        let service = ServiceDefinition(
            ATTSamples.uuid(0xFF00),
            [
                CharacteristicDefinition(PhoneServicesTests.name, .read),
                CharacteristicDefinition(GATTFeature.clientFeatures.uuid, [.read, .write]),
                CharacteristicDefinition(AttributeType.serviceChanged, .indicate),
            ])
        var phone = PhoneServices(name: "")
        phone.hasServiceChanged = false
        var bench = try bench(phone, [service])
        bench.values[9] = [1]
        #expect(bench.perform(.read(9)) == .value([1]))
        #expect(bench.perform(.write(11, [1])) == .done)
        #expect(bench.values[11] == [1] && !bench.server.usesRobustCaching)
        let outputs = PhoneServices.servicesChanged(in: .all, of: bench.database, for: &bench.server, at: bench.now)
        #expect(outputs == [])
    }

    @Test("A subscribed client hears of each change of the services")
    func changes() throws {
        var bench = try bench(PhoneServices(name: "iPhone"))
        bench.discoverAll()
        let range = try #require(try bench.database.add([ATTSamples.service(0xFF00, 0xFF01)]))
        bench.pump(
            bench.deliver(
                PhoneServices.servicesChanged(in: range, of: bench.database, for: &bench.server, at: bench.now)))
        #expect(bench.outputs.last == .servicesChanged(range))
        bench.discoverAll()
        #expect(bench.client.table.layout == bench.database.layout)
    }

    @Test("With robust caching, a client sets its feature, reads the hash, and is refused after a change")
    func robustCaching() throws {
        var phone = PhoneServices(name: "iPhone")
        phone.hasRobustCaching = true
        var bench = try bench(phone)
        bench.discoverAll()
        #expect(bench.perform(.readFeature(.clientFeatures)) == .values([HandleValue(0x0B, [0])]))
        #expect(bench.perform(.readFeature(.databaseHash)) == .values([HandleValue(0x0D, bench.database.hash())]))
        #expect(bench.perform(.write(0x0B, [])) == .failed(.refused(.invalidAttributeValueLength, handle: 0x0B)))
        #expect(bench.perform(.write(0x0B, [6])) == .done && !bench.server.usesRobustCaching)
        #expect(bench.perform(.write(0x0B, [7])) == .done && bench.server.usesRobustCaching)
        #expect(bench.perform(.write(0x0B, [6])) == .failed(.refused(.valueNotAllowed, handle: 0x0B)))
        let long = [UInt8](repeating: 1, count: 40)
        #expect(bench.perform(.write(0x0B, long)) == .failed(.refused(.invalidAttributeValueLength, handle: 0x0B)))
        let range = try #require(try bench.database.add([ATTSamples.service(0xFF00, 0xFF01)]))
        bench.isServerThere = false
        let outputs = PhoneServices.servicesChanged(in: range, of: bench.database, for: &bench.server, at: bench.now)
        #expect(outputs.count == 1)
        bench.isServerThere = true
        #expect(bench.perform(.read(5)) == .failed(.refused(.databaseOutOfSync, handle: 5)))
        #expect(bench.outputs.last == .servicesChanged(.all))
    }
}
