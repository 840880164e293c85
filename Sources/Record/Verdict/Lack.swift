/// What a rig lacks that a scenario needs.
package struct Lack: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The names of the missing capabilities: `air`; none if it is an accessory that lacks something.
    package let capabilities: [String]
    /// One line for people: `the virtual rig lacks real air between antennas (its air is a program)`.
    package let description: String

    package init(_ description: String, capabilities: [String] = []) {
        self.description = description
        self.capabilities = capabilities
    }
}
