import HIL

/// Does not declare what it needs, so its rig finds out at the call.
let undeclaredPowerCut = Scenario("A scenario that did not declare that it cuts the power is skipped") { lab in
    try await lab.rig.withFault(.powerCut(on: .accessory)) { lab.note("the power is off") }
}
