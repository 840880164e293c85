import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// A picker that comes up with the radios off, and lives through their being switched off and on: it says what is off, offers
/// nothing that is reached by it, and finds the die as soon as it is on.
let pickerOutlivesSwitches = Scenario(
    "A picker says which radio is off, and goes on looking once it is on",
    .tags(.discovery, .robustness, .wifi), .covers("K1", "K18"), .budget(.seconds(60))
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.isWilling = false

    try await lab.switchBluetooth(false)
    let byBluetooth = Task { try await app.addDie() }
    let bluetoothHint = "Turn on Bluetooth in Settings to find accessories."
    try await lab.picker(offers: 0, saying: [bluetoothHint], "with Bluetooth off")
    try await lab.switchBluetooth(true)
    try await lab.picker(offers: 1, saying: [], "with Bluetooth on")
    try await lab.switchBluetooth(false)
    try await lab.picker(offers: 0, saying: [bluetoothHint], "with Bluetooth off again")
    try await lab.switchBluetooth(true)
    try await lab.picker(offers: 1, saying: [], "with Bluetooth on again")
    lab.phone.person.isWilling = true
    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pair", within: .seconds(15)) { try await byBluetooth.value }
    lab.expect(accessory.state, equals: .authorized, "the die that came back is set up")

    lab.phone.person.isWilling = false
    let byWiFi = Task { try await app.addDie(describedBy: .network(prefix: "Die")) }
    try await lab.picker(offers: 1, saying: [], "with Wi-Fi on")
    try await lab.switchWiFi(false)
    try await lab.picker(offers: 0, saying: ["Turn on Wi-Fi in Settings to find accessories."], "with Wi-Fi off")
    try await lab.switchWiFi(true)
    try await lab.picker(offers: 1, saying: [], "with Wi-Fi on again")
    lab.phone.person.isWilling = true
    lab.phone.person.will(.pick("Die 7"))
    let network = try await lab.step("add the network", within: .seconds(15)) { try await byWiFi.value }
    lab.expect(network.ssid, equals: "Die 7", "the network that came back is set up")
}
