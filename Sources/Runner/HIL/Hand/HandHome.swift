import BoardProtocol

/// What a person with a real phone needs to know of the home's network. A record does not have it.
package struct HandHome: Sendable, Hashable, Codable {
    package var ssid: String
    /// nil for an open network.
    package var passphrase: String?

    /// A sentence for the person.
    package var text: String {
        "the home's network is “\(ssid)”; " + (passphrase.map { "its passphrase is \($0)" } ?? "it has no passphrase")
    }
}

/// News of the home's network.
enum HomeNews: Sendable, Hashable {
    /// It was opened, changed or closed; nil while there is none.
    case network(HandHome?)
    /// Its router reported something.
    case router(HomeNetworkEvent)
    /// The scenario waited for a report of its router, which has come.
    case awaited(HomeNetworkEvent)
}

extension HomeNetworkEvent {
    /// Whether a station with another passphrase was refused.
    var isRefusal: Bool { if case .refused = self { true } else { false } }

    /// In words, without the addresses, which differ between two runs.
    var likeness: String {
        switch self {
        case .joined: "a station joined"
        case .left: "a station left"
        case .refused: "a station was refused: it used another passphrase"
        case .gaveAddress: "a station got an address"
        }
    }
}
