/// The packets of an attack in a file: one a line, of which the last ones are suspected of a breach.
package struct PacketList: Sendable, Hashable {
    package let packets: [AttackPacket]
    /// How many of the last packets are suspected.
    package let suspects: Int

    private static let head = "suspected: the last "

    package init(_ packets: [AttackPacket], suspects: Int) {
        (self.packets, self.suspects) = (packets, min(suspects, packets.count))
    }

    /// What ``text`` gives; nil for anything else.
    package init?(_ text: String) {
        let lines = text.split(separator: "\n")
        guard let first = lines.first, first.hasPrefix(PacketList.head),
            let count = first.dropFirst(PacketList.head.count).split(separator: " ").first.flatMap({ Int($0) })
        else { return nil }
        // The words after a packet are for people.
        let packets = lines.dropFirst().compactMap { $0.split(separator: " ").first.flatMap { AttackPacket($0) } }
        guard packets.count == lines.count - 1, count >= 0 else { return nil }
        self.init(packets, suspects: count)
    }

    /// The packets of which one or more did it.
    package var suspected: ArraySlice<AttackPacket> { packets.suffix(suspects) }

    package var text: String {
        let first = packets.count - suspects
        let lines = packets.enumerated().map { place, packet in
            place < first ? packet.text : "\(packet.text)  \(packet)"
        }
        return (["\(PacketList.head)\(suspects) of \(packets.count) packets"] + lines).map { $0 + "\n" }.joined()
    }
}
