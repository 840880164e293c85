import HIL
import HILCommand
import WeakAccessories

extension Room {
    /// Accessories with a weakness each, and their hardened twins: what `hil audit` has to find.
    static let weakAccessories = Room("weak-accessories") {
        [
            NamedScenario("openBrightness", file: "Access.swift", openBrightness),
            NamedScenario("silentPairing", file: "Pairing.swift", silentPairing),
        ]
    }
}
