import HIL

/// The boards come up, the accessory goes on the air, and the phone's radio hears it.
let dieIsSwitchedOn = Scenario("A die that is switched on goes on the air", .tags(.smoke)) { lab in
    let die = try await lab.step("switch on", within: .seconds(5)) {
        try await lab.accessory.powerOn(.die(named: "Die 7"))
    }
    lab.expect(die.screen.shown.isEmpty, "nothing is shown yet")
}
