import AccessorySetupKit
import CoreBluetooth
import HIL

extension AccessoryProgram {
    /// A shell script with a bluetoothd of its own.
    static let thermostat = AccessoryProgram(
        named: "thermostat", files: "Tests/Programs/Trials/BoardPrograms/Accessory",
        command: ["./thermostat.sh", "Thermostat"],
        owns: [.bluetoothd], ready: .advertisement, within: .seconds(30),
        hooks: AccessoryHooks(
            press: .onBoard(["sh", "-c", "echo pressed >button"]), version: .onRunner(["echo", "1.2.3"]),
            logs: .onBoard(["cat", "main.conf"])))
}

let thermostatIsFound = Scenario(
    "A program with a bluetoothd of its own is found, picked and read, takes input and gives files back",
    .tags(.discovery), .accessory(.thermostat, startsWithBoard: true), .needs(.hook(.press))
) { lab in
    let thermostat = try await lab.step("start", within: .seconds(40)) { try await lab.accessory.run(.thermostat) }
    let app = try await lab.phone.launch(ThermostatApp.self)
    lab.phone.person.will(.pick("Thermostat"))
    let accessory = try await lab.step("pick") { try await app.add() }
    let identifier = try lab.require(accessory?.bluetoothIdentifier, "the picked accessory has an identifier")
    try await lab.step("read") {
        let probe = CentralProbe()
        let peripheral = try await probe.connect(identifier)
        let temperature = try peripheral.found("7E570001-1C2B-4E0A-9F4B-6D1E0C5A8B21")
        peripheral.readValue(for: temperature)
        lab.expect(try await probe.next(.value), equals: Data("21".utf8), "the temperature is read")
    }
    try await thermostat.send("warmer")
    lab.expect(
        try await thermostat.prints("heard"), equals: "heard warmer", "standard input and output lead to the program")
    lab.expect(
        try await thermostat.fetch("last-word"), equals: Data("warmer\n".utf8), "a file of the program is fetched")
    try await thermostat.press()
    lab.expect(try await thermostat.fetch("button"), equals: Data("pressed\n".utf8), "the button was pressed")
}
