import RadioModel

/// One end of a conversation with a peer on the network, which never blocks a thread.
package protocol NetworkSocket: Sendable {
    /// Sends, and returns when the kernel has taken all bytes. With UDP, these are one datagram.
    func send(_ bytes: [UInt8]) async throws
    /// Waits for 1 to `limit` bytes, or for none when the peer has ended its direction. With UDP, waits for one
    /// datagram, which may be empty.
    func receive(upTo limit: Int) async throws -> [UInt8]
    /// Ends this direction. Does nothing with UDP.
    func finish()
    /// Ends both directions. Tasks that wait for either wake up.
    func shutDown()
    /// The address and the port of the peer; 0.0.0.0 if it is gone.
    var peer: NetworkPlace { get }
}

extension NetworkSocket {
    package func receive() async throws -> [UInt8] { try await receive(upTo: 65_536) }
}
