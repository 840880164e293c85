import RadioModel
import Testing

@testable import HILPhoneRadio

struct IdentitiesTests {
    @Test("A device whose bond is forgotten is at the private address that it still has")
    func forgotten() {
        let (privateAddress, identity) = (DeviceAddress("5A:64:A4:1B:25:D4")!, DeviceAddress("02:00:00:00:02:B8")!)
        let (otherPrivate, other) = (DeviceAddress("4A:64:A4:1B:25:D4")!, DeviceAddress("02:00:00:00:02:B9")!)
        var identities = Identities()
        identities.identify(privateAddress, as: identity)
        identities.identify(otherPrivate, as: other)
        #expect(identities.current(privateAddress) == identity)
        #expect(identities.current(identity) == identity)
        identities.forget(identity)
        #expect(identities.current(privateAddress) == privateAddress)
        #expect(identities.current(otherPrivate) == other)
    }
}
