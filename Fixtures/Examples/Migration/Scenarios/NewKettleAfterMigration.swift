import HIL
import KettleApp

let newKettleAfterMigration = Scenario(
    "After the migration a new kettle is picked, and the app uses both", .tags(.pairing),
    .attaches(.kettle(named: "Kettle 1"), named: "kettle"), .withoutAccessoryBoard
) { lab in
    let old = try await lab.kettleOfEarlierVersion()
    let app = try await lab.updatedApp(migrating: old)
    let second = try await lab.air.attach(.kettle(named: "Kettle 2"), named: "second")
    try await second.prints("Kettle 2 is on", within: .seconds(20))
    try await second.send("heat 70")
    lab.phone.person.will(.pick("Kettle 2"))
    app.model.addKettle()
    try await lab.step("add", within: .seconds(30)) {
        try await lab.becomes("the new kettle is connected as well") { app.model.temperatures.values.contains(70) }
    }
    lab.expect(app.kettles.count == 2 && app.kettles.contains(old), "the app has both kettles")
    lab.expect(lab.phone.shownNumbers.count, equals: 2, "each kettle was paired once")
}
