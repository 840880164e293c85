/// A packet that a Bluetooth controller emits.
enum ControllerOutput: Equatable {
    /// An H4 packet for its host.
    case hci([UInt8])
    /// A link-layer packet for all other controllers on the air.
    case linkLayer(bytes: [UInt8], phy: Int32)
}

/// A Bluetooth controller without its radio.
protocol BluetoothController: AnyObject {
    /// Handles an H4 packet from its host.
    func receive(hci packet: [UInt8]) -> [ControllerOutput]
    /// Handles a link-layer packet from the air.
    ///
    /// - Parameter signal: In dBm.
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput]
    /// Does the timed work; to be called every ``BluetoothMedium/tickInterval``.
    func tick() -> [ControllerOutput]
}
