import Foundation

/// An L2CAP channel over LE: packets in both directions. Every method throws ``RadioModel/RadioError``.
package protocol RadioChannel: AnyObject, Sendable {
    /// The longest packet that the peer takes, in bytes.
    var mtu: Int { get }

    /// Sends a packet of 1 to ``mtu`` bytes. Returns when the radio has taken it.
    func send(_ packet: Data) async throws
    /// Waits for a packet. Returns an empty one when the channel has ended.
    func receive() async throws -> Data
    /// Closes the channel. Calling it again does no harm.
    func close()
}
