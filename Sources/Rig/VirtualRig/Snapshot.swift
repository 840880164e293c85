import BoardProtocol

/// Both boards as they were with agent and bluetoothd up and no radio attached.
public struct Snapshot: Sendable, Codable, Equatable {
    /// The folder with `host.state`, `accessory.state` and their seal.
    public let folder: String

    /// The file of a board's state.
    func file(of role: BoardRole) -> String { Snapshot.file(of: role, in: folder) }

    static func file(of role: BoardRole, in folder: String) -> String { "\(folder)/\(name(of: role))" }

    private static func name(of role: BoardRole) -> String { "\(role.rawValue).state" }

    /// Writes down what the files of a folder are like.
    static func seal(_ folder: String) throws {
        try Seal(of: folder).make(for: BoardRole.allCases.map(name))
    }

    /// Why the files are no longer what they were; nil when they are.
    func damage() -> String? { Seal(of: folder).damage(to: BoardRole.allCases.map(Snapshot.name)) }
}
