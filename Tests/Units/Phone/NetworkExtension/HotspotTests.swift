import BoardProtocol
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone
@testable import NetworkExtension

@Suite("NEHotspotConfigurationManager")
struct HotspotTests {
    /// An app without any code of its own.
    final class App: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.dice", folder: fixture("DiceApp"))
        init() {}
    }

    private let radio = InMemoryRadio()
    private let clock = ManualClock()
    private let phone: Phone

    init() async throws {
        phone = Phone(radio: radio, clock: clock)
        _ = try await phone.launch(App.self)
    }

    @Test("An unknown network needs the person's consent", .covers("W1"))
    func prompt() async throws {
        add("Die 7", .wpa2, "seven is a prime")
        try await apply(NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false))
        #expect(phone.shownScreens.map(\.kind) == [.joinNetwork])
        #expect(phone.network.link?.ssid == "Die 7" && phone.screen.isEmpty)
    }

    @Test("The network of an accessory that was set up needs no consent, by name or by prefix", .covers("W1"))
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
        "By a policy, a wrong passphrase or a missing network is an error; the phone stays on its network",
        .covers("W3", "W17"),
        arguments: [
            ("Die 7", "eight is not one", PersonAction.allow, NEHotspotConfigurationError.internal),
            ("Die 9", "seven is a prime", .allow, .internal), ("Die 7", "seven is a prime", .deny, .userDenied),
        ])
    func failure(
        ssid: String, passphrase: String, answer: PersonAction, expected: NEHotspotConfigurationError
    ) async throws {
        phone.policy.hotspotCompletion = .internalError
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

    @Test(
        "The phone chooses the key management that the network offers", .covers("W4"),
        arguments: WiFiSecurity.allCases.filter { $0 != .wpa2Enterprise })
    func security(security: WiFiSecurity) async throws {
        let passphrase = security == .open || security == .enhancedOpen ? nil : "seven is a prime"
        add("Die 7", security, passphrase)
        try await apply(
            passphrase.map { NEHotspotConfiguration(ssid: "Die 7", passphrase: $0, isWEP: false) }
                ?? NEHotspotConfiguration(ssid: "Die 7"))
        let link = try #require(phone.network.link)
        let expected: [WiFiSecurity: String] = [
            .open: "NONE", .enhancedOpen: "OWE", .wpa1: "WPA-PSK", .wpa1wpa2: "WPA2-PSK", .wpa2: "WPA2-PSK",
        ]
        #expect(link.keyManagement == expected[security] ?? "SAE")
        #expect(try await phone.network.exchange(Data("roll".utf8), port: 80) == Data("rolled".utf8))
    }

    @Test(
        "Configured networks are listed, forgotten and left; joining the current one is alreadyAssociated",
        .covers("W5"))
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

    @Test(
        "A second request of an app is pending; the request of an app that has ended does not hold its next launch up",
        .timeLimit(.minutes(1)))
    func pending() async throws {
        add("Die 7", .open)
        phone.person.isWilling = false
        let first = Task { try await apply(NEHotspotConfiguration(ssid: "Die 7")) }
        _ = try await phone.log.first(
            EventPattern<PhoneEvent, Void>("the question") {
                if case .screen(let screen) = $0.kind, screen?.kind == .joinNetwork { () } else { nil }
            })
        await expect(.pending) { try await apply(NEHotspotConfiguration(ssid: "Die 7")) }
        phone.terminateApp()
        first.cancel()
        _ = try await phone.launch(App.self)
        phone.person.will(.allow)
        // The phone asks for the ended app first, and joins.
        await expect(.alreadyAssociated) { try await apply(NEHotspotConfiguration(ssid: "Die 7")) }
        #expect(phone.network.link?.ssid == "Die 7")
    }

    @Test("Switching Wi-Fi off leaves the network and refuses to join; switching it on joins again", .covers("W6"))
    func switchedOff() async throws {
        add("Die 7", .wpa2, "seven is a prime")
        add("Die 8", .open)
        try await apply(NEHotspotConfiguration(ssidPrefix: "Die 7", passphrase: "seven is a prime", isWEP: false))
        await phone.switchWiFi(false)
        #expect(phone.network.link == nil && radio.link == nil)
        phone.policy.hotspotCompletion = .internalError
        await expect(.internal) { try await apply(NEHotspotConfiguration(ssid: "Die 8")) }
        #expect(phone.rigFaults.isEmpty, "Wi-Fi that is off is not an error of the rig")
        await phone.switchWiFi(true)
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the network to be joined again") {
            if case .note("Wi-Fi", let text) = $0.kind { text.contains("again") } else { false }
        }
        #expect(phone.network.link?.ssid == "Die 7" && radio.link?.ssid == "Die 7")
    }

    @Test("The network is not joined again if the policy says so or the app has removed it", .covers("W6"))
    func notJoinedAgain() async throws {
        add("Die 7", .open)
        phone.policy.joinsAgainWhenWiFiIsOn = false
        try await apply(NEHotspotConfiguration(ssid: "Die 7"))
        for _ in 1...2 {
            await phone.switchWiFi(false)
            await phone.switchWiFi(true)
            // Requests are handled in order: when this one is answered, the network would have been joined.
            _ = await phone.asCurrent { await NEHotspotConfigurationManager.shared.configuredSSIDs() }
            #expect(phone.network.link == nil && radio.link == nil)
            phone.policy.joinsAgainWhenWiFiIsOn = true
            phone.asCurrent { NEHotspotConfigurationManager.shared.removeConfiguration(forSSID: "Die 7") }
        }
    }

    @Test("A network with joinOnce is left when the app ends", .covers("W5"))
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
        let told = EventPattern<PhoneEvent, Void>("what the app is told") {
            if case .told(_, let text) = $0.kind, text.hasPrefix("joining “Die 7”: ") { () } else { nil }
        }
        #expect(phone.log.contains(told), "the log has it")
    }

    @Test("A network whose name is not UTF-8 is joined by its own bytes, unless a policy hides it", .covers("W11"))
    func latinName() async throws {
        add("Küche", .open, encoding: .windowsLatin1)
        (phone.policy.readsWindowsLatin1Names, phone.policy.hotspotScans) = (false, 1)
        phone.policy.hotspotCompletion = .internalError
        await expect(.internal) { try await apply(NEHotspotConfiguration(ssid: "Küche")) }
        phone.policy.readsWindowsLatin1Names = true
        try await apply(NEHotspotConfiguration(ssid: "Küche"))
        #expect(phone.network.link?.ssid == "Küche")
    }

    /// A part of the phone that looks at the log while the phone handles the loss of its network.
    private final class LogReader: PhoneComponent {
        unowned let phone: Phone
        /// Whether the loss was in the log: when this part learned of it, then when it received it.
        let found = EventLog<Bool>()

        init(phone: Phone) { self.phone = phone }

        private func look(_ event: RadioEvent) {
            guard case .wifiLost = event else { return }
            found.append(phone.log.events.contains { if case .radio(.wifiLost) = $0.kind { true } else { false } })
        }

        func learn(_ event: RadioEvent) { look(event) }
        func receive(_ event: RadioEvent) { look(event) }
    }

    @Test("Parts learn of the network's loss before it is in the log, so that its readers find the phone on no network")
    func lossIsKnown() async throws {
        let reader = phone.part(LogReader.self)
        let calls = EventLog<Bool>()
        let watch = phone.network.watchLink { [phone] in calls.append(phone.network.link != nil) }
        defer { withExtendedLifetime(watch) {} }
        add("Die 7", .open)
        try await apply(NEHotspotConfiguration(ssid: "Die 7"))
        radio.removeNetwork(ssid: "Die 7")
        _ = try await calls.first(within: .seconds(300), waitingFor: "the loss") { !$0 }
        #expect(calls.events == [true, false])
        phone.network.learn(.wifiLost(ssid: "Die 7", reason: ""))
        phone.network.receive(.wifiLost(ssid: "Die 7", reason: ""))
        #expect(calls.count == 2, "a second loss is none")
        _ = try await reader.found.first(within: .seconds(300), waitingFor: "the loss in the log") { $0 }
        #expect(reader.found.events == [false, true])
    }

    private func add(
        _ ssid: String, _ security: WiFiSecurity, _ passphrase: String? = nil, encoding: NameEncoding = .utf8
    ) {
        let network = WiFiNetwork(
            ssid: ssid, bssid: DeviceAddress("9C:5A:81:00:00:11")!, frequency: 2412, signal: -42, security: security,
            encoding: encoding)
        radio.add(.init(network, passphrase: passphrase) { _ in Data("rolled".utf8) })
    }

    private func apply(_ configuration: NEHotspotConfiguration) async throws {
        try await phone.asCurrent { try await NEHotspotConfigurationManager.shared.apply(configuration) }
    }
}
