import RigModel

/// The versions that boards have reported, by the system of the accessory board and the name of the rig.
final class KnownVersions: Sendable {
    private struct Key: Hashable {
        /// Nil without an accessory board.
        let system: BoardSystem?
        let rig: String?
    }

    private let memo = Memo<Key, [String: [String: String]]>()

    subscript(system: BoardSystem?, rig: String?) -> [String: [String: String]]? {
        get { memo[Key(system: system, rig: rig)] }
        set { memo[Key(system: system, rig: rig)] = newValue }
    }
}
