import BoardProtocol
import RigModel

/// A place on the air with a Wi-Fi radio: one of the boards, the router of the home, or a stranger.
enum AirPlace: Sendable, Hashable, CaseIterable {
    case host
    case accessory
    /// The home's router. Its radio is a further one of the host board, and stands in a place of its own.
    case home
    /// A stranger, with a further radio of the host board. It stands beside the phone.
    case stranger(AdapterID)

    static let allCases = [.host, .accessory, .home] + AdapterID.strangers.map(AirPlace.stranger)

    init(_ board: BoardRole) { self = board == .host ? .host : .accessory }

    /// The place of a Wi-Fi radio.
    init(_ link: LinkID) {
        self =
            switch link {
            case LinkID.homeRouter: .home
            case let link where link.isOfStranger: .stranger(link.adapter)
            default: AirPlace(link.board)
            }
    }

    /// The board that stands here; nil for the home's router and for strangers.
    var board: BoardRole? {
        switch self {
        case .host: .host
        case .accessory: .accessory
        case .home, .stranger: nil
        }
    }

    /// The board beside which it stands; nil for the home's router.
    var neighbour: BoardRole? { if case .stranger = self { .host } else { board } }

    /// Its Wi-Fi radio.
    var radio: LinkID {
        switch self {
        case .host: LinkID(board: .host, radio: .wifi)
        case .accessory: LinkID(board: .accessory, radio: .wifi)
        case .home: .homeRouter
        case .stranger(let adapter): LinkID(board: .host, radio: .wifi, adapter: adapter)
        }
    }
}

extension AirPlace: CustomStringConvertible {
    var description: String {
        switch self {
        case .host: "the host board"
        case .accessory: "the accessory board"
        case .home: "the home's router"
        case .stranger(let adapter): "stranger \(adapter.rawValue - 1)"
        }
    }
}

extension LinkID {
    /// The radio of the home's router.
    static let homeRouter = LinkID(board: .host, radio: .wifi, adapter: .homeRouter)

    /// Whether this is the Wi-Fi radio of a stranger.
    var isOfStranger: Bool { board == .host && radio == .wifi && AdapterID.strangers.contains(adapter) }
}
