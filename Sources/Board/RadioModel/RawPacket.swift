#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A packet of L2CAP between the phone's Bluetooth host and a device.
public struct RawPacket: Sendable, Hashable {
    /// Which way a packet goes.
    public enum Direction: Sendable, Hashable {
        /// From the phone to the device.
        case sent
        /// From the device to the phone.
        case received
    }

    /// Whether the phone sends it or receives it.
    public var direction: Direction
    /// The device at the other end of the link.
    public var device: DeviceAddress
    /// The channel (CID): 4 is the attribute protocol, 5 signalling, 6 the security manager; channels of apps are
    /// 0x40 and more.
    public var channel: UInt16
    /// Its bytes, without the header of L2CAP.
    public var payload: Data

    package init(_ direction: Direction, _ device: DeviceAddress, channel: UInt16, _ payload: Data) {
        self.direction = direction
        self.device = device
        self.channel = channel
        self.payload = payload
    }

    /// The channel of the attribute protocol.
    public static let attributes: UInt16 = 0x0004
    /// The signalling channel of LE.
    public static let signaling: UInt16 = 0x0005
    /// The channel of the security manager.
    public static let securityManager: UInt16 = 0x0006
}

/// What becomes of a packet on its way.
public enum RawVerdict: Sendable, Hashable {
    /// Lets it through.
    case pass
    /// Loses it.
    case drop
    /// Keeps it until it is released.
    case hold
    /// Sends these bytes in place of its own.
    case replace(Data)
}
