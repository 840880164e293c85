import HILPOSIX
import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Calls to a host board: services, names and incoming connections on the network that it has joined.
///
/// Everything that is opened stays open until it is closed, or until the conversation ends; also while the board is on
/// no network.
package enum LocalNetworkCall: Sendable, Codable {
    /// Looks for the services of a type (`_lamp._tcp`). Answers the number of the search.
    case browse(type: String, domain: String?, readsText: Bool, Reply<Int>)
    /// Waits for changes that a search has found. Send one request at a time. Answers at least one change.
    case nextChanges(Int, Reply<[BonjourChange]>)
    /// Ends a search.
    case endBrowsing(Int, Reply<Done>)
    /// Resolves a service.
    case resolve(BonjourName, Reply<NetworkPlace>)
    /// Resolves the address of a host: `lamp.local`. Answers a place without a port.
    case resolveHost(String, Reply<NetworkPlace>)
    /// Offers a service. Answers its number.
    case publish(BonjourService, isRenamed: Bool, Reply<Int>)
    /// Waits for the name under which an offered service is registered. `after` is the number of names already known.
    case registeredName(Int, after: Int, Reply<String>)
    /// Changes the TXT record of an offered service.
    case setText(Int, [Data], Reply<Done>)
    /// Withdraws a service.
    case withdraw(Int, Reply<Done>)
    /// Listens for TCP connections or datagrams. Port 0 means any free port.
    case listen(port: UInt16, by: InternetTransport, Reply<OpenListener>)
    /// Waits for a connection, or for a new peer's first datagram. Send one request at a time.
    case accept(Int, Reply<AcceptedStream>)
    /// Stops listening. Accepted streams stay.
    case stopListening(Int, Reply<Done>)
}

/// A listener that was opened.
package struct OpenListener: Sendable, Hashable, Codable {
    package var number: Int
    package var port: UInt16

    package init(number: Int, port: UInt16) { (self.number, self.port) = (number, port) }
}

/// A connection that a listener accepted.
package struct AcceptedStream: Sendable, Hashable, Codable {
    /// The number of the stream, as from ``StationCall/openStream(address:port:by:_:)``.
    package var number: Int
    package var peer: NetworkPlace

    package init(number: Int, peer: NetworkPlace) { (self.number, self.peer) = (number, peer) }
}
