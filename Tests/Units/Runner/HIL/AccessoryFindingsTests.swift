import Foundation
import RadioModel
import Testing

@testable import HIL

/// What a phone finds out about an accessory becomes a declaration.
struct AccessoryFindingsTests {
    private func characteristic(
        _ uuid: UInt16, _ handle: UInt16, _ properties: GATTCharacteristic.Properties,
        _ descriptors: [(UInt16, UInt16)] = []
    ) -> GATTCharacteristic {
        GATTCharacteristic(
            uuid: BluetoothUUID(short: uuid), id: CharacteristicID(handle: handle), properties: properties,
            descriptors: descriptors.map {
                GATTDescriptor(uuid: BluetoothUUID(short: $0.0), id: DescriptorID(handle: $0.1))
            })
    }

    private func findings(_ services: [GATTService]) -> AccessoryFindings {
        let address = DeviceAddress(bytes: [2, 0, 0, 0, 0, 1])!
        return AccessoryFindings(advertisement: Advertisement(address: address, name: "Lamp"), services: services)
    }

    private func service(
        _ uuid: UInt16, _ handle: UInt16, _ characteristics: [GATTCharacteristic] = [], included: [UInt16] = []
    ) -> GATTService {
        GATTService(
            uuid: BluetoothUUID(short: uuid), handle: handle, isPrimary: true, characteristics: characteristics,
            included: included)
    }

    @Test("Only what a phone may do without pairing is tried, and never a value written")
    func wanted() {
        let found = findings([
            service(0x1800, 1, [characteristic(0x2A00, 3, .read)]),
            service(
                0xFF00, 5, [characteristic(0xFF01, 7, [.read, .notify], [(0x2902, 8), (0x2900, 9), (0x2901, 10)])]),
        ])
        #expect(
            found.wanted == [
                AttributeAccess(handle: 7, reading: .allowed), AttributeAccess(handle: 8, writing: .allowed),
                AttributeAccess(handle: 10, reading: .allowed, writing: .allowed),
            ])
    }

    @Test("What Linux adds to every accessory is left out; the name over a link, and included services, are kept")
    func own() {
        var found = findings([
            service(0x1800, 1, [characteristic(0x2A00, 3, .read)]), service(0x1801, 4),
            service(0x180A, 5, [characteristic(0x2A50, 7, .read)]), service(0xFF00, 8, included: [9, 5]),
            service(0xFF10, 9),
        ])
        found.values = [3: .value(Data("Kim".utf8)), 7: .value(Data([2, 0x6B, 0x1D, 0x46, 2, 0x52, 5]))]
        let declared = found.recording.declaration
        #expect(declared.services.map(\.uuid) == [0xFF00, 0xFF10].map { BluetoothUUID(short: $0) })
        #expect(declared.services[0].included == [1])
        #expect(declared.name == "Kim")
        found.values[7] = .value(Data([2, 0x6B, 0x1D, 0, 0, 0, 0]))
        #expect(found.recording.declaration.services.count == 3, "another maker's is kept")
    }

    @Test("What the link needs follows from the refusals, and from the key that was enough")
    func protection() {
        var found = findings([
            service(0xFF00, 1, [characteristic(0xFF01, 3, [.read, .write, .notify], [(0x2902, 4), (0x2904, 5)])])
        ])
        found.accesses = [
            3: AttributeAccess(handle: 3, reading: .refused(0x05), writing: .refused(0x0F)),
            4: AttributeAccess(handle: 4, writing: .refused(0x0D)),
            5: AttributeAccess(handle: 5, reading: .allowed, writing: .refused(0x03)),
        ]
        found.values = [3: .refused(0x81)]
        #expect(found.needsPairing && found.isProtected(3) && !found.isProtected(4))
        func declared(_ isAuthenticated: Bool) -> (RecordedAccessory, PeripheralCharacteristic) {
            found.pairing = .paired(
                .justWorks, Bond(isSecureConnections: true, isAuthenticated: isAuthenticated))
            let recorded = found.recording
            return (recorded, recorded.declaration.services[0].characteristics[0])
        }
        let (recorded, strong) = declared(true)
        #expect([strong.reading, strong.writing, strong.notifying] == [.authenticated, .encrypted, .none])
        #expect(strong.descriptors.map(\.isWritable) == [false], "2902 is Linux's own")
        #expect(recorded.refusals == [AttributePlace(service: 0, characteristic: 0): 0x81])
        #expect(declared(false).1.reading == .encrypted)
    }

    @Test("What was not seen is said")
    func notes() {
        var found = findings([])
        #expect(found.recording.notes == ["How it pairs is not known: nothing that was tried needs a paired phone."])
        #expect(!found.recording.isPairingKnown)
        found.pairing = .failed("nobody answered")
        #expect(found.recording.notes[0].contains("nobody answered"))
        // A value that can only be written: the probe does not write.
        var written = findings([
            service(0xFF00, 5, [characteristic(0xFF02, 7, .write), characteristic(0xFF03, 9, .write)])
        ])
        written.accesses[9] = AttributeAccess(handle: 9, writing: .refused(0x05))
        #expect(
            written.recording.notes.last
                == "Whether a write to these needs a paired phone is not known, for it was not tried: FF02.")
    }
}
