import FoundationEssentials

/// A service that the maker of an accessory runs on the internet: bytes in, actions out. It has no socket itself.
///
/// ``SimulatedInternet`` numbers the connections of all services. It never reuses the number of an open connection.
package protocol InternetService: Sendable {
    /// The TCP port that it listens on. It must differ from those of other services and of the push service.
    var port: UInt16 { get }

    /// A peer connected.
    mutating func opened(_ connection: Int)

    /// A peer disconnected or was disconnected.
    mutating func closed(_ connection: Int)

    /// Bytes came from a peer. They may be split anywhere and may be hostile.
    ///
    /// - Returns: Actions to carry out, in this order.
    mutating func received(_ bytes: Data, from connection: Int) -> [InternetAction]

    /// Whether a peer has sent an incomplete message. Such a peer is disconnected after a while.
    func isUnfinished(_ connection: Int) -> Bool
}

/// An action that an internet service asks for.
package enum InternetAction: Sendable, Equatable {
    /// Send bytes to one of its own peers.
    case send(Data, to: Int)
    /// Disconnect one of its own peers. The reason goes into the log; ``InternetService/closed(_:)`` is called.
    case hangUp(Int, why: String)
    /// Give a notification to the push service, for the phone that registered this token (1 to 255 bytes).
    case push(AccessoryPush, token: Data)
    /// A line for the log. It must not contain a secret.
    case note(String)
}
