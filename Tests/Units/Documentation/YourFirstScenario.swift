// The listings of the article "Your first scenario", which ArticleTests compares.

import HIL

let lampAnswers = Scenario("A lamp is found, and its app connects to it", .tags(.smoke), .accessory(.lamp)) { lab in
    try await lab.accessory.run(.lamp)
    let app = try await lab.phone.launch(LampApp.self)
    lab.phone.person.will(.pick("Lamp"))
    let lamp = try await lab.step("add", within: .seconds(15)) { try await app.add() }
    lab.expect(lamp?.state, equals: .authorized, "the app may use the lamp")
}

let lampIsFoundFarAway = Scenario(
    "A lamp is found at a distance", .accessory(.lamp), .needs(.distance), over: Axis("distance", [1.0, 8.0])
) { lab, distance in
    try await lab.accessory.run(.lamp)
    try await lab.air.setDistance(distance)
    let app = try await lab.phone.launch(LampApp.self)
    lab.phone.person.will(.pick("Lamp"))
    try await lab.step("add", within: .seconds(15)) { _ = try await app.add() }
}

let packetIsLost = Scenario("A packet that is lost is sent again", .accessory(.lamp), .needs(.air)) { lab in
    try await lab.accessory.run(.lamp)
    let app = try await lab.phone.launch(LampApp.self)
    lab.phone.person.will(.pick("Lamp"))
    try await lab.air.withFault(.dropped(.data)) {
        try await lab.step("add", within: .seconds(30)) { _ = try await app.add() }
    }
}
