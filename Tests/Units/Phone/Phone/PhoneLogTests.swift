import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// The events that a phone's log keeps.
@Suite struct PhoneLogTests {
    @Test("Old advertisements are dropped from the log; all other events stay")
    func advertisements() throws {
        let phone = Phone(radio: InMemoryRadio(), clock: ManualClock())
        let device = try #require(DeviceAddress("9C:5A:81:00:00:07"))
        phone.record(.app("com.example.lamp", "launched"))
        let before = phone.log.count
        for rssi in 1...(Phone.keptAdvertisements + 10) {
            phone.record(.radio(.advertisement(Advertisement(address: device, rssi: -rssi))))
        }
        #expect(phone.log.count == before + Phone.keptAdvertisements + 10)
        let heard = phone.log.events.filter { if case .radio(.advertisement) = $0.kind { true } else { false } }
        #expect(heard.count <= Phone.keptAdvertisements && heard.count >= Phone.keptAdvertisements / 2)
        #expect(
            phone.log.events.contains { if case .app("com.example.lamp", "launched") = $0.kind { true } else { false } }
        )
    }
}
