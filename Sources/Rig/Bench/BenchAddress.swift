/// The boards of a bench.
package struct BenchAddress: Sendable, Hashable, Codable {
    /// The name in reports and messages: `pi-host+pi-acc`, or the name of a place.
    package var name: String
    /// The board that is the phone's radio; nil if the phone is in a person's hand.
    package var host: BoardAddress?
    /// The board that runs the accessory; nil if the accessory is a device without a login.
    package var accessory: BoardAddress?
    /// The home's network; nil for a router that shares the phone's radio.
    package var home: BenchHome?

    /// - Parameter name: By default the names of its boards.
    package init(name: String? = nil, host: BoardAddress?, accessory: BoardAddress?, home: BenchHome? = nil) {
        var boards = [host, accessory].compactMap(\.self)
        if case .board(let board)? = home { boards.append(board) }
        self.name = name ?? boards.map(\.description).joined(separator: "+")
        self.host = host
        self.accessory = accessory
        self.home = home
    }
}

/// The home's network on a bench.
package enum BenchHome: Sendable, Hashable, Codable {
    /// A router on a second Wi-Fi interface of the host board: `wlan1`.
    case interface(String)
    /// A router on a further board.
    case board(BoardAddress)
    /// A real network, by its name. Its credentials are in a file: ``RealHomeFile``.
    case network(String)

    /// Reads what follows `home=` on a command line.
    ///
    /// - Returns: Nil for any other text.
    init?(_ text: String, host: BoardAddress) {
        if text.hasPrefix("network:") {
            let name = String(text.dropFirst("network:".count))
            guard 1...32 ~= name.utf8.count, !name.contains(where: \.isNewline) else { return nil }
            self = .network(name)
        } else if let slash = text.lastIndex(of: "/") {
            let interface = String(text[text.index(after: slash)...])
            guard BoardAddress(String(text[..<slash])) == host,
                interface.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9_.-]{0,14}/) != nil
            else { return nil }
            self = .interface(interface)
        } else {
            guard let board = BoardAddress(text), text != "none" else { return nil }
            self = .board(board)
        }
    }

    /// What follows `home=` on a command line.
    func text(host: BoardAddress?) -> String {
        switch self {
        case .interface(let name): "\(host.map { "\($0)/" } ?? "")\(name)"
        case .board(let board): "\(board)"
        case .network(let name): "network:\(name)"
        }
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
