import DiceApp
import HIL

/// While the air is jammed a die is not found; once it is quiet, the picker that is still up finds it.
let airIsJammed = Scenario(
    "A die is found and picked once the jamming ends", .tags(.faults, .robustness, .discovery), .covers("D4"),
    .budget(.seconds(30))
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    let jammed = Duration.seconds(2)
    try await lab.air.withFault(.jammed(lasting: jammed)) {
        // Its first advertisement is the first packet that is lost.
        let began = ContinuousClock.now
        try await lab.accessory.powerOn(.die(named: "Die 7"))
        lab.phone.person.will(.pick("Die 7"))
        try await lab.step("pick", within: .seconds(10)) { try await app.addDie(pairing: false) }
        lab.expect(ContinuousClock.now - began >= jammed, "nothing was found while the air was jammed")
    }
    lab.expect(app.session.accessories.count, equals: 1, "the die is authorised")
}
