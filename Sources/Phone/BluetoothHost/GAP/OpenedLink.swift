import RadioModel

/// A new LE link.
package struct OpenedLink: Sendable, Hashable {
    package var handle: ConnectionHandle
    /// This phone's role.
    package var role: LEConnectionComplete.Role
    /// The identity of a bonded device, otherwise its address in the air.
    package var device: PeerAddress
    /// The device's address with which the link was made.
    package var peer: PeerAddress
    /// This phone's address with which the link was made.
    package var local: PeerAddress
    /// In units of 1.25 ms.
    package var interval: UInt16
    /// Connection events that the peripheral may leave out.
    package var latency: UInt16
    /// The supervision timeout in units of 10 ms.
    package var timeout: UInt16

    init(_ event: LEConnectionComplete, device: PeerAddress, peer: PeerAddress, local: PeerAddress) {
        handle = event.handle
        role = event.role
        self.device = device
        self.peer = event.peerPrivateAddress.map { PeerAddress($0, isRandom: true) } ?? peer
        self.local = event.localPrivateAddress.map { PeerAddress($0, isRandom: true) } ?? local
        interval = event.interval
        latency = event.latency
        timeout = event.timeout
    }
}
