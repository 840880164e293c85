import AccessorySetupKit
import BoardProtocol
import DiceApp
import DieLab
import HIL
import Phone
import RadioModel

extension Lab {
    /// A die that a new owner has set up whole: paired, the phone on its network, and all notifications forwarded to it.
    ///
    /// - Parameter security: Of its network. On an open one nothing but the forwarding keeps a text from who listens.
    func onlineDie(
        named name: String, security: WiFiSecurity = .open, suites: [DieConfiguration.CipherSuite] = [.xWing, .p256]
    ) async throws -> (die: Die, app: DiceApp, accessory: ASAccessory) {
        let die = try await accessory.powerOn(.die(named: name, security: security, cipherSuites: suites))
        let (app, accessory) = try await pairedDie(named: name)
        try await step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
        phone.person.will(.allowForwarding(.all))
        try await step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
        // The die has its keys before the phone has heard so, and a link that ends in between leaves the phone without.
        try await forwarding(within: .seconds(10), waitingFor: "the phone to have exchanged keys") {
            if case .keysExchanged = $0 { true } else { false }
        }
        return (die, app, accessory)
    }

    /// Posts a notification and waits until the die shows it.
    ///
    /// - Returns: The transport by which it was delivered.
    func notify(
        _ die: Die, _ body: String, within limit: Duration = .seconds(20)
    ) async throws -> ForwardingTransport {
        let place = phone.notifications.events.count
        phone.notifications.post(.init(app: "com.example.chat", title: "Kim", body: body))
        let shown = try await step("show", within: limit) { try await die.screen.next(within: limit) }
        expect(shown.body, equals: body, "the die shows what was written")
        return try await deliveries(1, since: place, within: limit)[0]
    }

    /// Waits until the phone has its Bluetooth link to the die back, and notifications go over it: until then they take the
    /// network.
    func notifyUntilBluetoothServes(_ die: Die, since place: Int) async throws {
        _ = try await phone.notifications.events.first(
            from: place, within: .seconds(40), waitingFor: "the phone to be connected to the die again"
        ) { $0.kind == .linkChanged(isUp: true) }
        try await step("return to Bluetooth", within: .seconds(20)) {
            var number = 1
            while try await self.notify(die, "Back yet? \(number)") != .bluetooth { number += 1 }
        }
    }

    /// With which attempt of the phone each message was delivered, from a place in its events on.
    func attempts(since place: Int) -> [Int] {
        phone.notifications.events.events.dropFirst(place).compactMap {
            if case .delivered(_, let attempt, _) = $0.kind { attempt } else { nil }
        }
    }

    /// The transports of so many deliveries.
    func deliveries(
        _ count: Int, since place: Int, within limit: Duration = .seconds(20)
    ) async throws -> [ForwardingTransport] {
        var (place, found) = (place, [ForwardingTransport]())
        while found.count < count {
            let next = try await phone.notifications.events.first(
                from: place, within: limit, waitingFor: "the phone to hear that a notification was delivered"
            ) { if case .delivered = $0.kind { true } else { false } }
            place = next.next
            if case .delivered(_, _, let transport) = next.event.kind { found.append(transport) }
        }
        return found
    }
}
