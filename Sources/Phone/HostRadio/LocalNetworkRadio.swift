import Foundation
import RadioModel

/// Services, names and incoming connections on the network that a radio has joined.
///
/// Searches, services and ports stay open while the radio is on no network. Every method throws
/// ``RadioModel/RadioError``.
package protocol LocalNetworkRadio: Sendable {
    /// Looks for the services of a type, until the result is released.
    ///
    /// - Parameters:
    ///   - type: Such as `_lamp._tcp`.
    ///   - domain: Nil for `local.`.
    ///   - readsText: Whether to read and follow their TXT records.
    func browse(_ type: String, domain: String?, readingText readsText: Bool) async throws -> any RadioBrowser
    /// Finds out where a service is. Throws `noAnswer` if nobody has answered after 5 s.
    func place(of service: BonjourName) async throws -> NetworkPlace
    /// Finds out the IPv4 address of a host, such as `lamp.local`. Throws `noAnswer` if nobody has answered after 5 s.
    func address(ofHost name: String) async throws -> String
    /// Offers a service, until the result is released.
    ///
    /// - Parameter isRenamed: Whether a number is added to a name that is taken.
    func publish(_ service: BonjourService, renaming isRenamed: Bool) async throws -> any RadioPublication
    /// Listens for TCP connections, or for datagrams, until the result is released. Throws `streamFailed` if the port is
    /// in use.
    ///
    /// - Parameter port: 0 for any free port.
    func listen(at port: UInt16, by transport: InternetTransport) async throws -> any RadioListener
}

/// A search for services.
package protocol RadioBrowser: Sendable {
    /// Waits for changes since the last call, at least one. One call at a time.
    func changes() async throws -> [BonjourChange]
    /// Ends the search; a call that waits throws.
    func close()
}

/// A service that is offered.
package protocol RadioPublication: Sendable {
    /// Waits for the name under which it is registered.
    ///
    /// - Parameter known: How many names are known already: 0 for the first name.
    func registeredName(after known: Int) async throws -> String
    /// Changes the TXT record.
    func setText(_ text: [Data]) async throws
    /// Withdraws it; a call that waits throws.
    func close()
}

/// A port that accepts TCP connections, or that hears datagrams.
package protocol RadioListener: Sendable {
    /// The port that it listens on.
    var port: UInt16 { get }
    /// Waits for a connection, or for the first datagram of a new peer, and says who that is. One call at a time.
    func accept() async throws -> (stream: any RadioStream, peer: NetworkPlace)
    /// Stops listening; a call that waits throws.
    func close()
}
