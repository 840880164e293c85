import HIL

// Lamps over BlueZ on the accessory board, as data. They need no controllers beside the boards' own, so that a bench has them.

/// Everybody can follow the weak lamp by its public address.
package let followedLamp = Scenario(
    "A lamp is set up that hides behind private addresses", .audits(AuditExpectations(shows: .number)), over: Build.axis
) { lab, build in
    var lamp = Peripheral.lamp()
    lamp.hasPrivateAddress = build == .hardened
    try await lab.setUp(lamp)
}

/// The weak lamp's name has its serial number.
package let numberedLamp = Scenario(
    "A lamp is set up that has no number in its name", .audits(AuditExpectations(shows: .number)), over: Build.axis
) { lab, build in try await lab.setUp(.lamp(named: build == .weak ? "Lamp 4F2A19" : "Lamp")) }

/// The weak lamp gives a key to everybody near, although its brightness needs none.
package let needlessKeys = Scenario(
    "A lamp is set up whose brightness needs no key", .audits(AuditExpectations(open: ["FF01"], shows: .number)),
    over: Build.axis
) { lab, build in try await lab.setUp(.lamp(pairing: build == .weak ? .justWorks : .none, isOpen: true), pairs: false) }
