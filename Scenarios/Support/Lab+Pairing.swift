import AccessorySetupKit
import DiceApp
import HIL

extension Lab {
    /// Lets the app pick a die with a picker that waits for the app, and then pair by reading or writing a protected
    /// value.
    func pairInApp(
        _ app: DiceApp, _ item: ASPickerDisplayItem, before pairing: (ASAccessory) -> Void = { _ in }
    ) async throws -> (waiting: ASAccessory, picker: Task<Void, any Error>) {
        phone.person.will(.pick("Die 7"), .confirmPasskey)
        let picker = Task { try await app.session.showPicker(for: [item]) }
        try await step("pick", within: .seconds(15)) { try await self.phone.log.next(.told("accessoryAdded")) }
        let waiting = try require(app.session.accessories.first, "the app has the accessory that was picked")
        pairing(waiting)
        try await step("pair", within: .seconds(10)) {
            try await app.connect(waiting)
            _ = try await app.readOwner()
        }
        return (waiting, picker)
    }
}
