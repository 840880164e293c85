/// What a Bluetooth controller gives out while it works.
enum ControllerOutput: Equatable {
    /// An H4 packet for its host.
    case hci([UInt8])
    /// A link-layer packet for all others on the air.
    case linkLayer(bytes: [UInt8], phy: Int32)
}

/// A Bluetooth controller without its radio.
protocol BluetoothController: AnyObject {
    /// Takes an H4 packet of its host.
    func receive(hci packet: [UInt8]) -> [ControllerOutput]
    /// Hears a link-layer packet.
    ///
    /// - Parameter signal: In dBm.
    func receive(linkLayer bytes: [UInt8], phy: Int32, signal: Int8) -> [ControllerOutput]
    /// Does what is due; wants to be called every ``BluetoothMedium/tickInterval``.
    func tick() -> [ControllerOutput]
}
