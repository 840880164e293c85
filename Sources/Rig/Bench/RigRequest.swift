/// The benches that a command line requests: `--rig`.
package enum RigRequest: Sendable, Hashable {
    /// Two boards by name: `pi-host,pi-acc`, or `pi-host,none`; then perhaps the home's network, `home=pi-host/wlan1`.
    case boards(BenchAddress)
    /// A phone in a person's hand, and this accessory board: `hand,pi-acc`; nil for a virtual board, `hand,virtual`.
    case hand(accessory: BoardAddress?)
    /// Places of a labgrid coordinator, by name or by tags: `labgrid:kind=hil`. The text after the colon.
    case labgrid(String)

    /// Why a text is not such a request, as a sentence.
    package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    package init(_ text: String) throws(Mistake) {
        let usage =
            "a rig is HOST,ACCESSORY (SSH names, local, or none for the accessory), perhaps with ,home=HOST/INTERFACE, "
            + ",home=BOARD or ,home=network:NAME, or hand,ACCESSORY, or labgrid:PLACE"
        if text.hasPrefix("labgrid:") {
            guard text.count > 8 else { throw Mistake(description: "\(usage); labgrid: needs a place or a tag") }
            self = .labgrid(String(text.dropFirst(8)))
            return
        }
        // The name of a network may have commas.
        let words = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if words[0] == Self.hand {
            self = try Self.hand(words)
            return
        }
        guard words.count < 2 || words[1] != Self.hand else {
            throw Mistake(description: "the hand is in the host's place: hand,\(words[0]), not “\(text)”")
        }
        guard 2...3 ~= words.count, let host = BoardAddress(words[0]), words[0] != "none" else {
            throw Mistake(description: "\(usage), not “\(text)”")
        }
        let accessory = words[1] == "none" ? nil : BoardAddress(words[1])
        guard accessory != nil || words[1] == "none" else { throw Mistake(description: "\(usage), not “\(text)”") }
        guard accessory != host else {
            throw Mistake(description: "“\(text)” names one board twice: host and accessory must be two boards")
        }
        self = .boards(BenchAddress(host: host, accessory: accessory, home: try Self.home(words, host, accessory)))
    }

    /// The word for a phone in a person's hand, in the place of the host board.
    private static let hand = "hand"
    /// The word for a virtual accessory board beside it.
    private static let virtual = "virtual"

    private static func hand(_ words: [String]) throws(Mistake) -> RigRequest {
        let usage = "a phone in a hand is hand,ACCESSORY: the SSH name of the accessory board, local, or virtual"
        guard words.count > 1, words[1] != "none", !words[1].isEmpty else {
            throw Mistake(
                description: "\(usage); without an accessory board nothing would see what the phone does")
        }
        guard words.count == 2 else {
            throw Mistake(
                description: "\(usage); it takes no “\(words[2])”, because the home's router needs a host board")
        }
        if words[1] == virtual { return .hand(accessory: nil) }
        guard let board = BoardAddress(words[1]), words[1] != hand else {
            throw Mistake(description: "\(usage), not “\(words[1])”")
        }
        return .hand(accessory: board)
    }

    private static func home(
        _ words: [String], _ host: BoardAddress, _ accessory: BoardAddress?
    ) throws(Mistake) -> BenchHome? {
        guard words.count == 3 else { return nil }
        let usage = "the home is home=\(host)/INTERFACE, home=BOARD or home=network:NAME"
        guard words[2].hasPrefix("home="), let home = BenchHome(String(words[2].dropFirst(5)), host: host) else {
            throw Mistake(description: "\(usage), not “\(words[2])”")
        }
        if case .board(let board) = home, board == host || board == accessory {
            throw Mistake(
                description: "“\(words[2])” is the bench's own board: name a second interface of the host board, "
                    + "home=\(host)/wlan1, or a further board")
        }
        return home
    }
}

extension RigRequest {
    /// Whether it takes no virtual boards. Beside a phone in a hand, the simulated one is on virtual boards.
    package var hasOnlyRealBoards: Bool { if case .hand = self { false } else { true } }
}

extension RigRequest: CustomStringConvertible {
    package var description: String {
        switch self {
        case .boards(let bench):
            "\(bench.host.map { "\($0)" } ?? Self.hand),\(bench.accessory.map { "\($0)" } ?? "none")"
                + (bench.home.map { ",home=\($0.text(host: bench.host))" } ?? "")
        case .hand(let accessory): "\(Self.hand),\(accessory.map { "\($0)" } ?? Self.virtual)"
        case .labgrid(let place): "labgrid:\(place)"
        }
    }
}
