import BoardProtocol
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone
@testable import NetworkExtension

/// What becomes of a configuration after the app has applied it.
@Suite("Stored Wi-Fi configurations")
struct HotspotStoringTests {
    private let radio = InMemoryRadio()
    private let clock = ManualClock()
    private let phone: Phone

    init() async throws {
        phone = Phone(radio: radio, clock: clock)
        _ = try await phone.launch(HotspotTests.App.self)
    }

    // MARK: apply

    @Test(
        "apply succeeds when the configuration is stored: the network is absent, and only the person is told",
        .covers("W3", "W17"), arguments: [HostPolicy.HotspotCompletion.afterJoining, .whenStored])
    func stored(completion: HostPolicy.HotspotCompletion) async throws {
        phone.policy.hotspotCompletion = completion
        async let applied: Void = apply(NEHotspotConfiguration(ssid: "Die 9"))
        if completion == .whenStored {
            try await applied
            #expect(!phone.shownScreens.contains { $0.kind == .joinFailed }, "the phone still looks for it")
        }
        try await pass(scans: phone.policy.hotspotScans - 1)
        try await applied
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the alert") {
            if case .screen(let screen?) = $0.kind { screen.kind == .joinFailed } else { false }
        }
        #expect(phone.shownScreens.last { $0.kind == .joinFailed }?.title == "Unable to join the network “Die 9”")
        #expect(phone.network.link == nil)
        #expect(await configured() == ["Die 9"])
    }

    @Test("By a policy, nothing is stored if the attempt to join has failed", .covers("W17"))
    func notStored() async throws {
        phone.policy.hotspotCompletion = .internalError
        phone.policy.hotspotScans = 1
        await #expect(throws: NSError.self) { try await apply(NEHotspotConfiguration(ssid: "Die 9")) }
        #expect(await configured().isEmpty)
    }

    @Test(
        "A wrong passphrase for the network that the phone is on is alreadyAssociated, and changes nothing",
        .covers("W5"))
    func wrongWhileJoined() async throws {
        add("Die 7", .wpa2, "seven is a prime")
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        let asked = phone.shownScreens.count
        for passphrase in ["eight is not one", "seven is a prime"] {
            await expect(.alreadyAssociated) {
                try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: passphrase, isWEP: false))
            }
        }
        #expect(phone.shownScreens.count == asked && phone.network.link?.ssid == "Die 7")
        await phone.switchWiFi(false)
        await phone.switchWiFi(true)
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the first passphrase to serve again") {
            if case .note("Wi-Fi", let text) = $0.kind { text.contains("again") } else { false }
        }
    }

    // MARK: How long

    @Test("A network of joinOnce is left after 15 s in the background, not before", .covers("W5"))
    func joinOnce() async throws {
        add("Die 7", .open)
        let once = NEHotspotConfiguration(ssid: "Die 7")
        once.joinOnce = true
        try await apply(once)
        let app = try #require(phone.app)
        app.isInForeground = false
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(14_900))
        #expect(await configured() == ["Die 7"])
        app.isInForeground = true
        clock.advance(by: .seconds(60))
        #expect(await configured() == ["Die 7"], "an app that came back has 15 s again")
        app.isInForeground = false
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(15))
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the network to end") {
            if case .note("Wi-Fi", let text) = $0.kind { text.contains("joinOnce ends") } else { false }
        }
        #expect(await configured().isEmpty)
        #expect(phone.network.link == nil && radio.link == nil)
    }

    @Test("lifeTimeInDays counts from when it was stored; other numbers than 1 to 365 mean for ever", .covers("W5"))
    func lifeTime() async throws {
        phone.policy.hotspotScans = 1
        for (ssid, days) in [("Day", 1), ("Year", 365), ("Ever", 366), ("Zero", 0)] {
            let configuration = NEHotspotConfiguration(ssid: ssid)
            configuration.lifeTimeInDays = NSNumber(value: days)
            try await apply((configuration.copy() as? NEHotspotConfiguration) ?? configuration)
        }
        clock.advance(by: .seconds(86_399))
        #expect(await configured() == ["Day", "Year", "Ever", "Zero"])
        clock.advance(by: .seconds(1))
        #expect(await configured() == ["Year", "Ever", "Zero"])
        clock.advance(by: .seconds(364 * 86_400))
        #expect(await configured() == ["Ever", "Zero"])
    }

    // MARK: Returning

    @Test("A network that was lost and comes again on another channel is joined by itself", .covers("W18"))
    func returns() async throws {
        add("Die 7", .wpa2, "seven is a prime")
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        radio.removeNetwork(ssid: "Die 7")
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(4))
        // The first look was in vain; the next one is twice as late.
        await clock.sleepers(atLeast: 1)
        add("Die 7", .wpa2, "seven is a prime", frequency: 2462)
        clock.advance(by: .seconds(7))
        #expect(phone.network.link == nil)
        clock.advance(by: .seconds(1))
        try await returned()
        #expect(phone.network.link?.ssid == "Die 7" && radio.link?.ssid == "Die 7")
    }

    @Test(
        "It is not joined by itself after joinOnce, after the app has removed it, or if the policy says so",
        .covers("W18"))
    func doesNotReturn() async throws {
        for reason in ["once", "removed", "policy"] {
            add("Die 7", .open)
            let configuration = NEHotspotConfiguration(ssid: "Die 7")
            configuration.joinOnce = reason == "once"
            if reason == "policy" { phone.policy.networkReturnPause = nil }
            try await apply(configuration)
            radio.removeNetwork(ssid: "Die 7")
            _ = try await phone.log.first(within: .seconds(300), waitingFor: "the loss") {
                if case .radio(.wifiLost) = $0.kind { true } else { false }
            }
            add("Die 7", .open)
            if reason == "removed" {
                phone.asCurrent { NEHotspotConfigurationManager.shared.removeConfiguration(forSSID: "Die 7") }
            }
            _ = await configured()
            clock.advance(by: .seconds(600))
            _ = await configured()
            #expect(phone.network.link == nil && radio.link == nil, "\(reason)")
            phone.asCurrent { NEHotspotConfigurationManager.shared.removeConfiguration(forSSID: "Die 7") }
            radio.removeNetwork(ssid: "Die 7")
        }
    }

    @Test("A network that was not near when it was applied is joined when it comes", .covers("W17", "W18"))
    func comes() async throws {
        phone.policy.hotspotScans = 1
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        #expect(phone.network.link == nil)
        add("Die 7", .wpa2, "seven is a prime")
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(4))
        try await returned()
        #expect(phone.network.link?.ssid == "Die 7" && radio.link?.ssid == "Die 7")
        phone.asCurrent { NEHotspotConfigurationManager.shared.removeConfiguration(forSSID: "Die 7") }
        _ = await configured()
        #expect(phone.network.link == nil && radio.link == nil, "it is left with its configuration")
    }

    @Test("A network that came back with another passphrase is tried once", .covers("W18"))
    func refused() async throws {
        add("Die 7", .wpa2, "seven is a prime")
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        radio.removeNetwork(ssid: "Die 7")
        add("Die 7", .wpa2, "eight is not one")
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(4))
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the refusal") {
            if case .note("Wi-Fi", let text) = $0.kind { text.contains("again") } else { false }
        }
        radio.removeNetwork(ssid: "Die 7")
        add("Die 7", .wpa2, "seven is a prime")
        clock.advance(by: .seconds(600))
        _ = await configured()
        #expect(phone.network.link == nil, "an iPhone asks the person before it tries again")
    }

    // MARK: Security

    @Test("A hidden network is joined only by a configuration that says so", .covers("W4"))
    func hidden() async throws {
        phone.policy.hotspotScans = 1
        add("Die 7", .wpa2, "seven is a prime", isHidden: true)
        let configuration = NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false)
        try await apply(configuration)
        #expect(phone.network.link == nil)
        #expect(phone.network.nearMisses.contains { $0.reasons.contains { $0.contains("it hides its name") } })
        configuration.hidden = true
        try await apply(configuration)
        #expect(phone.network.link?.ssid == "Die 7")
    }

    @Test("SAE without protected management frames is refused with the bytes that were heard", .covers("W4"))
    func unprotected() async throws {
        phone.policy.hotspotScans = 1
        add("Die 7", .wpa3, "seven is a prime", capabilities: 0x0000)
        add("Die 8", .wpa2wpa3, "seven is a prime", capabilities: 0x000C)
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        #expect(phone.network.link == nil)
        #expect(
            phone.log.events.contains {
                guard case .note("Wi-Fi", let text) = $0.kind else { return false }
                return text.contains("SAE without protected management frames (RSN capabilities 0x0000)")
            })
        try await apply(NEHotspotConfiguration(ssid: "Die 8", passphrase: "seven is a prime", isWEP: false))
        #expect(phone.network.link?.keyManagement == "WPA2-PSK", "a mixed network is joined by WPA2")
    }

    @Test(
        "A network with TKIP is joined with a warning", .covers("W19"),
        arguments: [WiFiSecurity.wpa1, .wpa1wpa2, .wpa2])
    func weak(security: WiFiSecurity) async throws {
        add("Die 7", security, "seven is a prime", usesTKIP: true)
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        #expect(phone.network.link?.ssid == "Die 7")
        #expect(
            phone.log.events.contains {
                if case .warning("W19", let text) = $0.kind { text.hasPrefix("Weak Security: “Die 7”") } else { false }
            })
    }

    // MARK: Enterprise

    private func settings(_ types: [NEHotspotEAPSettings.EAPType] = [.EAPPEAP]) -> NEHotspotEAPSettings {
        let settings = NEHotspotEAPSettings()
        settings.supportedEAPTypes = types.map { NSNumber(value: $0.rawValue) }
        (settings.username, settings.password) = ("kim", "swordfish")
        return settings
    }

    @Test("An enterprise network is joined by a login; a network with a passphrase is not", .covers("W4"))
    func enterprise() async throws {
        phone.policy.hotspotScans = 1
        add("Campus", .wpa2Enterprise, password: "swordfish")
        add("Home", .wpa2, "an old friend")
        try await apply(NEHotspotConfiguration(ssid: "Campus", passphrase: "swordfish", isWEP: false))
        #expect(phone.network.link == nil)
        try await apply(NEHotspotConfiguration(ssid: "Home", eapSettings: settings()))
        #expect(phone.network.link == nil)
        try await apply(NEHotspotConfiguration(ssid: "Campus", eapSettings: settings([.EAPTTLS, .EAPPEAP])))
        #expect(phone.network.link?.keyManagement.contains("EAP") == true)
        #expect(await configured() == ["Home", "Campus"])
    }

    @Test("Settings that cannot work are refused at once", .covers("W2"))
    func refusedSettings() async throws {
        let once = NEHotspotConfiguration(ssid: "Campus", eapSettings: settings())
        once.joinOnce = true
        await expect(.joinOnceNotSupported) { try await apply(once) }
        let empty = NEHotspotEAPSettings()
        await expect(.invalidEAPSettings) { try await apply(NEHotspotConfiguration(ssid: "a", eapSettings: empty)) }
        await expect(.invalidEAPSettings) {
            try await apply(NEHotspotConfiguration(ssid: "a", eapSettings: settings([.EAPTLS])))
        }
        await expect(.invalidEAPSettings) {
            try await apply(NEHotspotConfiguration(ssid: "a", eapSettings: settings([.EAPFAST])))
        }
        let nowhere = NEHotspotHS20Settings(domainName: "", roamingEnabled: false)
        await expect(.invalidHS20DomainName) {
            try await apply(NEHotspotConfiguration(hs20Settings: nowhere, eapSettings: settings()))
        }
        #expect(!empty.setTrustedServerCertificates([]) && !empty.setTrustedServerCertificates(["no certificate"]))
        #expect(phone.shownScreens.isEmpty)
    }

    @Test("A Hotspot 2.0 provider is stored and listed, never joined, and forgotten by its domain", .covers("W17"))
    func hotspot20() async throws {
        let provider = NEHotspotHS20Settings(domainName: "wifi.example.com", roamingEnabled: true)
        try await apply(NEHotspotConfiguration(hs20Settings: provider, eapSettings: settings()))
        #expect(await configured() == ["wifi.example.com"])
        #expect(
            phone.log.events.contains {
                if case .note("Wi-Fi", let text) = $0.kind {
                    text.contains("Hotspot 2.0 is not simulated")
                } else {
                    false
                }
            })
        #expect(!phone.shownScreens.contains { $0.kind == .joinFailed }, "the phone attempted nothing")
        phone.asCurrent {
            NEHotspotConfigurationManager.shared.removeConfiguration(forHS20DomainName: "wifi.example.com")
        }
        #expect(await configured().isEmpty)
    }

    // MARK: -

    private func add(
        _ ssid: String, _ security: WiFiSecurity, _ passphrase: String? = nil, frequency: Int = 2412,
        isHidden: Bool = false, capabilities: UInt16? = nil, usesTKIP: Bool = false, password: String? = nil
    ) {
        var network = InMemoryRadio.Network(
            WiFiNetwork(
                ssid: ssid, bssid: DeviceAddress("9C:5A:81:00:00:11")!, frequency: frequency, signal: -42,
                security: security, rsnCapabilities: capabilities, usesTKIP: usesTKIP),
            passphrase: passphrase)
        (network.isHidden, network.password) = (isHidden, password)
        radio.add(network)
    }

    private func apply(_ configuration: NEHotspotConfiguration) async throws {
        try await phone.asCurrent { try await NEHotspotConfigurationManager.shared.apply(configuration) }
    }

    private func configured() async -> [String] {
        await phone.asCurrent { await NEHotspotConfigurationManager.shared.configuredSSIDs() }
    }

    private func pass(scans: Int) async throws {
        for _ in 0..<scans {
            await clock.sleepers(atLeast: 1)
            clock.advance(by: phone.policy.wifiScanInterval)
        }
    }

    private func returned() async throws {
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the network to be joined again") {
            if case .note("Wi-Fi", let text) = $0.kind {
                text.hasPrefix("joined") && text.contains("again")
            } else {
                false
            }
        }
    }
}
