import FoundationEssentials
import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("The table of a peer's attributes")
struct GATTTableTests {
    /// Services of a random number with random contents, some included by later ones, some at chosen handles.
    private func services(_ numbers: inout SeededNumbers) -> [ServiceDefinition] {
        var handle = UInt16(1)
        return (0..<Int.random(in: 0...8, using: &numbers)).map { index in
            handle += UInt16.random(in: 0...50, using: &numbers)
            let others = (0..<index).filter { _ in Int.random(in: 0..<4, using: &numbers) == 0 }.map { ServiceID($0) }
            let service = ServiceDefinition(
                uuid(&numbers), isPrimary: Int.random(in: 0..<4, using: &numbers) > 0, included: others, at: handle,
                (0..<Int.random(in: 0...6, using: &numbers)).map { _ in characteristic(&numbers) })
            handle += UInt16(service.attributeCount)
            return service
        }
    }

    private func characteristic(_ numbers: inout SeededNumbers) -> CharacteristicDefinition {
        let descriptors = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
            DescriptorDefinition(uuid(&numbers), value: .stored([1]))
        }
        // Without extended properties, which need a descriptor.
        let properties = GATTCharacteristic.Properties(rawValue: UInt8.random(in: 1...0x7F, using: &numbers))
        return CharacteristicDefinition(uuid(&numbers), properties, value: .stored([1]), descriptors: descriptors)
    }

    private func uuid(_ numbers: inout SeededNumbers) -> BluetoothUUID {
        if Bool.random(using: &numbers) {
            return BluetoothUUID(short: UInt16.random(in: 0x3000...0xFFFF, using: &numbers))
        }
        return BluetoothUUID(bytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &numbers) })
            ?? ATTSamples.longUUID
    }

    @Test("Random databases are discovered completely", arguments: [23, 64, 517] as [UInt16])
    func random(mtu: UInt16) throws {
        for seed in 0..<60 as Range<UInt64> {
            var numbers = SeededNumbers(seed: seed)
            var configuration = GATTClient.Configuration()
            configuration.habits.continuesAfterValue = Bool.random(using: &numbers)
            configuration.subscribesToServiceChanged = .always
            var bench = try GATTBench(services(&numbers), mtu: mtu, configuration)
            bench.discoverAll()
            #expect(bench.client.table.layout == bench.database.layout, "seed \(seed)")
            #expect(bench.violations == [] && bench.notes == [], "seed \(seed)")
            bench.sent = []
            bench.discoverAll()
            #expect(bench.sent == [], "The table knows all, seed \(seed)")
        }
    }

    @Test("Found by UUID, a service has the same contents")
    func byUUID() throws {
        var configuration = GATTClient.Configuration()
        configuration.habits.serviceSearch = .findsByUUID
        for seed in 100..<130 as Range<UInt64> {
            var numbers = SeededNumbers(seed: seed)
            var bench = try GATTBench(services(&numbers), configuration)
            let wanted = Set(bench.database.layout.filter(\.isPrimary).map(\.uuid))
            bench.perform(.discoverServices(Array(wanted)))
            let found = bench.client.table.layout.map { [UInt16(1), $0.handle] }
            #expect(found == bench.database.layout.filter(\.isPrimary).map { [UInt16(1), $0.handle] })
        }
    }

    @Test("A saved table is the same after its return")
    func saved() throws {
        var bench = try GATTBench(isBonded: true)
        bench.discoverAll()
        let data = try JSONEncoder().encode(bench.client.table)
        #expect(try JSONDecoder().decode(GATTTable.self, from: data) == bench.client.table)
    }

    @Test("A change forgets the services that it touches, and only their inclusion")
    func invalidation() {
        var table = GATTTable()
        func service(_ first: UInt16, _ last: UInt16) -> DiscoveredService {
            DiscoveredService(HandleRange(first, last), BluetoothUUID(short: first))
        }
        _ = table.learn(.allServices([service(1, 4), service(5, 9), service(10, 20)], isPrimary: true))
        let inclusion = IncludedService(6, HandleRange(10, 20), BluetoothUUID(short: 10))
        _ = table.learn(.included([inclusion], by: 5))
        _ = table.learn(.included([], by: 1))
        table.invalidate(HandleRange(20, 30))
        #expect(table.services.map(\.service.handle) == [1, 5])
        #expect(table.services.map(\.included) == [[], nil])
        table.invalidate(HandleRange(4, 4))
        #expect(table.services.map(\.service.handle) == [5])
        table.invalidate(.all)
        #expect(table.services == [])
        // Knowledge of what is no longer there is dropped.
        #expect(table.learn(.included([inclusion], by: 5)) == [])
        #expect(table.learn(.descriptors([], ofValue: 7)) == [])
        #expect(table.learn(.characteristics([], of: 5, isAll: true)) == [])
        #expect(table.services == [])
    }
}
