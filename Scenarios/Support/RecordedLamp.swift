import HIL

// Recorded from the air by `hil record` on 2026-11-23 16:59 UTC. Change it as you like.
// Not seen on the air: networks, L2CAP channels, its own actions, and the meaning of values.
extension Peripheral {
    static let recorded = Peripheral.peripheral(
        named: "Lamp \"7\" \\(0)",
        advertising: PeripheralAdvertising(
            name: "Lamp \"7\" \\(0)",
            serviceUUIDs: [
                BluetoothUUID("FF00")!
            ],
            manufacturerData: [
                0x004C: Data([0x01, 0x02, 0x03])
            ],
            appearance: 0x0180),
        services: [
            .service(
                "FF00",
                [
                    .characteristic(
                        "FF01",
                        [.read, .write, .notify],
                        value: [
                            0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E,
                            0x0F,
                            0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E,
                            0x1F,
                            0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27,
                        ],
                        descriptors: [
                            .descriptor(
                                "2901",
                                value: [
                                    0x2A, 0x2F, 0x20, 0x22, 0x22, 0x22, 0x20, 0x5C, 0x28, 0x65, 0x78, 0x69, 0x74, 0x28,
                                    0x31, 0x29,
                                    0x29, 0x0A, 0x23, 0x69, 0x66,
                                ])
                        ]),
                    .characteristic(
                        "FF02",
                        [.read, .write],
                        value: [0x4C, 0x61, 0x6D, 0x70]
                    )
                    .needing(read: .encrypted, write: .encrypted),
                    .characteristic(
                        "FF03",
                        [.read, .writeWithoutResponse],
                        value: [0x01]
                    )
                    .needing(read: .authenticated),
                    .characteristic(
                        "FF04",
                        [.write, .indicate]
                    )
                    .needing(write: .authenticated, notify: .encrypted),
                    .characteristic(
                        "FF05",
                        [.read]
                    )
                    .onRead { _ in throw AccessRefusal(0x81) },
                ], including: ["FF10"]),
            .service(
                "FF10",
                [
                    .characteristic(
                        "FF11",
                        [.read],
                        value: [0x07])
                ], isPrimary: false),
        ],
        pairing: .numericComparison
    )
    .linked(as: "Lamp of\u{202e} Kim")
}
