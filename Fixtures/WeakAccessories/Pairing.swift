import HIL

/// The weak lamp can neither show nor ask anything, although its box says that it shows a number.
package let silentPairing = Scenario(
    "A lamp is set up that shows a number", .audits(AuditExpectations(shows: .number)), over: Build.axis
) { lab, build in try await lab.setUp(.lamp(pairing: build == .weak ? .justWorks : .numericComparison)) }
