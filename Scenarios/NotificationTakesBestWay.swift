import BoardProtocol
import HIL
import Phone
import RadioModel

/// A die that is there over Bluetooth, on its own network, and over the internet is told over the best of what there is.
let notificationTakesBestWay = Scenario(
    "A notification takes Bluetooth before the die's network, and that before the internet",
    .tags(.notifications, .wifi), .covers("T1", "T2"), .budget(.seconds(120))
) { lab in
    let (die, app, accessory) = try await lab.dieAtHome(named: "Die 7", security: .wpa2)
    lab.expect(try await lab.notify(die, "In reach") == .bluetooth, "with all of them there it is Bluetooth")

    try await lab.step("join the die", within: .seconds(15)) { try await app.joinWiFi(of: accessory) }
    try await lab.switchBluetooth(false)
    lab.expect(try await lab.notify(die, "On its network") == .localNetwork, "on the die's network it is that")

    try await lab.goHome(app)
    lab.expect(try await lab.notify(die, "At home") == .internet, "elsewhere it is the internet")

    let place = lab.phone.notifications.events.count
    try await lab.switchBluetooth(true)
    try await lab.notifyUntilBluetoothServes(die, since: place)
}
