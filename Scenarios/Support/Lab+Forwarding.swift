import AccessorySetupKit
import DiceApp
import HIL

/// Setting up dice that get notifications, and checking deliveries.
extension Lab {
    /// Sets up a die. It gets the notifications of the apps that the person chooses.
    func forwardedDie(
        _ choice: PersonAction.ForwardingChoice = .all, suites: [DieConfiguration.CipherSuite] = [.xWing, .p256]
    ) async throws -> (die: Die, app: DiceApp) {
        let (die, app, accessory) = try await pairedDie(.die(named: "Die 7", cipherSuites: suites))
        try await forward(choice, to: accessory, in: app)
        try await die.events.next(.keysExchanged)
        // The die has its keys a moment before the phone knows. If the link ended in between, the phone would have no
        // keys.
        try await forwarding.next(.keysExchanged)
        return (die, app)
    }

    /// Sets up a die completely: paired, the phone on the die's network, and all notifications forwarded.
    ///
    /// - Parameter security: The security of the die's network. On an open one only the forwarding's encryption hides a
    ///   text.
    func onlineDie(
        security: WiFiSecurity = .open, suites: [DieConfiguration.CipherSuite] = [.xWing, .p256]
    ) async throws -> Die {
        let (die, app, accessory) = try await pairedDie(.die(named: "Die 7", security: security, cipherSuites: suites))
        try await step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
        try await forward(to: accessory, in: app)
        try await forwarding.next(.keysExchanged)
        return die
    }

    /// A home's Wi-Fi network. It is open, so that only the forwarding's encryption hides a text.
    static let home = "Home"

    /// Sets up a die at home. The phone is on the home's network, not on the die's.
    ///
    /// All notifications are forwarded to the die: over Bluetooth, and over the internet if the die has X-Wing.
    ///
    /// - Parameter security: The security of the die's own network; nil if it has none. The phone does not join it.
    func dieAtHome(
        security: WiFiSecurity? = nil, suites: [DieConfiguration.CipherSuite] = [.xWing, .p256]
    ) async throws -> (die: Die, app: DiceApp, accessory: ASAccessory) {
        try await internet.open(NetworkConfiguration(ssid: Lab.home, security: .open))
        let (die, app, accessory) = try await pairedDie(
            .die(named: "Die 7", security: security, cipherSuites: suites, relay: internet.address))
        try await goHome(app)
        try await forward(to: accessory, in: app)
        try await forwarding.next(.keysExchanged(suites.contains(.xWing) ? .xWing : .p256))
        if suites.contains(.xWing) { try await die.events.next(.relay(isReached: true)) }
        return (die, app, accessory)
    }

    /// The same with Bluetooth off on the phone, so that the internet is the only transport.
    func dieBehindRelay() async throws -> Die {
        let (die, _, _) = try await dieAtHome()
        try await switchBluetooth(false)
        return die
    }

    /// Lets the phone join the home's network.
    func goHome(_ app: DiceApp) async throws {
        phone.person.will(.allow)
        try await step("join the home's network", within: .seconds(15)) {
            try await app.joinWiFi(ssid: Lab.home, passphrase: nil)
        }
    }

    /// Lets the app ask the person which apps' notifications a die may show.
    func forward(
        _ choice: PersonAction.ForwardingChoice = .all, to accessory: ASAccessory, in app: DiceApp
    ) async throws {
        phone.person.will(.allowForwarding(choice))
        try await step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
    }

    /// Posts a message, waits until the die shows it, and records whether text and transport are right.
    func expectDelivery(
        of body: String, to die: Die, over transport: AccessoryTransport, _ text: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let way = try await notify(die, body)
        expect(way == transport, text, fileID: fileID, filePath: filePath, line: line)
    }

    /// Posts a message, waits until the die shows it, and records whether the text is right.
    ///
    /// - Returns: The transport by which it was delivered.
    func notify(_ die: Die, _ body: String) async throws -> AccessoryTransport {
        let mark = forwarding.mark
        phone.notifications.post(.init(app: "com.example.chat", title: "Kim", body: body))
        let shown = try await step("show", within: .seconds(20)) { try await die.screen.next() }
        expect(shown.body, equals: body, "the die shows what was written")
        return try await forwarding.next(.delivered, since: mark, within: .seconds(20))
    }

    /// Waits until the phone has its Bluetooth link to the die again, and notifications go over it instead of the
    /// network.
    func notifyUntilBluetoothServes(_ die: Die, since mark: EventLog<ForwardingEvent>.Mark) async throws {
        try await forwarding.next(.link(isUp: true), since: mark, within: .seconds(40))
        try await step("return to Bluetooth", within: .seconds(20)) {
            var number = 1
            while try await self.notify(die, "Back yet? \(number)") != .bluetooth { number += 1 }
        }
    }
}

/// How phone and die agree on keys for notifications.
let suites = Axis("suite", DieConfiguration.CipherSuite.allCases)
