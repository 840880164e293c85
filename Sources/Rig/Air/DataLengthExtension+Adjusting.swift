// What the hosts and the other controllers hear of RootCanal's controller.
extension DataLengthExtension {
    /// The bit of LE Data Packet Length Extension in the first byte of LE features (volume 6, part B, 4.6).
    private static let feature: UInt8 = 0x20
    /// The bits of the four commands in the supported commands, by byte (volume 4, part E, 6.27).
    private static let commands: [Int: UInt8] = [33: 0xC0, 34: 0x01, 35: 0x08]

    private enum Event {
        static let disconnectionComplete: UInt8 = 0x05
        static let commandComplete: UInt8 = 0x0E
        static let lowEnergy: UInt8 = 0x3E
    }

    private enum LEEvent {
        /// LE Connection Complete.
        static let connection: UInt8 = 0x01
        /// LE Enhanced Connection Complete, in both versions.
        static let enhancedConnections: [UInt8] = [0x0A, 0x29]
        static let remoteFeatures: UInt8 = 0x04
    }

    /// RootCanal's answer with the features of the other controller: type, two addresses, features, status.
    private static let featuresResponse: UInt8 = 0x2D

    /// The packet that the host gets for a controller's packet, and what follows from it.
    ///
    /// - LE Read Local Supported Features and Read Local Supported Commands name the extension, or do not.
    /// - LE Read Remote Features: both controllers must have the extension (volume 6, part B, 2.4.2.10).
    /// - Links begin and end.
    mutating func adjust(_ packet: [UInt8]) -> (packet: [UInt8], steps: [Step]) {
        guard packet.count >= 7, packet[0] == 4 else { return (packet, []) }
        switch packet[1] {
        case Event.commandComplete where packet[6] == 0: return (adjustAnswer(packet), [])
        case Event.disconnectionComplete where packet[3] == 0:
            linkEnded(DataLengthExtension.handle(packet, at: 4))
            return (packet, [])
        case Event.lowEnergy: return adjustLowEnergy(packet)
        default: return (packet, [])
        }
    }

    /// The packet that other controllers get for one of this controller's link-layer packets.
    func adjust(linkLayer packet: [UInt8]) -> [UInt8] {
        guard packet.count >= 22, packet[0] == DataLengthExtension.featuresResponse else { return packet }
        var adjusted = packet
        mark(&adjusted[13], DataLengthExtension.feature)
        return adjusted
    }

    private func adjustAnswer(_ packet: [UInt8]) -> [UInt8] {
        var adjusted = packet
        switch UInt16(packet[4]) | UInt16(packet[5]) << 8 {
        case Opcode.readLocalLEFeatures where packet.count >= 15:
            mark(&adjusted[7], DataLengthExtension.feature)
        case Opcode.readLocalCommands where packet.count >= 71:
            for (byte, bits) in DataLengthExtension.commands { mark(&adjusted[7 + byte], bits) }
        default: break
        }
        return adjusted
    }

    private mutating func adjustLowEnergy(_ packet: [UInt8]) -> (packet: [UInt8], steps: [Step]) {
        // Code, status, handle.
        guard packet[4] == 0 else { return (packet, []) }
        var adjusted = packet
        let isEnhanced = LEEvent.enhancedConnections.contains(packet[3])
        if packet[3] == LEEvent.remoteFeatures, packet.count >= 15, !isOffered {
            adjusted[7] &= ~DataLengthExtension.feature
        } else if packet[3] == LEEvent.connection || isEnhanced, packet.count >= (isEnhanced ? 27 : 15) {
            // Code, status, handle, role, the type of the peer's address, the address; then its own private address and
            // the peer's.
            var peers = [Array(packet[9..<15])]
            if isEnhanced { peers.append(Array(packet[21..<27])) }
            let steps = linkBegan(
                DataLengthExtension.handle(packet, at: 5), isCentral: packet[7] == 0,
                peers: peers.filter { $0.contains { $0 != 0 } })
            return (packet, steps)
        }
        return (adjusted, [])
    }

    private func mark(_ byte: inout UInt8, _ bits: UInt8) { byte = isOffered ? byte | bits : byte & ~bits }

    private static func handle(_ packet: [UInt8], at offset: Int) -> UInt16 {
        UInt16(packet[offset]) | UInt16(packet[offset + 1]) << 8
    }
}
