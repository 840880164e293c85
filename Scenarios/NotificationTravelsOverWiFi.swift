import DiceApp
import HIL

/// With Bluetooth off a notification reaches the die over the die's own network, and is no more to be read there than over
/// Bluetooth, to which the phone returns when it is on again.
let notificationTravelsOverWiFi = Scenario(
    "With Bluetooth off a notification reaches the die over its own network, encrypted",
    .tags(.notifications, .wifi), .covers("S3", "S6", "T1", "N3"), .budget(.seconds(90))
) { lab in
    let (die, app, _) = try await lab.onlineDie(named: "Die 7")
    lab.expect(
        try await lab.notify(die, "Still by Bluetooth?") == .bluetooth,
        "Bluetooth is the first choice while it is there")

    try await lab.switchBluetooth(false)
    let secrets = ["Dinner at eight?", "Bring the blue dice, all seven of them."]
    for secret in secrets {
        lab.expect(try await lab.notify(die, secret) == .localNetwork, "it went over the network")
    }
    let size = 200_000
    let long = String(repeating: "die ", count: size / 4)
    lab.expect(try await lab.notify(die, long) == .localNetwork, "so does one of \(size) bytes")

    // The same way, without the app's encryption: a search that did not find this would prove nothing.
    try await die.roll(5)
    let roll = try await lab.step("ask over IP", within: .seconds(5)) { try await lab.askDieOverIP() }
    lab.expect(try await lab.air.captured(containing: "ROLL 1 \(roll.face)"), "the capture holds the roll in the clear")
    for secret in secrets {
        lab.expect(!(try await lab.air.captured(containing: secret)), "“\(secret)” is nowhere in the capture")
    }

    let off = lab.phone.notifications.events.count
    try await lab.switchBluetooth(true)
    try await lab.notifyUntilBluetoothServes(die, since: off)
    withExtendedLifetime(app) {}
}
