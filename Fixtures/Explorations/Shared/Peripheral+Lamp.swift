import HIL

extension Peripheral {
    /// A lamp as data, with the same service as those that are programs.
    static func lamp(
        pairing: PeripheralPairing = .none, needs: LinkProtection = .none,
        _ change: (inout Peripheral) -> Void = { _ in }
    ) -> Peripheral {
        var lamp = peripheral(
            named: "Lamp",
            services: [
                .service(
                    "FF00",
                    [
                        .characteristic("FF01", .write, needs: needs),
                        .characteristic("FF02", [.read, .notify], value: [0]),
                    ])
            ], pairing: pairing)
        change(&lamp)
        return lamp
    }
}
