import BoardProtocol
import DiceApp
import HIL
import Phone

/// P-256 is for Bluetooth alone: a die that has nothing better is told nothing by another way, though it has one.
let notificationIsForBluetoothOnly = Scenario(
    "A die with P-256 gets no notification over the internet", .tags(.notifications, .wifi), .covers("S3", "T1"),
    .budget(.seconds(90))
) { lab in
    lab.phone.policy.notificationTries = 2
    let (die, app, accessory) = try await lab.dieAtHome(named: "Die 7", suites: [.p256])
    try await lab.switchBluetooth(false)
    let place = lab.phone.notifications.events.count
    lab.phone.notifications.post(.message("lost"))
    let why = try await lab.failure(since: place)
    lab.expect(why.contains("transportUnavailable"), "without Bluetooth it is given up: \(why)")
    lab.expect(!die.events.events.contains(.reachedRelay(true)), "the die attends no relay")

    let on = lab.phone.notifications.events.count
    try await lab.switchBluetooth(true)
    _ = try await lab.phone.notifications.events.first(
        from: on, within: .seconds(40), waitingFor: "the phone to be connected to the die again"
    ) { $0.kind == .linkChanged(isUp: true) }
    lab.phone.policy.notificationTries = 6
    lab.expect(try await lab.notify(die, "Over Bluetooth") == .bluetooth, "the next one arrives over Bluetooth")
    withExtendedLifetime((app, accessory)) {}
}
