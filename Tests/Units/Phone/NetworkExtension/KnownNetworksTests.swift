import Foundation
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// The networks that the person joins in Settings.
@Suite("Known networks")
struct KnownNetworksTests {
    private let radio = InMemoryRadio()
    private let clock = ManualClock()
    private let phone: Phone

    init() { phone = Phone(radio: radio, clock: clock) }

    private func open(_ ssid: String, signal: Int = -42) {
        let network = WiFiNetwork(
            ssid: ssid, bssid: DeviceAddress("9C:5A:81:00:00:11")!, frequency: 2412, signal: signal, security: .wpa2)
        radio.add(.init(network, passphrase: "seven is a prime") { _ in Data() })
    }

    @Test("A network that the person joined is joined again when it is back", .covers("W21"))
    func back() async throws {
        open("Home")
        let link = try await phone.knownNetworks.join(ssid: "Home", passphrase: "seven is a prime")
        #expect(link.ssid == "Home" && phone.network.link == link)
        radio.removeNetwork(ssid: "Home")
        // It has looked for it once, in vain.
        await clock.sleepers(atLeast: 1)
        #expect(phone.network.link == nil)
        open("Home")
        clock.advance(by: phone.policy.wifiScanInterval)
        try await phone.log.wait(for: "the phone to be back") { phone.network.link?.ssid == "Home" }
    }

    @Test("With another passphrase it is not joined, and not known", .covers("W21"))
    func wrongPassphrase() async throws {
        open("Home")
        await #expect(throws: RadioError.wrongPassphrase(ssid: "Home")) {
            try await phone.knownNetworks.join(ssid: "Home", passphrase: "eight is none")
        }
        #expect(phone.network.link == nil)
    }

    @Test("The strongest known network is joined, and none that was forgotten", .covers("W21"))
    func strongest() async throws {
        for (ssid, signal) in [("Home", -60), ("Garden", -50), ("Hotel", -30)] { open(ssid, signal: signal) }
        for ssid in ["Hotel", "Garden", "Home"] {
            _ = try await phone.knownNetworks.join(ssid: ssid, passphrase: "seven is a prime")
        }
        phone.knownNetworks.forget(ssid: "Hotel")
        radio.removeNetwork(ssid: "Home")
        try await phone.log.wait(for: "another network to be joined") {
            phone.network.link.map { $0.ssid != "Home" } == true
        }
        #expect(phone.network.link?.ssid == "Garden")
    }
}
