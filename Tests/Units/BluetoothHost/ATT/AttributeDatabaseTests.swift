import CryptoKit
import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Attribute database")
struct AttributeDatabaseTests {
    @Test("Services are laid out with declarations, values and descriptors in the order of the definitions")
    func layout() throws {
        let database = try AttributeDatabase(ATTSamples.services)
        let types = database.attributes.map { $0.type.shortest.count == 2 ? Hex.text($0.type.shortest) : "long" }
        #expect(
            types.joined(separator: " ")
                == "2800 2803 2A00 2803 2A01 2800 2803 2A05 2902 2800 2803 2A19 2902 2800 2803 FF01 2803 FF02 2901 "
                + "2803 FF03 2902 2803 FF04 2803 long")
        #expect(database.attributes.map(\.handle) == Array(1...26))
        #expect(database.attribute(at: 1)?.content == .stored([0x00, 0x18]))
        #expect(database.attribute(at: 2)?.content == .stored([0x02, 0x03, 0x00, 0x00, 0x2A]))
        #expect(database.attribute(at: 14)?.content == .stored(ATTSamples.longUUID.bytes.reversed()))
        #expect(database.attribute(at: 25)?.content == .stored([0x04, 26, 0] + ATTSamples.longUUID.bytes.reversed()))
        #expect(database.attribute(at: 22)?.content == .configuration(ofValue: 21, supported: [.notifies, .indicates]))
        #expect(database.attribute(at: 0) == nil && database.attribute(at: 27) == nil)
    }

    @Test("A service is described as a client discovers it")
    func described() throws {
        let database = try AttributeDatabase(ATTSamples.services)
        let battery = try #require(database.service(2))
        #expect(battery.handle == 10 && battery.isPrimary && battery.uuid == ATTSamples.uuid(0x180F))
        let level = try #require(battery.characteristics.first)
        #expect(level.id == CharacteristicID(handle: 12) && level.properties == [.read, .notify])
        #expect(
            level.descriptors == [GATTDescriptor(uuid: ATTSamples.uuid(0x2902), id: DescriptorID(handle: 13))])
        #expect(database.layout.map(\.handle) == [1, 6, 10, 14])
        #expect(database.service(4) == nil)
    }

    @Test("The hash is that of the specification's example, with its include and its descriptors")
    func hash() throws {
        // Vol 3, Part G, Appendix B.
        let database = try AttributeDatabase([
            ServiceDefinition(
                ATTSamples.uuid(0x1800),
                [
                    CharacteristicDefinition(ATTSamples.uuid(0x2A00), [.read, .write]),
                    CharacteristicDefinition(ATTSamples.uuid(0x2A01), .read),
                ]),
            ServiceDefinition(
                ATTSamples.uuid(0x1801),
                [
                    CharacteristicDefinition(ATTSamples.uuid(0x2A05), .indicate),
                    CharacteristicDefinition(ATTSamples.uuid(0x2B29), [.read, .write]),
                    CharacteristicDefinition(AttributeType.databaseHash, .read),
                ]),
            ServiceDefinition(
                ATTSamples.uuid(0x1808), included: [3],
                [
                    CharacteristicDefinition(
                        ATTSamples.uuid(0x2A18), [.read, .indicate, .extendedProperties],
                        descriptors: [
                            .clientConfiguration,
                            DescriptorDefinition(AttributeType.extendedProperties, value: .stored([0, 0])),
                        ])
                ]),
            ServiceDefinition(
                ATTSamples.uuid(0x180F), isPrimary: false,
                [CharacteristicDefinition(ATTSamples.uuid(0x2A19), .read)]),
        ])
        #expect(database.attribute(at: 0x0F)?.content == .stored(ATTSamples.bytes("14 00 16 00 0F 18")))
        #expect(database.hash() == ATTSamples.bytes("F1CA2D48ECF58BAC8A8830BBB9FBA990").reversed())
    }

    @Test("The hash changes with the layout, and not with values")
    func hashOfValues() throws {
        var database = try AttributeDatabase(ATTSamples.services)
        let hash = database.hash()
        database.setValue([9], at: 3)
        database.setValue([9], at: 0x13)
        #expect(database.hash() == hash)
        try database.add([ATTSamples.service(0x180A, 0x2A29)])
        #expect(database.hash() != hash)
    }

    @Test("Only values that the database keeps are changed")
    func setValue() throws {
        var database = try AttributeDatabase(ATTSamples.services)
        database.setValue([9], at: 3)
        #expect(database.attribute(at: 3)?.content == .stored([9]))
        database.setValue([9], at: 0x10)
        database.setValue([9], at: 0x16)
        database.setValue([9], at: 0xFFFF)
        #expect(database.attribute(at: 0x10)?.content == .dynamic)
    }

    @Test("A group ends with its service, or before the next characteristic")
    func groupEnds() throws {
        let database = try AttributeDatabase(ATTSamples.services)
        let ends = database.attributes.map { database.groupEnd(of: $0) }
        #expect(ends[0] == 5 && ends[13] == 26)
        #expect(ends[1] == 3 && ends[10] == 13 && ends[16] == 0x13 && ends[24] == 26)
        #expect(ends[2] == 3 && ends[12] == 13)
    }

    @Test("A characteristic's own configuration is found, and no other one")
    func configurationHandles() throws {
        let database = try AttributeDatabase(ATTSamples.services)
        #expect(database.configurationHandle(ofValue: 0x0C) == 0x0D)
        #expect(database.configurationHandle(ofValue: 0x15) == 0x16)
        #expect(database.configurationHandle(ofValue: 0x03) == nil)
        #expect(database.configurationHandle(ofValue: 0x12) == nil)
        #expect(database.configurationHandle(ofValue: 0xFFFF) == nil)
    }

    @Test("Ranges of attributes may be empty, hostile or whole")
    func ranges() throws {
        let database = try AttributeDatabase(ATTSamples.services)
        #expect(database.attributes(in: .all).count == 26)
        #expect(database.attributes(in: HandleRange(5, 6)).map(\.handle) == [5, 6])
        #expect(database.attributes(in: HandleRange(6, 5)).isEmpty)
        #expect(database.attributes(in: HandleRange(0, 0)).isEmpty)
        #expect(database.attributes(in: HandleRange(27, 0xFFFF)).isEmpty)
        #expect(AttributeDatabase().attributes(in: .all).isEmpty)
    }
}

@Suite("Services that come and go")
struct ServiceChangeTests {
    @Test("A new service comes after all others, and its handles are returned")
    func adding() throws {
        var database = try AttributeDatabase([ATTSamples.service(0x1800, 0x2A00)])
        #expect(try database.add([ATTSamples.service(0x180F, 0x2A19)]) == HandleRange(4, 6))
        #expect(try database.add([]) == nil)
        #expect(database.nextID == 2)
        #expect(database.service(1)?.handle == 4)
    }

    @Test("Handles of a removed service are not used again")
    func removing() throws {
        var database = try AttributeDatabase([
            ATTSamples.service(0x1800, 0x2A00), ATTSamples.service(0x180F, 0x2A19), ATTSamples.service(0x180A, 0x2A29),
        ])
        #expect(try database.remove(1) == HandleRange(4, 6))
        #expect(database.attributes.map(\.handle) == [1, 2, 3, 7, 8, 9])
        #expect(try database.remove(2) == HandleRange(7, 9))
        #expect(try database.add([ATTSamples.service(0x180F, 0x2A19)]) == HandleRange(10, 12))
        #expect(database.service(1) == nil && database.service(3)?.handle == 10)
        #expect(throws: AttributeDatabaseError.unknownService(1)) { try database.remove(1) }
    }

    @Test("Handles come again when all others are used up")
    func reuse() throws {
        var database = try AttributeDatabase([ATTSamples.service(0x1800, 0x2A00)])
        for number in 1...21_844 {
            let id = database.nextID
            try database.add([ATTSamples.service(0x180F, 0x2A19)])
            #expect(id.number == number)
            try database.remove(id)
        }
        #expect(try database.add([ATTSamples.service(0x180F, 0x2A19)]) == HandleRange(4, 6))
        #expect(try database.add([ATTSamples.service(0x180F, 0x2A19)]) == HandleRange(7, 9))
    }

    @Test("A service can ask for its handles; others are laid around it")
    func fixed() throws {
        let database = try AttributeDatabase([
            ATTSamples.service(0x1800, 0x2A00), ATTSamples.service(0x1801, at: 4, 0x2A05),
            ATTSamples.service(0x180A, 0x2A29), ATTSamples.service(0x180F, at: 0xFFFD, 0x2A19),
        ])
        #expect((0..<4).map { database.service(ServiceID($0))?.handle } == [1, 4, 7, 0xFFFD])
        #expect(database.attributes.last?.handle == 0xFFFF)
        #expect(database.attributes.map(\.handle) == database.attributes.map(\.handle).sorted())
    }

    @Test("Handles that are taken or out of range are an error, and nothing changes")
    func taken() throws {
        var database = try AttributeDatabase([ATTSamples.service(0x1800, 0x2A00)])
        let uuid = ATTSamples.uuid(0x180F)
        let taken = AttributeDatabaseError.handlesTaken(HandleRange(3, 5), forService: uuid)
        #expect(throws: taken) { try database.add([ATTSamples.service(0x180F, at: 3, 0x2A19)]) }
        #expect("\(taken)" == "handles 0x0003 to 0x0005 of service 180F are not free")
        for handle in [0, 0xFFFE] as [UInt16] {
            #expect(throws: AttributeDatabaseError.noHandles(forService: uuid)) {
                try database.add([ATTSamples.service(0x180A), ATTSamples.service(0x180F, at: handle, 0x2A19)])
            }
        }
        #expect(database.attributes.count == 3 && database.nextID == 1)
    }

    @Test("A full database takes no more")
    func full() throws {
        let large = ServiceDefinition(
            ATTSamples.longUUID,
            (0..<32_767).map { _ in CharacteristicDefinition(ATTSamples.uuid(0xFF01), .read) })
        var database = try AttributeDatabase([large])
        #expect(database.attributes.last?.handle == 0xFFFF)
        #expect(throws: AttributeDatabaseError.noHandles(forService: ATTSamples.uuid(0x180F))) {
            try database.add([ATTSamples.service(0x180F)])
        }
    }

    @Test("Included services may be older, or come at the same time; unknown ones are an error")
    func includes() throws {
        var database = try AttributeDatabase([ATTSamples.service(0x1800, 0x2A00)])
        try database.add([
            ServiceDefinition(ATTSamples.uuid(0x1812), included: [0, 2], []),
            ServiceDefinition(ATTSamples.longUUID, isPrimary: false, []),
        ])
        #expect(database.attribute(at: 5)?.content == .stored(ATTSamples.bytes("01 00 03 00 00 18")))
        #expect(database.attribute(at: 6)?.content == .stored(ATTSamples.bytes("07 00 07 00")))
        #expect(database.service(1)?.included == [1, 7])
        #expect(throws: AttributeDatabaseError.included(2, by: 1)) { try database.remove(2) }
        #expect(throws: AttributeDatabaseError.unknownService(4)) {
            try database.add([ServiceDefinition(ATTSamples.uuid(0x1812), included: [4], [])])
        }
        #expect(throws: AttributeDatabaseError.unknownService(-1)) {
            try database.add([ServiceDefinition(ATTSamples.uuid(0x1812), included: [ServiceID(-1)], [])])
        }
        try database.remove(1)
        try database.remove(2)
        #expect(database.layout.count == 1)
    }

    @Test("A stored value has at most 512 bytes")
    func longValue() {
        let long = AttributeValue.stored([UInt8](repeating: 0, count: 513))
        let uuid = ATTSamples.uuid(0x2A00)
        let characteristic = CharacteristicDefinition(uuid, .read, value: long)
        #expect(throws: AttributeDatabaseError.valueTooLong(uuid, bytes: 513)) {
            try AttributeDatabase([ServiceDefinition(uuid, [characteristic])])
        }
        let descriptor = CharacteristicDefinition(
            uuid, .read, descriptors: [DescriptorDefinition(AttributeType.userDescription, value: long)])
        #expect(throws: AttributeDatabaseError.valueTooLong(AttributeType.userDescription, bytes: 513)) {
            try AttributeDatabase([ServiceDefinition(uuid, [descriptor])])
        }
    }
}
