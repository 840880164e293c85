// The listings of the article "Boards", which ArticleTests compares.

import HIL

let powerIsCut = Scenario("A lamp comes back after a power cut", .accessory(.lamp), .needs(.power)) { lab in
    try await lab.accessory.run(.lamp)
    try await lab.rig.withFault(.powerCut(on: .accessory)) {
        lab.expect(lab.rig.description.has(.power), "this rig has a switch")
    }
    try await lab.accessory.run(.lamp)
}

let diskIsFull = Scenario("A lamp with a full disk still works", .accessory(.lamp), .needs(.ownBoards)) { lab in
    let lamp = try await lab.accessory.run(.lamp)
    try await lab.rig.withFault(.diskFull(on: .accessory)) {
        try await lamp.send("on")
        try await lamp.prints("the light is on")
    }
}

let stateIsKept = Scenario("A lamp keeps its state over a power cut", .accessory(.lamp), .needs(.power)) { lab in
    let lamp = try await lab.accessory.run(.lamp)
    try await lamp.send("on")
    try await lamp.prints("the light is on")
    try await lab.rig.withFault(.powerCut(on: .accessory)) {}
    try await lamp.restart()
    try await lamp.prints("the light is on")
}
