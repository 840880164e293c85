import BoardProtocol
import FoundationEssentials

/// A service that an accessory's maker runs on the internet: bytes in, actions out. It has no socket of its own.
///
/// It stands behind ``SimulatedInternet``, which numbers the connections of all services and never reuses a number that is open.
public protocol InternetService: Sendable {
    /// The TCP port that it listens on; unlike that of any other service and of the push service.
    var port: UInt16 { get }

    /// A peer connected.
    mutating func opened(_ connection: Int)

    /// A peer is gone, or was hung up on.
    mutating func closed(_ connection: Int)

    /// Bytes came from a peer, cut in any way; they may be hostile.
    ///
    /// - Returns: What is to be done, in this order.
    mutating func received(_ bytes: Data, from connection: Int) -> [InternetAction]

    /// Whether a peer has sent a part of a message and owes the rest: then it is hung up on after a while.
    func isUnfinished(_ connection: Int) -> Bool
}

/// What a service on the internet wants done.
public enum InternetAction: Sendable, Equatable {
    /// Send bytes to one of its own peers.
    case send(Data, to: Int)
    /// Hang up on one of its own peers. The reason goes into the log; ``InternetService/closed(_:)`` follows.
    case hangUp(Int, why: String)
    /// Hand a notification to the push service, for the phone that registered this token (1 to 255 bytes).
    case push(AccessoryPush, token: Data)
    /// A line for the log. It must hold no secret.
    case note(String)
}
