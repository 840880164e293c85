import DiceApp
import HIL

/// Bluetooth that is lost in the middle of a message, or with the die's receipt for it, has the message arrive over Wi-Fi,
/// and once; the next one goes by Bluetooth again.
let notificationChangesTransport = Scenario(
    "A notification whose Bluetooth link is lost on the way arrives over Wi-Fi, and once",
    .tags(.notifications, .wifi, .faults, .robustness), .covers("T1", "T2", "S7"), .budget(.seconds(120))
) { lab in
    let (die, app, accessory) = try await lab.onlineDie(named: "Die 7", security: .wpa3)
    lab.expect(try await lab.notify(die, "Before") == .bluetooth, "Bluetooth is the first choice while it is there")

    // The second segment of a message; and a notification, of one value or several, by which a receipt comes.
    let losses: [(String, Traffic)] = [
        ("in the middle", .att(opcode: 0x52).sent(by: .host).and(.containing([0x10, 0x01]))),
        ("with the receipt", .any([.att(opcode: 0x1B), .att(opcode: 0x23)]).sent(by: .accessory)),
    ]
    for (name, traffic) in losses {
        let body = "Lost \(name): " + String(repeating: "die ", count: 1000)
        let (events, place) = (die.events.count, lab.phone.notifications.events.count)
        try await lab.air.withFault(.linkLoss(.bluetooth, at: traffic, lasting: .seconds(30))) {
            lab.expect(try await lab.notify(die, body) == .localNetwork, "lost \(name), it arrives over Wi-Fi")
        }
        let shown = die.events.events.dropFirst(events).filter { if case .screen = $0 { true } else { false } }
        lab.expect(shown.count, equals: 1, "lost \(name), it is shown once")
        lab.expect(die.screen.shown.filter { $0.body == body }.count, equals: 1, "lost \(name), it is there once")
        try await lab.notifyUntilBluetoothServes(die, since: place)
    }
    withExtendedLifetime((app, accessory)) {}
}
