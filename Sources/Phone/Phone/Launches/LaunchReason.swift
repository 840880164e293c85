/// Why the phone launched an app by itself, in the background.
public struct LaunchReason: Sendable, Hashable, CustomStringConvertible {
    /// The event in words: `a value of FF01 from Lamp 7`.
    public var description: String
    /// The restore identifiers of the central managers that the app had, in alphabetical order: the app is expected to make
    /// them again.
    package var centrals: [String]
    /// Those of its peripheral managers.
    package var peripherals: [String]

    package init(_ description: String, centrals: [String], peripherals: [String]) {
        self.description = description
        self.centrals = centrals
        self.peripherals = peripherals
    }
}
