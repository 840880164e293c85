import Foundation
import RadioModel

/// A TCP connection over the network that a radio has joined, or the datagrams to and from one peer by UDP. It ends when the
/// radio leaves that network.
///
/// Sending and receiving may run at the same time, but only one call of each. Every method throws
/// ``RadioModel/RadioError``: `streamFailed` when the connection is lost.
package protocol RadioStream: Sendable {
    /// Sends bytes, over UDP as one datagram. Returns when the radio has taken all of them.
    ///
    /// - Parameter isLast: Whether this direction ends with these bytes; no effect over UDP.
    func send(_ bytes: Data, isLast: Bool) async throws
    /// Waits for bytes. Gives 1 to `limit` bytes, or none when the peer has ended its direction; over UDP one datagram,
    /// which may be empty.
    func receive(upTo limit: Int) async throws -> Data
    /// Ends the connection; calls that wait throw. A second call has no effect.
    func close()
}
