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
        let isSo: @Sendable (Screen) -> Bool = { screen in
            screen.kind == .picker && screen.entries.count == count && screen.lines == lines
        }
        try await step("picker \(when)", within: .seconds(15)) {
            if self.phone.screen.last.map(isSo) == true { return }
            let place = self.phone.log.count
            _ = try await self.phone.log.first(
                from: max(0, place - 1), within: .seconds(15), waitingFor: "a picker with \(count) accessories"
            ) { if case .screen(let screen?) = $0.kind { isSo(screen) } else { false } }
        }
    }
}

extension Phone {
    /// Whether the phone's kernel told of a bond since the log had so many events.
    func isBonded(since place: Int) -> Bool {
        log.events.dropFirst(place).contains { if case .radio(.bonded) = $0.kind { true } else { false } }
    }
}
