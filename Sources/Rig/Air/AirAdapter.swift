import BoardProtocol
import RigModel

/// One radio on the air: the board, and which of the board's Bluetooth adapters.
struct AirAdapter: Hashable, Comparable {
    let board: BoardRole
    /// The adapter's number. A board has one Wi-Fi radio: the first.
    let number: AdapterID

    static let host = AirAdapter(board: .host)
    static let accessory = AirAdapter(board: .accessory)

    init(board: BoardRole, number: AdapterID = .first) {
        self.board = board
        self.number = number
    }

    init(_ link: LinkID) { self.init(board: link.board, number: link.adapter) }

    /// The port that carries the adapter's messages.
    var link: LinkID { LinkID(board: board, radio: .bluetooth, adapter: number) }

    static func < (left: AirAdapter, right: AirAdapter) -> Bool {
        // The order in which the controllers get their turns.
        (left.board == .host ? 0 : 1, left.number) < (right.board == .host ? 0 : 1, right.number)
    }
}

extension AirAdapter: CustomStringConvertible {
    var description: String {
        "the \(board.rawValue) board" + (number == .first ? "" : "'s Bluetooth adapter \(number)")
    }
}
