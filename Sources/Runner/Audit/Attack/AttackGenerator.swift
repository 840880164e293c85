import HILBluetoothHost

/// Makes the packets of an attack: valid ones of each kind, the same with damage, wrong headers and pieces, and noise.
package struct AttackGenerator: Sendable {
    private let layer: AttackLayer
    /// The highest handle of the accessory's attributes.
    let lastHandle: UInt16
    var chance: AttackChance
    /// What follows, because it belongs to the packet before.
    private var following: [AttackPacket] = []
    /// The identifier of the next signalling command.
    var identifier: UInt8 = 0

    /// - Parameter lastHandle: The highest handle of the accessory's attributes, as far as it is known.
    package init(_ layer: AttackLayer, seed: UInt64, lastHandle: UInt16 = 32) {
        (self.layer, self.lastHandle) = (layer, max(1, lastHandle))
        chance = AttackChance(seed)
    }

    /// The first packets of a seed.
    package static func packets(
        _ count: Int, for layer: AttackLayer, seed: UInt64, lastHandle: UInt16 = 32
    ) -> [AttackPacket] {
        var generator = AttackGenerator(layer, seed: seed, lastHandle: lastHandle)
        return (0..<count).map { _ in generator.next() }
    }

    /// The next packet.
    package mutating func next() -> AttackPacket {
        if following.isEmpty { following = course().reversed() }
        return following.popLast() ?? AttackPacket([])
    }

    /// The next packets that belong together; at least one.
    private mutating func course() -> [AttackPacket] {
        switch layer {
        case .attributes: [framed(.attributes, payload(attribute()), badHeaders: 3)]
        case .channels: channelCourse()
        case .security: securityCourse()
        }
    }

    /// A payload as it is, with damage, or noise in its place.
    mutating func payload(_ valid: [UInt8]) -> [UInt8] {
        switch chance.number(below: 100) {
        case 0..<55: valid
        case 55..<94: chance.damaged(valid)
        default: chance.bytes(chance.length())
        }
    }

    /// A frame, whose header is wrong in so many of a hundred cases.
    mutating func framed(
        _ channel: ChannelIdentifier, _ payload: [UInt8], badHeaders: Int
    ) -> AttackPacket {
        guard chance.happens(badHeaders) else {
            return AttackPacket(channel, payload, isHasty: chance.happens(1))
        }
        let length =
            chance.happens(50)
            ? payload.count + chance.one(of: [-2, -1, 1, 2, 16, 255, 1024]) : Int(chance.edge())
        return AttackPacket(channel, payload, saying: max(0, length))
    }

    /// A frame in two or more pieces, of which one may be missing, doubled or empty.
    mutating func inPieces(_ frame: AttackPacket) -> [AttackPacket] {
        var pieces: [AttackPacket] = []
        var rest = frame.bytes[...]
        while !rest.isEmpty, pieces.count < 6 {
            let size = pieces.count == 5 ? rest.count : chance.number(in: 1...max(1, min(rest.count, 24)))
            pieces.append(AttackPacket(Array(rest.prefix(size)), continues: !pieces.isEmpty))
            rest = rest.dropFirst(size)
        }
        let place = chance.number(below: max(1, pieces.count))
        switch chance.number(below: 6) {
        case 0 where pieces.count > 1: pieces.remove(at: place)
        case 1 where !pieces.isEmpty: pieces.insert(pieces[place], at: place)
        case 2: pieces.append(AttackPacket(chance.bytes(chance.number(in: 1...20)), continues: true))
        default: break
        }
        return pieces.isEmpty ? [frame] : pieces
    }
}
