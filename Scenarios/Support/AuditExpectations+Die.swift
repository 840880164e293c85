import HIL

extension AuditExpectations {
    /// A die shows a number to compare. Everybody may read its rolls, and what kind of die it is.
    static let die = AuditExpectations(
        open: [DieGATT.roll.uuid, DieGATT.info.uuid], shows: .number,
        ports: [.tcp(7007), .tcp(7008)],
        accepting: [
            "air.privateAddress": "Linux advertises with its public address unless its maker says otherwise",
            "air.whenSetUp": "another phone of the household finds it by its name",
            "wifi.isolation": "guests of a die's network may play with each other",
            "pairing.debugKey": "Linux keeps no bond that was made with it",
            "pairing.legacy": "Linux offers it, and what a die protects needs a key of LE Secure Connections",
            "robustness.attributes": "bluetoothd 5.82 ends after thousands of packets, which is BlueZ's to mend",
            "robustness.connections": "Linux may stop advertising after a link that ends at once, which is its to mend",
            "robustness.occupied": "it serves one phone at a time, which may stay as long as it likes",
            "pairing.guesses": "each attempt has a number of its own, one of a million",
        ])
}
