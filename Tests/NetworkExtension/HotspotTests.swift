import HostRadio
import RadioModel
import RuleCoverage
import Testing
import Timing

@testable import NetworkExtension
@testable import Phone

@Suite("NEHotspotConfigurationManager")
struct HotspotTests {
    /// An app that does nothing by itself.
    final class App: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.dice", folder: "\(repository)/Fixtures/DiceApp")
        static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        init() {}
    }

    private let radio = InMemoryRadio()
    private let clock = ManualClock()
    private let phone: Phone

    init() async throws {
        phone = Phone(radio: radio, clock: clock)
        _ = try await phone.launch(App.self)
    }

    @Test("A stranger's network needs the person's consent", .covers("W1"))
    func prompt() async throws {
        add("Die 7", .wpa2, "seven is a prime")
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        #expect(phone.shownScreens.map(\.kind) == [.joinNetwork])
        #expect(phone.network.link?.ssid == "Die 7" && phone.screen.isEmpty)
    }

    @Test("The network of an accessory that was set up needs none, by name or by prefix", .covers("W1"))
    func noPrompt() async throws {
        add("Die 7", .wpa3, "seven is a prime")
        phone.person.isWilling = false
        phone.store.set(
            AccessoryRecord(displayName: "Die", ssid: "Die 7", descriptor: DiscoveryDescriptor()),
            for: App.bundle.identifier)
        try await apply(NEHotspotConfiguration(ssidPrefix: "Die", passphrase: "seven is a prime", isWEP: false))
        #expect(phone.shownScreens.isEmpty && phone.network.link?.keyManagement == "SAE")
    }

    @Test(
        "A malformed name or passphrase is refused at once", .covers("W2"),
        arguments: [
            (NEHotspotConfiguration(ssid: ""), NEHotspotConfigurationError.invalidSSID),
            (NEHotspotConfiguration(ssid: String(repeating: "é", count: 17)), .invalidSSID),
            (NEHotspotConfiguration(ssidPrefix: "Di"), .invalidSSIDPrefix),
            (NEHotspotConfiguration(ssid: "Die", passphrase: "1234567", isWEP: false), .invalidWPAPassphrase),
            (
                NEHotspotConfiguration(ssid: "Die", passphrase: String(repeating: "g", count: 64), isWEP: false),
                .invalidWPAPassphrase
            ),
            (NEHotspotConfiguration(ssid: "Die", passphrase: "123456", isWEP: true), .invalidWEPPassphrase),
        ])
    func malformed(configuration: NEHotspotConfiguration, expected: NEHotspotConfigurationError) async throws {
        await expect(expected) { try await apply(configuration) }
        #expect(phone.shownScreens.isEmpty)
    }

    @Test(
        "A wrong passphrase, a network that is gone, or a refusal is an error, and the old network stays",
        .covers("W3"),
        arguments: [
            ("Die 7", "eight is not one", PersonAction.allow, NEHotspotConfigurationError.internal),
            ("Die 9", "seven is a prime", .allow, .internal), ("Die 7", "seven is a prime", .deny, .userDenied),
        ])
    func failure(
        ssid: String, passphrase: String, answer: PersonAction, expected: NEHotspotConfigurationError
    ) async throws {
        add("Home", .open)
        add("Die 7", .wpa2, "seven is a prime")
        try await apply(NEHotspotConfiguration(ssid: "Home"))
        phone.person.will(answer)
        async let joining: Void = expect(expected) {
            try await apply(NEHotspotConfiguration(ssid: ssid, passphrase: passphrase, isWEP: false))
        }
        if ssid == "Die 9" {
            for _ in 1..<phone.policy.hotspotScans {
                await clock.sleepers(atLeast: 1)
                clock.advance(by: phone.policy.wifiScanInterval)
            }
        }
        await joining
        #expect(phone.network.link?.ssid == "Home" && radio.link?.ssid == "Home")
        #expect(await phone.asCurrent { await NEHotspotConfigurationManager.shared.configuredSSIDs() } == ["Home"])
    }

    @Test("As a policy, a failure to join is silent, as developers have seen too", .covers("W3"))
    func silence() async throws {
        phone.policy.hotspotJoinFailure = .silence
        add("Die 7", .wpa2, "seven is a prime")
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "eight is not one", isWEP: false))
        #expect(phone.network.link == nil)
    }

    @Test(
        "The phone chooses the key management by what the network offers", .covers("W4"),
        arguments: WiFiSecurity.allCases)
    func security(security: WiFiSecurity) async throws {
        let passphrase = security == .open ? nil : "seven is a prime"
        add("Die 7", security, passphrase)
        try await apply(
            passphrase.map { NEHotspotConfiguration(ssid: "Die 7", passphrase: $0, isWEP: false) }
                ?? NEHotspotConfiguration(ssid: "Die 7"))
        let link = try #require(phone.network.link)
        #expect(link.keyManagement == (security == .open ? "NONE" : security == .wpa2 ? "WPA2-PSK" : "SAE"))
        #expect(try await phone.network.exchange(Data("roll".utf8), port: 80) == Data("rolled".utf8))
    }

    @Test("Configured networks are listed, forgotten and left; the joined one is already associated", .covers("W5"))
    func lifeCycle() async throws {
        add("Die 7", .open)
        add("Die 8", .open)
        try await apply(NEHotspotConfiguration(ssid: "Die 7"))
        await expect(.alreadyAssociated) { try await apply(NEHotspotConfiguration(ssid: "Die 7")) }
        try await apply(NEHotspotConfiguration(ssid: "Die 8"))
        let manager = NEHotspotConfigurationManager.shared
        #expect(await phone.asCurrent { await manager.configuredSSIDs() } == ["Die 7", "Die 8"])
        phone.asCurrent { manager.removeConfiguration(forSSID: "Die 8") }
        #expect(await phone.asCurrent { await manager.configuredSSIDs() } == ["Die 7"])
        #expect(phone.network.link == nil && radio.link == nil)
    }

    @Test("Wi-Fi switched off leaves the network, refuses to join, and joins again when it is on", .covers("W6"))
    func switchedOff() async throws {
        add("Die 7", .wpa2, "seven is a prime")
        add("Die 8", .open)
        try await apply(NEHotspotConfiguration(ssidPrefix: "Die 7", passphrase: "seven is a prime", isWEP: false))
        await phone.switchWiFi(false)
        #expect(phone.network.link == nil && radio.link == nil)
        await expect(.internal) { try await apply(NEHotspotConfiguration(ssid: "Die 8")) }
        #expect(phone.rigFaults.isEmpty, "off is a state of the phone")
        await phone.switchWiFi(true)
        _ = try await phone.log.first(within: .seconds(10), waitingFor: "the network to be joined again") {
            if case .note("Wi-Fi", let text) = $0.kind { text.contains("again") } else { false }
        }
        #expect(phone.network.link?.ssid == "Die 7" && radio.link?.ssid == "Die 7")
    }

    @Test("As a policy, or where the app has removed it, the network is not joined again", .covers("W6"))
    func notJoinedAgain() async throws {
        add("Die 7", .open)
        phone.policy.joinsAgainWhenWiFiIsOn = false
        try await apply(NEHotspotConfiguration(ssid: "Die 7"))
        for _ in 1...2 {
            await phone.switchWiFi(false)
            await phone.switchWiFi(true)
            // In order: by the answer it would have been joined.
            _ = await phone.asCurrent { await NEHotspotConfigurationManager.shared.configuredSSIDs() }
            #expect(phone.network.link == nil && radio.link == nil)
            phone.policy.joinsAgainWhenWiFiIsOn = true
            phone.asCurrent { NEHotspotConfigurationManager.shared.removeConfiguration(forSSID: "Die 7") }
        }
    }

    @Test("A network joined once is left when the app ends; the others outlive it", .covers("W5"))
    func joinOnce() async throws {
        add("Die 7", .open)
        let configuration = NEHotspotConfiguration(ssid: "Die 7")
        configuration.joinOnce = true
        try await apply(configuration)
        #expect(radio.link?.ssid == "Die 7")
        _ = try await phone.launch(App.self)
        #expect(await phone.asCurrent { await NEHotspotConfigurationManager.shared.configuredSSIDs() }.isEmpty)
        #expect(phone.network.link == nil && radio.link == nil)
    }

    @Test("The completion handler is called on the main queue, once; a background app is refused")
    func completion() async throws {
        add("Die 7", .open)
        phone.app?.isInForeground = false
        let code = await withCheckedContinuation { continuation in
            phone.asCurrent {
                NEHotspotConfigurationManager.shared.apply(NEHotspotConfiguration(ssid: "Die 7")) { error in
                    dispatchPrecondition(condition: .onQueue(.main))
                    continuation.resume(returning: (error as NSError?)?.code)
                }
            }
        }
        #expect(code == NEHotspotConfigurationError.applicationIsNotInForeground.rawValue)
    }

    private func add(_ ssid: String, _ security: WiFiSecurity, _ passphrase: String? = nil) {
        let network = WiFiNetwork(
            ssid: ssid, bssid: DeviceAddress("9C:5A:81:00:00:11")!, frequency: 2412, signal: -42, security: security)
        radio.add(.init(network, passphrase: passphrase) { _ in Data("rolled".utf8) })
    }

    private func apply(_ configuration: NEHotspotConfiguration) async throws {
        try await phone.asCurrent { try await NEHotspotConfigurationManager.shared.apply(configuration) }
    }

    private func expect(_ expected: NEHotspotConfigurationError, _ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("no error")
        } catch {
            let error = error as NSError
            #expect(error.domain == NEHotspotConfigurationErrorDomain && error.code == expected.rawValue)
        }
    }
}
