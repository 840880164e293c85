import HILPhone

// The phone itself as the target: its app is a peripheral, and strangers come while the person uses it.
extension AuditScene {
    /// Whether the phone is attacked in place of an accessory.
    var isOfPhone: Bool { expectations.target == .phone }

    /// The phone, by the key that makes its private addresses.
    ///
    /// - Throws: ``OutOfReach`` if nothing here knows it.
    func phoneAsTarget() throws -> Bystanders.Target {
        guard let phone = lab.phoneIdentity else { throw OutOfReach.phoneOnBench }
        return Bystanders.Target(address: phone.address, resolvingKey: phone.resolvingKey)
    }

    /// The controls about what a phone does when its person agrees to pair.
    private static let agreeing: Set = ["pairing.legacy", "pairing.keySize", "pairing.debugKey", "pairing.invalidKey"]

    /// From now on the person refuses whoever wants to pair, because they have asked for nobody, unless the control is about
    /// what comes after they have agreed.
    func awaitStrangers(in check: AuditCheck) {
        let agrees = Self.agreeing.contains(check.control)
        note("strangers attack the phone, whose person \(agrees ? "agrees" : "refuses") to pair")
        lab.phone.person.onLook { screen in
            switch screen.kind {
            case .pairing: .does(agrees ? .allow : .deny)
            case .passkey: .does(agrees ? .confirmPasskey : .refusePasskey)
            // By its confirm value the phone goes on, whatever number that is for.
            case .passkeyEntry: .does(agrees ? .enterPasskey(0) : .cancel)
            case .passkeyDisplay: agrees ? .waits : .does(.cancel)
            default: .own
            }
        }
    }
}

extension AuditCheck {
    /// Why an audit of the phone cannot show the control; nil if it can.
    var lackOfPhone: OutOfReach? {
        switch control {
        case "access.replay", "air.whenSetUp", "pairing.ownersBond", "pairing.whenSetUp":
            OutOfReach(
                "a phone is not set up by an owner, and advertises because its app asks for it",
                instead: "audit an accessory")
        case _ where control.hasPrefix("life.") || control.hasPrefix("wifi.") || control == "robustness.ports":
            OutOfReach(
                "strangers meet the phone by Bluetooth, and nobody resets it", instead: "audit an accessory")
        default: nil
        }
    }
}

extension OutOfReach {
    static let phoneOnBench = OutOfReach(
        "strangers on a bench borrow the phone's own controller", instead: "audit the phone on virtual boards")

    static let silentPhone = OutOfReach(
        "the phone does not advertise when the scenario has ended",
        instead: "let an app that the scenario launches keep its CBPeripheralManager, and advertise")
}
