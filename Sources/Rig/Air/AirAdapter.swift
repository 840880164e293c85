import BoardProtocol
import RigModel

/// Whose radio something on the air is: a board's, and of its Bluetooth adapters which.
struct AirAdapter: Hashable, Comparable {
    let board: BoardRole
    /// Of Wi-Fi, a board has one radio: the first.
    let number: AdapterID

    static let host = AirAdapter(board: .host)
    static let accessory = AirAdapter(board: .accessory)

    init(board: BoardRole, number: AdapterID = .first) {
        self.board = board
        self.number = number
    }

    init(_ link: LinkID) { self.init(board: link.board, number: link.adapter) }

    /// The port that carries it.
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
