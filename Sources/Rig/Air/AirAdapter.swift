import BoardProtocol
import RigModel

/// One radio on the air: the board, and which of the board's adapters. A host stack without a board is a
/// further adapter at the place of the accessory board.
struct AirAdapter: Hashable, Comparable {
    let board: BoardRole
    /// The adapter's number. A board has one Wi-Fi radio, the first; the host board has further ones.
    let number: AdapterID

    static let host = AirAdapter(board: .host)
    static let accessory = AirAdapter(board: .accessory)

    init(board: BoardRole, number: AdapterID = .first) {
        self.board = board
        self.number = number
    }

    init(_ link: LinkID) { self.init(board: link.board, number: link.adapter) }

    /// The controller of a host stack. The phone's is that of the host board.
    init(hostStack number: AdapterID) {
        self = number == .phone ? .host : AirAdapter(board: .accessory, number: number)
    }

    /// Whether a host stack without a board has this controller.
    var isHostStack: Bool { number.isHostStack }

    /// The port that carries the adapter's messages.
    var link: LinkID { LinkID(board: board, radio: .bluetooth, adapter: number) }

    /// The Wi-Fi radio of this number.
    var wifi: LinkID { LinkID(board: board, radio: .wifi, adapter: number) }

    static func < (left: AirAdapter, right: AirAdapter) -> Bool {
        // The order in which the controllers get their turns.
        (left.board == .host ? 0 : 1, left.number.rawValue) < (right.board == .host ? 0 : 1, right.number.rawValue)
    }
}

extension AirAdapter: CustomStringConvertible {
    var description: String {
        if isHostStack { return "host stack \(number)" }
        return "the \(board.rawValue) board" + (number == .first ? "" : "'s Bluetooth adapter \(number)")
    }
}
