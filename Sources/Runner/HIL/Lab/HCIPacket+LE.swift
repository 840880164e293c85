import RadioModel

/// What the packets of a Bluetooth adapter say about LE links.
extension [HCIPacket] {
    /// The packets of a fixed L2CAP channel, in either direction: 4 has the attribute protocol, 6 the Security Manager.
    ///
    /// Only those that are complete in one ACL packet.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part A, 2.1 and 3.1.
    public func packets(onChannel channel: UInt16) -> [[UInt8]] {
        compactMap { packet -> [UInt8]? in
            // Handle (2), length (2), then L2CAP: length (2), channel (2).
            guard case .acl(let bytes) = packet, bytes.count > 8, bytes[1] & 0x10 == 0 || bytes[1] & 0x20 != 0,
                UInt16(bytes[6]) | UInt16(bytes[7]) << 8 == channel
            else { return nil }
            let length = Int(bytes[4]) | Int(bytes[5]) << 8
            return bytes.count == 8 + length ? [UInt8](bytes[8...]) : nil
        }
    }

    /// The addresses on the air of the devices that LE links came up to, one for each link.
    ///
    /// Source: Core Specification 6.0, Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
    package var peersOnAir: [DeviceAddress] {
        compactMap { packet -> DeviceAddress? in
            // Subevent, status, handle (2), role, type of the address, address (6), least significant first.
            guard case .event(0x3E, let parameters) = packet, parameters.count >= 12,
                [0x01, 0x0A, 0x29].contains(parameters[0]), parameters[1] == 0
            else { return nil }
            // A controller that resolves addresses gives the one on the air behind its own.
            let isResolved = parameters[0] != 0x01 && parameters.count >= 24 && parameters[5] >= 0x02
            return DeviceAddress(bytes: parameters[isResolved ? 18..<24 : 6..<12].reversed())
        }
    }
}
