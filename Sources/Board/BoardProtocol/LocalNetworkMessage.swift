import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The commands for services, names and incoming connections on the network that a host board has joined.
///
/// Everything that is opened stays open until it is closed, or until the conversation ends; also while the board is on
/// no network.
package enum LocalNetworkCommand: Sendable, Hashable, Codable {
    /// Looks for the services of a type (`_lamp._tcp`). Result: `.number`, which identifies the search.
    case browse(type: String, domain: String?, readsText: Bool)
    /// Waits for changes that a search has found. Send one request at a time. Result: `.changes`, at least one.
    case nextChanges(Int)
    /// Ends a search. Result: `.done`.
    case endBrowsing(Int)
    /// Resolves a service. Result: `.place`.
    case resolve(BonjourName)
    /// Resolves the address of a host: `lamp.local`. Result: `.place`, without a port.
    case resolveHost(String)
    /// Offers a service. Result: `.number`, which identifies it.
    case publish(BonjourService, isRenamed: Bool)
    /// Waits for the name under which an offered service is registered. `after` is the number of names already known.
    /// Result: `.name`.
    case registeredName(Int, after: Int)
    /// Changes the TXT record of an offered service. Result: `.done`.
    case setText(Int, [Data])
    /// Withdraws a service. Result: `.done`.
    case withdraw(Int)
    /// Listens for TCP connections or datagrams. Port 0 means any free port. Result: `.listener`.
    case listen(port: UInt16, by: InternetTransport)
    /// Waits for a connection, or for a new peer's first datagram. Send one request at a time. Result: `.accepted`.
    case accept(Int)
    /// Stops listening. Accepted streams stay. Result: `.done`.
    case stopListening(Int)

    /// The name of the command, without its values.
    package var name: String { String(String(describing: self).prefix { $0 != "(" }) }
}

/// The result of a ``LocalNetworkCommand``.
package enum LocalNetworkResult: Sendable, Hashable, Codable {
    case changes([BonjourChange])
    case place(NetworkPlace)
    case name(String)
    case listener(Int, port: UInt16)
    /// A stream, as from ``BoardCommand/openStream(address:port:by:)``, and its peer.
    case accepted(Int, from: NetworkPlace)
}
