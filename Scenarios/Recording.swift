import HIL

let accessoryIsRecorded = Scenario(
    "An accessory with hostile names and protected values is recorded; its recording, powered on again, looks the same",
    .tags(.pairing)
) { lab in
    let first = try await lab.accessory.powerOn(.hardToRecord)
    let found = try await lab.step("record", within: .seconds(40)) { try await lab.record(.named("Lamp \"7\" \\(0)")) }
    for uuid in ["FF01", "FF02", "FF03", "FF04"] {
        lab.expect(
            try await first.value(of: uuid), equals: Data(Peripheral.hardToRecord.value(of: uuid)),
            "recording has not changed the value of \(uuid)")
    }
    lab.expect(!first.events.contains(.written()), "and the accessory got no write")

    try await first.forgetBonds()
    try await lab.accessory.powerOn(.recorded)
    let again = try await lab.step("record again", within: .seconds(40)) {
        try await lab.record(.named("Lamp \"7\" \\(0)"))
    }
    lab.expect(again, equals: found, "the recording looks the same on the air")
}
