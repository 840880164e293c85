import AccessorySetupKit
import DiceApp
import DieLab
import Foundation
import HIL

extension Room {
    /// Three scenarios that pass, and fail for one cause each with `SEEDED_FAULTS=1` in the environment: for the page, which
    /// must let a stranger name the causes.
    static let seededFaults = Room("seeded-faults") {
        [
            NamedScenario("dieJoinsItsNetwork", file: "SeededFaults.swift", dieJoinsItsNetwork),
            NamedScenario("dieIsFoundAtOnce", file: "SeededFaults.swift", dieIsFoundAtOnce),
            NamedScenario("dieGoesOnRolling", file: "SeededFaults.swift", dieGoesOnRolling),
            NamedScenario("dieIsRenamed", file: "SeededFaults.swift", dieIsRenamed),
        ]
    }
}

/// Whether the accessory has its fault in this run.
private let isBroken = ProcessInfo.processInfo.environment["SEEDED_FAULTS"] == "1"

extension Lab {
    /// Lets the person pick a die in the dice app's picker, which pairs with it.
    fileprivate func pick(_ name: String, in app: DiceApp) async throws -> ASAccessory {
        phone.person.will(.pick(.named(name)))
        return try await step("pick and pair", within: .seconds(8)) { try await app.addDie(pairing: true) }
    }
}

/// Seeded: the die's access point has another passphrase than the one on its label, which the app knows.
let dieJoinsItsNetwork = Scenario(
    "The phone joins the network of a die by the passphrase on its label", .tags(.wifi, .smoke), .covers("W1", "W4")
) { lab in
    let label = "seven is a prime"
    let flashed = isBroken ? "seven is no prime" : label
    try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2, passphrase: flashed))
    let app = try await lab.phone.launch(DiceApp.self)
    _ = try await lab.pick("Die 7", in: app)
    try await lab.step("join", within: .seconds(8)) { try await app.joinWiFi(ssid: "Die 7", passphrase: label) }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
}

/// Seeded: the die begins to advertise seconds after it was switched on.
let dieIsFoundAtOnce = Scenario(
    "A die that was just switched on is found and picked", .tags(.discovery, .smoke), .covers("K1")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    async let die = switchOn(lab, after: isBroken ? .milliseconds(4700) : .zero)
    let began = ContinuousClock.now
    lab.phone.person.will(.pick(.named("Die 7")))
    let found = try await lab.step("pick and pair", within: .seconds(15)) { try await app.addDie(pairing: true) }
    lab.expect(found.displayName, equals: "Bluetooth Die", "the die that was picked")
    lab.expect(ContinuousClock.now - began < .seconds(4), "it is set up within 4 s of being switched on")
    try await die
}

private func switchOn(_ lab: Lab, after delay: Duration) async throws {
    try await Task.sleep(for: delay)
    try await lab.accessory.powerOn(.die(named: "Die 7"))
}

extension AccessoryProgram {
    /// Firmware beside the die's that sends bluetoothd a signal as a wild pointer in a plug-in of it would.
    fileprivate static let crasher = AccessoryProgram(
        named: "telemetry", command: ["sh", "-c", "sleep 0.3; kill -SEGV $(pidof bluetoothd)"], endsByItself: true)
}

/// Seeded: bluetoothd crashes on the accessory board between two rolls.
let dieGoesOnRolling = Scenario(
    "A die's rolls arrive one after the other", .tags(.pairing), .covers("C1", "C4")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let accessory = try await lab.pick("Die 7", in: app)
    _ = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    if isBroken { try await lab.accessory.run(.crasher) }
    for face: UInt8 in [3, 5, 2, 6, 1, 4] {
        let roll = try await lab.step("roll a \(face)", within: .seconds(3)) {
            try await die.roll(face)
            return try await app.nextRoll()
        }
        lab.expect(roll?.face, equals: face, "the app sees a \(face)")
        try await Task.sleep(for: .milliseconds(150))
    }
}

let dieIsRenamed = Scenario(
    "A die is picked and keeps the name that the app gives it", .tags(.discovery), .covers("A1")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let accessory = try await lab.pick("Die 7", in: app)
    lab.expect(accessory.displayName, equals: "Bluetooth Die", "the name that the app's item has")
}
