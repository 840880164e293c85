/// The boards of a bench.
package struct BenchAddress: Sendable, Hashable, Codable {
    /// The name in reports and messages: `pi-host+pi-acc`, or the name of a place.
    package var name: String
    /// The board that is the phone's radio.
    package var host: BoardAddress
    /// The board that runs the accessory; nil if the accessory is a device without a login.
    package var accessory: BoardAddress?

    /// - Parameter name: By default the names of its boards.
    package init(name: String? = nil, host: BoardAddress, accessory: BoardAddress?) {
        self.name = name ?? ([host] + (accessory.map { [$0] } ?? [])).map(\.description).joined(separator: "+")
        self.host = host
        self.accessory = accessory
    }
}

/// How a board is reached.
package enum BoardAddress: Sendable, Hashable, Codable {
    /// By SSH, with this alias or host name. Keys, ports and jump hosts are those of the SSH configuration.
    case ssh(String)
    /// This machine.
    case local

    /// The board's name on a command line: `pi-host`, or `local` for this machine.
    ///
    /// - Returns: Nil for an empty word, or one that ssh would take for an option or a command.
    package init?(_ word: String) {
        if word == "local" {
            self = .local
        } else {
            guard word.wholeMatch(of: /[A-Za-z0-9_\[][A-Za-z0-9_.@:%\[\]-]{0,250}/) != nil else { return nil }
            self = .ssh(word)
        }
    }
}

extension BoardAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ssh(let name): name
        case .local: "local"
        }
    }
}
