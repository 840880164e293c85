import DiceApp
import HIL
import RadioModel

/// With Bluetooth off, a network that is lost in the middle of a message costs nothing but time: it arrives over Bluetooth
/// once that is on again, and once.
let notificationOutlivesNetwork = Scenario(
    "A notification whose network is lost on the way arrives over Bluetooth, and once",
    .tags(.notifications, .wifi, .faults, .robustness), .covers("T1", "T2"), .budget(.seconds(90))
) { lab in
    // Time to have Bluetooth back: the person switches it on when the network is gone.
    lab.phone.policy.notificationTries = 6
    let (die, app, accessory) = try await lab.onlineDie(named: "Die 7", security: .wpa2)
    try await lab.switchBluetooth(false)
    lab.expect(try await lab.notify(die, "Over Wi-Fi") == .localNetwork, "with Bluetooth off it goes over Wi-Fi")

    let body = "Lost in the middle: " + String(repeating: "die ", count: 5_000)
    let place = lab.phone.notifications.events.count
    let (events, lost) = (die.events.count, lab.phone.log.count)
    try await lab.air.withFault(.linkLoss(.wifi, at: .data.sent(by: .host), lasting: .seconds(15))) {
        lab.phone.notifications.post(.init(app: "com.example.chat", title: "Kim", body: body))
        try await lab.phone.notices("the network to be lost", since: lost, within: .seconds(15)) {
            if case .wifiLost = $0 { true } else { false }
        }
        try await lab.switchBluetooth(true)
        let shown = try await lab.step("show", within: .seconds(20)) { try await die.screen.next(within: .seconds(20)) }
        lab.expect(shown.body, equals: body, "the die shows what was written")
    }
    lab.expect(try await lab.deliveries(1, since: place) == [.bluetooth], "it arrived over Bluetooth")
    let shown = die.events.events.dropFirst(events).filter { if case .screen = $0 { true } else { false } }
    lab.expect(shown.count, equals: 1, "it is shown once")
    withExtendedLifetime((app, accessory)) {}
}
