import DiceApp
import HIL

/// Keys of P-256 are good for Bluetooth alone: with that off, a notification fails rather than take the die's network.
let p256DieStaysOffItsNetwork = Scenario(
    "A die that has P-256 alone gets nothing over its network, and all of it over Bluetooth",
    .tags(.notifications, .wifi), .covers("S3", "T1"), .budget(.seconds(60))
) { lab in
    let (die, app, accessory) = try await lab.onlineDie(named: "Die 7", suites: [.p256])
    lab.expect(try await lab.notify(die, "By Bluetooth") == .bluetooth, "Bluetooth is there")

    let place = lab.phone.notifications.events.count
    try await lab.switchBluetooth(false)
    try await lab.forwarding(from: place, within: .seconds(10), waitingFor: "Bluetooth to be off") {
        $0 == .linkChanged(isUp: false)
    }
    let alerted = try await lab.step("post", within: .seconds(15)) { try await lab.post(.message("By Wi-Fi?")) }
    lab.expect(!alerted, "the phone takes it for not delivered")
    let told = lab.phone.notifications.events.events.dropFirst(place)
    lab.expect(told.contains { if case .failed = $0.kind { true } else { false } }, "and says so")
    lab.expect(!told.contains { if case .delivered = $0.kind { true } else { false } }, "no transport took it")
    lab.expect(lab.phone.network.link != nil, "though the phone is on the die's network")

    try await lab.switchBluetooth(true)
    lab.expect(try await lab.notify(die, "By Bluetooth again") == .bluetooth, "the next one arrives")
    withExtendedLifetime((app, accessory)) {}
}
