import RadioModel

/// The way to a Bluetooth controller: H4 packets in both directions, each with its type.
package protocol ControllerTransport: Sendable {
    /// The controller's packets, in order. The sequence ends when the transport is closed, or with the reason when it is
    /// lost. Only one reader may consume it.
    var packets: AsyncThrowingStream<[UInt8], any Error> { get }
    /// Sends a packet to the controller.
    ///
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` if the transport is closed or lost.
    func send(_ packet: [UInt8]) throws(RadioError)
    /// Closes the transport; the controller loses all links. Calling it again does no harm.
    func close()
}
