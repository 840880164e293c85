import HIL

extension Room {
    /// The phone's Bluetooth host and the host stacks of others.
    static let hostStackInterop = Room("host-stack-interop") {
        [
            NamedScenario("otherStackPairs", file: "OtherStackPairs.swift", otherStackPairs),
            NamedScenario("otherStackIsRefused", file: "OtherStackIsRefused.swift", otherStackIsRefused),
        ]
    }
}
