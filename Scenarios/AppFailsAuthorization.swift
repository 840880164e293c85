import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// An app that finds its die unfit says so: the picker shows it, and nothing of the die is left on the phone.
let appFailsAuthorization = Scenario(
    "An authorisation that the app fails is taken back", .tags(.pairing), .covers("A3", "O2", "K10")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let item = try app.item(setup: .confirmAuthorization) { $0.supportedOptions = [.bluetoothPairingLE] }

    lab.phone.person.will(.pick("Die 7"), .confirmPasskey)
    let picker = Task { try await app.session.showPicker(for: [item]) }
    try await lab.step("pick", within: .seconds(15)) { try await lab.phone.told("accessoryAdded", since: 0) }
    guard let waiting = app.session.accessories.first else { throw DiceAppError.missing("the accessory") }
    try await lab.step("pair", within: .seconds(10)) {
        try await app.connect(waiting)
        _ = try await app.readOwner()
    }
    try await lab.expect(
        throwing: ASError.self, "the picker ends with connectionFailed", where: { $0.code == .connectionFailed }
    ) {
        try await lab.step("fail", within: .seconds(10)) {
            try await app.session.failAuthorization(for: waiting)
            try await picker.value
        }
    }
    lab.expect(lab.phone.shownScreens.contains { $0.kind == .setupFailed }, "the picker shows the failure")
    lab.expect(
        app.events.map(\.eventType).suffix(3), equals: [.accessoryRemoved, .pickerSetupFailed, .pickerDidDismiss],
        "the app hears that the die is taken back")
    lab.expect(app.session.accessories.isEmpty, "the app has nothing")
}
