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

extension Peripheral {
    /// An accessory with a little of everything that a recording can contain.
    static var hardToRecord: Peripheral {
        var advertising = PeripheralAdvertising(name: "Lamp \"7\" \\(0)", serviceUUIDs: [BluetoothUUID("FF00")!])
        advertising.manufacturerData = [0x004C: Data([1, 2, 3])]
        advertising.appearance = 0x0180
        let lamp = peripheral(
            named: advertising.name, advertising: advertising,
            services: [
                .service(
                    "FF00",
                    [
                        .characteristic(
                            "FF01", [.read, .write, .notify], value: Array(0..<40),
                            descriptors: [.userDescription("*/ \"\"\" \\(exit(1))\n#if")]),
                        .characteristic("FF02", [.read, .write], needs: .encrypted, value: Array("Lamp".utf8)),
                        .characteristic("FF03", [.read, .writeWithoutResponse], value: [1])
                            .needing(read: .authenticated),
                        .characteristic("FF04", [.write, .indicate], value: [9])
                            .needing(write: .authenticated, notify: .encrypted),
                        .characteristic("FF05", [.read]).onRead { _ in throw AccessRefusal(0x81) },
                    ], including: ["FF10"]),
                .service("FF10", [.characteristic("FF11", [.read], value: [7])], isPrimary: false),
            ])
        return lamp.linked(as: "Lamp of\u{202E} Kim")
    }

    fileprivate func value(of uuid: String) -> [UInt8] {
        services.flatMap(\.characteristics).first { $0.uuid == uuid }?.value ?? []
    }
}
