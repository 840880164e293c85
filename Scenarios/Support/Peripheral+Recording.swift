import HIL

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

    func value(of uuid: String) -> [UInt8] {
        services.flatMap(\.characteristics).first { $0.uuid == uuid }?.value ?? []
    }
}
