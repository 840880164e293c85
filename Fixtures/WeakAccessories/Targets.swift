import HIL

// Accessories that are audited by their names, one of each sort, with a weakness each.

extension Peripheral {
    /// Everybody may set its brightness.
    package static let openLamp = lamp(isOpen: true)

    /// A lock that advertises its company alone, and whose person enters the number that the phone shows. Everybody may open it.
    package static let silentLock = {
        var lock = lamp(named: "Silent", pairing: .entersPasskey, isOpen: true)
        lock.advertising = PeripheralAdvertising(name: lock.name, manufacturerData: [0x02E5: Data([7])])
        return lock
    }()
}

extension HostStack {
    /// A lamp over Bumble that pairs without LE Secure Connections.
    package static let legacyLamp = lamp("Legacy", .weak, by: "keys.py")
}

extension AccessoryProgram {
    /// A lock that pairs with everybody who says that the numbers are the same.
    package static let lock = AccessoryProgram(
        named: "lock", files: "Fixtures/Lock", command: ["./lock.sh"], ready: .line(containing: " is on"),
        within: .seconds(60))
}

extension AuditExpectations {
    /// What the lamp's maker says of it.
    package static let legacyLamp = AuditExpectations(
        shows: .number, accepting: ["pairing.guesses": "a number is for one attempt"],
        reset: { lab in
            let lamp = try await lab.air.hostStack("accessory")
            let mark = lamp.lines.mark
            try await lamp.send("reset")
            try await lamp.prints("was reset", since: mark)
        })
    package static let openLamp = AuditExpectations(shows: .number)
    package static let silentLock = AuditExpectations(shows: .keyboard)
    package static let lock = AuditExpectations(shows: .number, pairsWhenSetUp: .always)
}
