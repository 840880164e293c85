import BoardProtocol
import RigModel

/// A place on the air with a Wi-Fi radio: one of the boards, or the router of the home.
enum AirPlace: Sendable, Hashable, CaseIterable {
    case host
    case accessory
    /// The home's router. Its radio is a further one of the host board, and stands in a place of its own.
    case home

    init(_ board: BoardRole) { self = board == .host ? .host : .accessory }

    /// The place of a Wi-Fi radio.
    init(_ link: LinkID) { self = link == LinkID.homeRouter ? .home : AirPlace(link.board) }

    /// The board that stands here; nil for the home's router.
    var board: BoardRole? {
        switch self {
        case .host: .host
        case .accessory: .accessory
        case .home: nil
        }
    }

    /// Its Wi-Fi radio.
    var radio: LinkID { board.map { LinkID(board: $0, radio: .wifi) } ?? .homeRouter }
}

extension AirPlace: CustomStringConvertible {
    var description: String { board.map { "the \($0.rawValue) board" } ?? "the home's router" }
}

extension LinkID {
    /// The radio of the home's router.
    static let homeRouter = LinkID(board: .host, radio: .wifi, adapter: .homeRouter)
}
