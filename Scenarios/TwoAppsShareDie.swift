import AccessorySetupKit
import DiceApp
import DieProtocol
import HIL
import Phone

/// Another team's app for the same die.
@MainActor
private final class OtherApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        var bundle = DiceApp.bundle
        bundle.identifier = "com.example.other"
        return bundle
    }

    let session = ASAccessorySession()

    init() async throws { session.activate(on: .main) { _ in } }
}

/// A die that one app has set up shows the name it got then in another app's picker.
let twoAppsShareDie = Scenario(
    "A die that another app has set up keeps its name and picture", .tags(.discovery), .covers("K13", "A1")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let first = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.will(.pick("Die 7"), .rename("Kim's Die"), .pick("Kim's Die"))
    let named = try first.item(setup: .rename)
    try await lab.step("set up", within: .seconds(15)) { try await first.session.showPicker(for: [named]) }

    let other = try await lab.phone.launch(OtherApp.self)
    lab.expect(other.session.accessories.isEmpty, "what one app has, the other has not")
    let item = try first.item()
    try await lab.step("set up in the other app", within: .seconds(15)) {
        try await other.session.showPicker(for: [item])
    }
    lab.expect(other.session.accessories.map(\.displayName), equals: ["Kim's Die"], "the die has the name it got")
}
