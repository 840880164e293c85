import Foundation
import HILRecord
import PeripheralModel
import RadioModel
import Testing

@testable import HIL

/// What an accessory as data tells, in a scenario's story.
@Suite("The story of an accessory as data")
struct PeripheralStoryTests {
    private static let lamp = Peripheral.peripheral(
        named: "Lamp 7", services: [.service("FF00", [.characteristic("FF01", [.read, .write])])])

    private static func note(_ event: PeripheralEvent) -> AccessoryNote {
        AccessoryNote(accessory: "peripheral", adapter: .first, event.story(of: lamp))
    }

    @Test(
        "A passkey that it shows is found in its line again, also one of few digits",
        arguments: [7, 4711, 123_456] as [UInt32])
    func passkey(number: UInt32) { #expect(Self.note(.showsPasskey(number)).shownPasskey == number) }

    @Test("The numbers of a pairing have their leading zeros, as its person sees them")
    func zeros() {
        #expect(Self.note(.showsPasskey(53_979)).text == "shows passkey: 053979")
        #expect(Self.note(.compares(7)).text == "compares: 000007")
    }

    @Test("A number that is only compared, or read, is no passkey")
    func otherNumbers() {
        #expect(Self.note(.compares(123_456)).shownPasskey == nil)
        #expect(Self.note(.written(Data([1]), AttributePlace(service: 0, characteristic: 0))).shownPasskey == nil)
    }

    @Test("Attributes have their UUIDs, and values are bytes")
    func attributes() {
        let place = AttributePlace(service: 0, characteristic: 0)
        #expect(Self.note(.read(place)).text == "read: FF01")
        #expect(Self.note(.written(Data([0x0A, 0xFF]), place)).text == "written: 0A FF, FF01")
        #expect(Self.note(.read(AttributePlace(service: 4, characteristic: 0))).text == "read: an attribute")
    }
}
