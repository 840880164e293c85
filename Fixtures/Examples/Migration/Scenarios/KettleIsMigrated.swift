import HIL
import KettleApp

let kettleIsMigrated = Scenario(
    "A kettle that was set up before AccessorySetupKit is migrated, and connected to without pairing again",
    .tags(.smoke, .pairing), .attaches(.kettle(named: "Kettle 1"), named: "kettle"), .withoutAccessoryBoard
) { lab in
    let kettle = try await lab.air.hostStack("kettle")
    let old = try await lab.kettleOfEarlierVersion()
    lab.expect(lab.phone.shownNumbers.count, equals: 1, "the person compared a number")
    try await kettle.prints("paired")

    let app = try await lab.updatedApp(migrating: old)
    lab.expect(lab.phone.shownScreens.contains { $0.kind == .migration }, "the person saw what was migrated")
    lab.expect(lab.phone.shownNumbers.count, equals: 1, "nobody had to pair again")

    try await kettle.send("heat 96")
    try await lab.becomes("the new version hears of a change") { app.model.temperatures[old] == 96 }

    let later = try await lab.phone.launch(KettleApp.self)
    try await lab.step("launch again", within: .seconds(20)) {
        try await lab.becomes("it connects at once") { later.model.temperatures[old] == 96 }
    }
    lab.expect(
        lab.phone.shownScreens.count { $0.kind == .migration }, equals: 1, "a migration happens only once")
}
