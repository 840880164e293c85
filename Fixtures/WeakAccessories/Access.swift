import HIL

/// Everybody may set the weak lamp's brightness.
package let openBrightness = Scenario(
    "A lamp is set up whose brightness is its owner's", .audits(AuditExpectations(shows: .number)), over: Build.axis
) { lab, build in try await lab.setUp(.lamp(isOpen: build == .weak)) }

/// The lamp's brightness is for everybody, which its maker accepts.
package let acceptedBrightness = Scenario(
    "A lamp is set up whose brightness is for everybody",
    .audits(AuditExpectations(shows: .number, accepting: ["access.matrix": "the lamp hangs outside"]))
) { lab in try await lab.setUp(.lamp(isOpen: true)) }

extension Peripheral {
    /// A lamp with a brightness.
    static func lamp(
        named name: String = "Lamp", pairing: PeripheralPairing = .numericComparison, isOpen: Bool = false
    ) -> Peripheral {
        peripheral(
            named: name,
            services: [
                .service(
                    "FF00",
                    [.characteristic("FF01", [.read, .write], needs: isOpen ? .none : .authenticated, value: [10])])
            ], pairing: pairing)
    }
}
