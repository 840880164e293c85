import CoreBluetooth
import DiceApp
import HIL

/// A die that is carried out of range while it rolls: the app hears that the link is lost, what is rolled out there is told to
/// nobody, and back in range the app connects again by the bond and sees the next roll.
let dieGoesOutOfRangeAndBack = Scenario(
    "A die that is carried out of range in the middle of its rolls, and back, rolls on", .tags(.robustness, .pairing),
    .covers("C4", "C6"), .budget(.seconds(60))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    let peripheral = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    let numbers = lab.phone.shownNumbers

    @MainActor func seeRoll(_ face: UInt8) async throws {
        let roll = try await lab.step("roll \(face)", within: .seconds(2)) {
            try await die.roll(face)
            return try await app.nextRoll()
        }
        lab.expect(roll?.face, equals: face, "the app sees the \(face)")
    }

    for face: UInt8 in [6, 1] { try await seeRoll(face) }
    try await lab.air.separate()
    try await die.roll(2)
    let lost = try await lab.step("lose the link", within: .seconds(10)) { try await app.nextRoll() }
    lab.expect(lost == nil, "the app hears that the link is lost, and of no roll")
    lab.expect(peripheral.state, equals: .disconnected, "the peripheral is disconnected")

    try await lab.air.setDistance(1)
    try await lab.step("connect again", within: .seconds(10)) { try await app.connect(accessory) }
    try await lab.step("subscribe again", within: .seconds(5)) { try await app.watchRolls() }
    for face: UInt8 in [4, 3] { try await seeRoll(face) }
    lab.expect(lab.phone.shownNumbers, equals: numbers, "the bond is the same: nobody compared a number again")
}
