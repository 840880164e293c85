import HILAudit

extension AuditCheck {
    /// Why an audit of a device on the desk, without a scenario, cannot show the control; nil if it can.
    var lackOnDesk: OutOfReach? {
        switch control {
        case "access.replay", "air.data", "air.whenSetUp", "pairing.ownersBond", "pairing.whenSetUp":
            OutOfReach(
                "nobody here is the owner of a device on the desk, and nothing tells whether it is set up",
                instead: "audit a scenario that sets it up")
        case _ where control.hasPrefix("life."):
            OutOfReach(
                "nothing here resets a device on the desk, or sets it up", instead: "audit a scenario that sets it up")
        case "pairing.capabilities":
            OutOfReach(
                "nobody declares what a device on the desk shows",
                instead: "audit a scenario with `.audits(AuditExpectations(shows: …))`")
        default: lackOnBench
        }
    }
}

extension AuditFinding {
    /// The matrix says what is open, and nothing says what is meant to be.
    static let undeclared = outOfReach(
        "nobody declares what a device on the desk means to allow: the matrix says what is open",
        instead: "read the matrix, or audit a scenario with `.audits(AuditExpectations(open: …))`")
}
