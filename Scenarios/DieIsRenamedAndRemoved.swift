import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// A die is renamed while it is set up, by the app, and in Settings; the app removes it, and the person another time. Each
/// time the app is told, and the bond on the phone is gone with it.
let dieIsRenamedAndRemoved = Scenario(
    "A die is renamed and removed, by the app and by the person in Settings", .tags(.pairing),
    .covers("O1", "K12", "A5", "A6", "A7", "E1", "E2")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let item = try app.item(setup: .rename) { $0.supportedOptions = [.bluetoothPairingLE] }

    lab.phone.person.will(.pick("Die 7"), .rename("Lucky"), .rename("Luckier"))
    try await lab.step("set up", within: .seconds(15)) { try await app.session.showPicker(for: [item]) }
    lab.expect(app.told(since: 0).contains(.pickerSetupRename), "the app hears that the person is asked for a name")
    guard let first = app.session.accessories.first else { throw DiceAppError.missing("the accessory") }
    lab.expect(first.displayName, equals: "Lucky", "the die has the person's name")

    try await lab.step("rename", within: .seconds(5)) { try await app.session.renameAccessory(first) }
    lab.expect(app.session.accessories.map(\.displayName), equals: ["Luckier"], "the app renamed it")

    let beforeSettings = lab.phone.log.count
    lab.phone.person.will(.renameInSettings("Luckier", to: "Luckiest"))
    try await lab.step("rename in Settings", within: .seconds(5)) {
        try await lab.phone.told("accessoryChanged “Luckiest”", since: beforeSettings)
    }

    try await lab.step("remove", within: .seconds(10)) { try await app.session.removeAccessory(first) }
    lab.expect(app.events.last?.eventType, equals: .accessoryRemoved, "the app hears of the removal")
    lab.expect(app.session.accessories.isEmpty, "the die is gone")

    let place = lab.phone.log.count
    lab.phone.person.will(.pick("Die 7"), .rename("Sad"))
    let asked = lab.phone.shownNumbers.count
    try await lab.step("set up again", within: .seconds(20)) { try await app.session.showPicker(for: [item]) }
    lab.expect(lab.phone.shownNumbers.count > asked, "it is paired anew: the bond was gone")
    lab.phone.person.will(.removeInSettings("Sad"))
    try await lab.step("remove in Settings", within: .seconds(10)) {
        try await lab.phone.told("accessoryRemoved “Sad”", since: place)
    }
    lab.expect(app.session.accessories.isEmpty, "the die is gone again")
}
