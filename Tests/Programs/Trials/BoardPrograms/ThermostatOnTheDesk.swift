import CoreBluetooth
import HIL

/// Needs a thermostat that somebody else has switched on, as the tests of benches do.
let thermostatOnTheDesk = Scenario(
    "A device that nobody logs in to is found, picked, read, and pressed by a hook",
    .tags(.discovery), .accessory(hooks: .robotFinger), .needs(.hook(.press))
) { lab in
    let thermostat = lab.accessory.blackBox(named: "Thermostat", hooks: .robotFinger)
    let app = try await lab.phone.launch(ThermostatApp.self)
    lab.phone.person.will(.pick("Thermostat"))
    let accessory = try await lab.step("pick", within: .seconds(15)) { try await app.add() }
    let identifier = try lab.require(accessory?.bluetoothIdentifier, "the picked accessory has an identifier")
    try await lab.step("read", within: .seconds(10)) {
        let probe = CentralProbe()
        let peripheral = try await probe.connect(identifier)
        let temperature = try peripheral.found("7E570001-1C2B-4E0A-9F4B-6D1E0C5A8B21")
        peripheral.readValue(for: temperature)
        lab.expect(try await probe.next(.value), equals: Data("21".utf8), "the temperature is read")
    }
    try await thermostat.press()
}

extension AccessoryHooks {
    /// What presses the button of a device on the desk; here nobody looks at it.
    fileprivate static let robotFinger = AccessoryHooks(press: .onRunner(["true"]))
}
