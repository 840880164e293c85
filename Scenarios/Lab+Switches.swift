import AccessorySetupKit
import DiceApp
import HIL
import Phone

extension Lab {
    /// Has the app set a die up, which is to fail with connectionFailed and leave nothing.
    func expectSetupToFail(_ why: String, by app: DiceApp) async throws {
        try await expect(
            throwing: ASError.self, "\(why): the app gets connectionFailed", where: { $0.code == .connectionFailed }
        ) {
            _ = try await step("set up in vain, \(why)", within: .seconds(15)) { try await app.addDie() }
        }
        expect(app.session.accessories.isEmpty, "\(why): no accessory is authorised")
        expect(!phone.bluetoothIsOn, "\(why): Bluetooth is off")
    }
}

extension Lab {
    /// Waits until the picker offers so many accessories and says just this, beside its title.
    func picker(offers count: Int, saying lines: [String], _ when: String) async throws {
        try await step("picker \(when)", within: .seconds(16)) {
            let what = "a picker with \(count) accessories that says \(lines)"
            try await self.phone.shows(what, since: self.phone.screenPlace, within: .seconds(15)) { screen in
                screen.kind == .picker && screen.entries.count == count && screen.lines == lines
            }
        }
    }
}

extension Phone {
    /// Waits until the radio tells that Bluetooth is off, and gives the place in the log after that.
    func bluetoothGoes(since place: Int) async throws -> Int {
        try await log.first(from: place, within: .seconds(5), waitingFor: "Bluetooth to be off") {
            if case .radio(.bluetoothPower(false)) = $0.kind { true } else { false }
        }.next
    }

    /// Whether the phone's kernel told of a bond since the log had so many events.
    func isBonded(since place: Int) -> Bool {
        log.events.dropFirst(place).contains { if case .radio(.bonded) = $0.kind { true } else { false } }
    }
}
