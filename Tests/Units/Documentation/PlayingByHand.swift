// The listings of the article "Playing by hand", which ArticleTests compares.

import HIL

let lampInYourHand = Scenario("A lamp and a phone in your hand", .tags(.play), .accessory(.lamp)) { lab in
    try await lab.accessory.run(.lamp)
    let app = try await lab.phone.launch(LampApp.self)
    try await lab.offer(
        AppButton("Add Lamp") { _ = try await app.add() },
        AppButton("Add Another") { _ = try await app.add() })
}

let eveningWithALamp = Scenario(
    "A lamp and a phone in your hand, played by hand", .tags("played"), playing: lampInYourHand
) { person in
    try await person.presses("Add Lamp")
    try await person.does(.cancel, on: .picker)
    try await person.finishes("Add Lamp", failing: "The person cancelled the picker.")
    try await person.presses("Add Lamp")
    try await person.does(.pick("Lamp"), on: .picker)
    try await person.does(.done, on: .setupComplete)
    try await person.finishes("Add Lamp")
}
