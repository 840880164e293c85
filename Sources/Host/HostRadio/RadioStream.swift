import Foundation
import RadioModel

/// A TCP connection over the network that a radio is on; it ends with that network.
///
/// Sending and receiving go on side by side, each by one call after the other. Every method throws
/// ``RadioModel/RadioError``, `streamFailed` when the connection is lost.
public protocol RadioStream: Sendable {
    /// Sends; returns when the radio has taken all of it.
    ///
    /// - Parameter isLast: Whether this direction ends with these bytes.
    func send(_ bytes: Data, isLast: Bool) async throws
    /// Waits for bytes: 1 to `limit` of them, or none when the peer has ended its direction.
    func receive(upTo limit: Int) async throws -> Data
    /// Ends the connection; whoever waits for it gets an error. Twice is harmless.
    func close()
}
