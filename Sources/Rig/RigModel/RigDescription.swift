/// The capabilities of a rig, and the missing ones with the reasons. Every rig has two boards, each with an agent.
public struct RigDescription: Sendable, Hashable, Codable {
    /// The kind of rig: `virtual`.
    public let kind: String
    /// The capabilities that it lacks, each with the reason in words: `wpa_supplicant 2.10 does not have it`. The
    /// reason is empty if the rig simply lacks it.
    public let missing: [Capability: String]

    /// - Parameters:
    ///   - kind: The kind of rig: `virtual`.
    ///   - has: All capabilities that it has; it lacks all others.
    ///   - reasons: Why it lacks a capability.
    package init(_ kind: String, has: Set<Capability>, reasons: [Capability: String] = [:]) {
        self.kind = kind
        let lacks = Capability.allCases.filter { !has.contains($0) }
        missing = Dictionary(uniqueKeysWithValues: lacks.map { ($0, reasons[$0] ?? "") })
    }

    /// Whether the rig has this capability.
    public func has(_ capability: Capability) -> Bool { missing[capability] == nil }

    /// The capabilities among `needs` that the rig lacks, as an error to throw; nil if it has them all.
    package func lack(of needs: [Capability]) -> RigLacks? {
        let lacks = needs.filter { !has($0) }
        return lacks.isEmpty ? nil : RigLacks(kind: kind, lacks.map { ($0, missing[$0] ?? "") })
    }
}

/// A scenario needs a capability that its rig lacks. The scenario is skipped: neither the product nor the rig is at
/// fault.
package struct RigLacks: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The missing capabilities.
    package let capabilities: [Capability]
    /// One line for people: `the virtual rig lacks real air between antennas (its air is a program)`.
    package let description: String

    /// A lack of something that is not a capability of the rig: a hook of the accessory.
    package init(_ description: String) {
        capabilities = []
        self.description = description
    }

    init(kind: String, _ lacks: [(Capability, why: String)]) {
        capabilities = lacks.map(\.0)
        let parts = lacks.map { "\($0)" + ($1.isEmpty ? "" : " (\($1))") }
        description = "the \(kind) rig lacks " + parts.joined(separator: " and ")
    }
}
