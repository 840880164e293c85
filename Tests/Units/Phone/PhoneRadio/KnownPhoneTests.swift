import HILBluetoothHost
import RadioModel
import Testing

@testable import HILPhone
@testable import HILPhoneRadio

@Suite("The iPhones that ship")
struct KnownPhoneTests {
    /// What a personality sets, as paths of the phone's Bluetooth.
    private func paths(_ phone: PhonePersonality) -> Set<String> {
        let names = ["phyMoment": "link.phyMoment", "phys": "link.phys", "dataLengthMoment": "link.dataLengthMoment"]
        let set = Mirror(reflecting: phone.bluetooth).children.filter {
            !Mirror(reflecting: $0.value).children.isEmpty
        }
        let mtu = phone.radio.mtu == RadioPersonality().mtu ? [] : ["link.mtu"]
        return Set(set.compactMap(\.label).map { names[$0] ?? $0 } + mtu)
    }

    @Test("Each value that a personality sets is among the sources of its model")
    func sources() {
        for phone in PhonePersonality.known {
            let model = PhoneModel.all.first { $0.identifier == phone.model }
            let known = Set(model?.habits.map(\.path) ?? [])
            #expect(paths(phone).isSubset(of: known), "\(phone.model): \(paths(phone).subtracting(known))")
        }
        #expect(paths(.iPhone6s) == ["link.mtu", "link.dataLengthMoment", "link.phyMoment"])
        #expect(paths(.iPhone11) == ["link.phys"])
    }

    @Test("Each model with a source ships, and each that ships is one model")
    func all() {
        let shipping = PhonePersonality.known.map(\.model)
        #expect(Set(shipping).count == shipping.count)
        #expect(PhoneModel.all.allSatisfy { shipping.contains($0.identifier) })
    }

    @Test("A model's Bluetooth differs from an iPhone's of today in the values of its sources, and in nothing else")
    func played() {
        let iPhone = HostPersonality.iPhone
        #expect(HostPersonality.iPhone(PhonePersonality.iPhoneXS.radio) == iPhone)
        var seven = iPhone
        seven.link.phyMoment = .never
        #expect(HostPersonality.iPhone(PhonePersonality.iPhone7.radio) == seven)
        var eleven = iPhone
        eleven.link.phys = [.twoMegabit, .coded]
        #expect(HostPersonality.iPhone(PhonePersonality.iPhone11.radio) == eleven)
        let six = HostPersonality.iPhone(PhonePersonality.iPhone6s.radio).link
        #expect(six.mtu == 185 && six.mtuWithoutDataLength == 185)
        #expect(six.dataLengthMoment == .never && six.phyMoment == .never)
    }
}
