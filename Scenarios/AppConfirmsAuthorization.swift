import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// A die with Bluetooth and Wi-Fi: the picker hands it to the app, which pairs by touching a protected value, reads the
/// network over the link, and finishes the authorisation with it. Joining it then asks nobody.
let appConfirmsAuthorization = Scenario(
    "An app pairs a die itself and finishes its authorisation with the die's network",
    .tags(.pairing, .wifi), .covers("O2", "O3", "A2", "K12", "W1", "C1")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
    let app = try await lab.phone.launch(DiceApp.self)
    let item = try app.item(setup: [.confirmAuthorization, .finishInApp]) {
        $0.supportedOptions = [.bluetoothPairingLE]
        $0.ssidPrefix = "Die"
    }

    lab.phone.person.will(.pick("Die 7"), .confirmPasskey)
    let picker = Task { try await app.session.showPicker(for: [item]) }
    try await lab.step("pick", within: .seconds(15)) { try await lab.phone.told("accessoryAdded", since: 0) }
    guard let waiting = app.session.accessories.first else {
        throw DiceAppError.missing("the accessory that was picked")
    }
    lab.expect(waiting.state, equals: .awaitingAuthorization, "the die waits for the app")
    lab.expect(waiting.ssid == nil, "nobody knows its network yet")
    lab.expect(!die.isBonded, "the picker does not pair")

    try await lab.step("pair", within: .seconds(10)) {
        try await app.connect(waiting)
        _ = try await app.readOwner()
    }
    let bond = try await die.bond(within: .seconds(2))
    lab.expect(bond.isAuthenticated, "the person compared the numbers")

    let settings = ASAccessorySettings.default
    settings.ssid = "Die 7"
    try await lab.step("finish", within: .seconds(5)) {
        try await app.session.finishAuthorization(for: waiting, settings: settings)
        try await picker.value
    }
    lab.expect(
        app.events.map(\.eventType),
        equals: [
            .activated, .pickerDidPresent, .accessoryAdded, .pickerSetupPairing, .accessoryChanged, .pickerDidDismiss,
        ], "the events tell how it went")
    lab.expect(app.session.accessories.map(\.state), equals: [.authorized], "the die is authorised")
    lab.expect(
        lab.phone.shownScreens.last { $0.kind == .setupComplete }?.lines, equals: ["Finish the setup in the app."],
        "the picker says to go on in the app")

    try await lab.step("join", within: .seconds(15)) {
        try await app.joinWiFi(ssid: "Die 7", passphrase: "seven is a prime")
    }
    lab.expect(!lab.phone.shownScreens.contains { $0.kind == .joinNetwork }, "nobody was asked for the network")
}
