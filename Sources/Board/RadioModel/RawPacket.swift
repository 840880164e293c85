#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A packet of L2CAP between the phone's Bluetooth host and a device.
public struct RawPacket: Sendable, Hashable {
    public enum Direction: Sendable, Hashable {
        /// From the phone to the device.
        case sent
        case received
    }

    public var direction: Direction
    public var device: DeviceAddress
    /// The channel (CID): 4 is the attribute protocol, 5 signalling, 6 the security manager; channels of apps are
    /// 0x40 and more.
    public var channel: UInt16
    public var payload: Data

    public init(_ direction: Direction, _ device: DeviceAddress, channel: UInt16, _ payload: Data) {
        self.direction = direction
        self.device = device
        self.channel = channel
        self.payload = payload
    }

    public static let attributes: UInt16 = 0x0004
    public static let signaling: UInt16 = 0x0005
    public static let securityManager: UInt16 = 0x0006
}

/// What becomes of a packet on its way.
public enum RawVerdict: Sendable, Hashable {
    case pass
    case drop
    /// Keeps it until it is released.
    case hold
    case replace(Data)
}
