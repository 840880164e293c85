import AccessorySetupKit
import BoardProtocol
import DiceApp
import DieLab
import HIL
import Phone
import RadioModel

extension Lab {
    /// The network of a home, open, so that only the forwarding keeps a text from who listens.
    static let home = "Home"

    /// A die that a new owner has set up, at home: all notifications are forwarded to it, over Bluetooth, and over the internet
    /// if it has X-Wing. The phone is on the home's network, which is not the die's.
    ///
    /// - Parameter security: Of a network of the die's own, which the phone is not on; nil for none.
    func dieAtHome(
        named name: String, security: WiFiSecurity? = nil,
        suites: [DieConfiguration.CipherSuite] = DieConfiguration.CipherSuite.allCases
    ) async throws -> (die: Die, app: DiceApp, accessory: ASAccessory) {
        try await internet.open(NetworkConfiguration(ssid: Lab.home, security: .open))
        let die = try await accessory.powerOn(
            .die(named: name, security: security, cipherSuites: suites, relay: internet.address))
        let (app, accessory) = try await pairedDie(named: name)
        try await goHome(app)
        phone.person.will(.allowForwarding(.all))
        try await step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
        let isXWing = suites.contains(.xWing)
        // The die has its keys before the phone has heard so, and a link that ends in between leaves the phone without.
        _ = try await phone.notifications.events.first(
            from: 0, within: .seconds(10), waitingFor: "the phone to have exchanged keys"
        ) { $0.kind == .keysExchanged(isXWing ? .xWing : .p256) }
        if isXWing {
            try await die.event(within: .seconds(10), waitingFor: "the die to reach its relay") {
                $0 == .reachedRelay(true)
            }
        }
        return (die, app, accessory)
    }

    /// The same once Bluetooth is off at the phone: the internet is the only way.
    func dieBehindRelay(named name: String) async throws -> (die: Die, app: DiceApp, accessory: ASAccessory) {
        let all = try await dieAtHome(named: name)
        try await switchBluetooth(false)
        return all
    }

    /// Records whether the die showed the notifications of these names one after the other, each once.
    func expectShown(on die: Die, inOrder names: [String]) {
        let screens = die.events.events.compactMap {
            if case .screen(let shown) = $0 { shown.map(\.identifier) } else { nil }
        }
        expect(
            screens, equals: names.indices.map { Array(names[...$0]) }, "the die showed them in order, each once")
    }

    /// Has the phone join the home's network.
    func goHome(_ app: DiceApp) async throws {
        phone.person.will(.allow)
        try await step("join the home's network", within: .seconds(15)) {
            try await app.joinWiFi(ssid: Lab.home, passphrase: nil)
        }
    }

    /// Waits until the phone gives a notification up, and tells why.
    func failure(since place: Int) async throws -> String {
        let event = try await phone.notifications.events.first(
            from: place, within: .seconds(40), waitingFor: "the phone to give a notification up"
        ) { if case .failed = $0.kind { true } else { false } }.event
        guard case .failed(let why) = event.kind else { return "" }
        return why
    }
}
