import BoardProtocol
import RigModel

extension Traffic {
    /// Whether this can match packets between host and controller.
    var includesHCI: Bool {
        switch self {
        case .hci: true
        case .all(let parts), .any(let parts): parts.contains(where: \.includesHCI)
        case .not(let part): part.includesHCI
        default: false
        }
    }

    /// Whether a packet matches.
    func matches(_ packet: TrafficPacket) -> Bool {
        if case .hci = packet.layer, !includesHCI { return false }
        return holds(for: packet)
    }

    private func holds(for packet: TrafficPacket) -> Bool {
        switch self {
        case .everything: true
        case .radio(let radio): packet.radio == radio
        case .from(let board): packet.board == board
        case .fromAdapter(let board, let adapter):
            packet.radio == .bluetooth && packet.sender == AirAdapter(board: board, number: adapter)
        case .containing(let bytes): packet.contains(bytes)
        case .all(let parts): parts.allSatisfy { $0.holds(for: packet) }
        case .any(let parts): parts.contains { $0.holds(for: packet) }
        case .not(let part): !part.holds(for: packet)
        case .advertising: packet.isAdvertising
        case .acl: packet.isACL
        case .att(let opcode): packet.att.map { opcode == nil || $0 == opcode } ?? false
        case .smp(let code): packet.smp.map { code == nil || $0 == code?.rawValue } ?? false
        case .linkLayer(let type): packet.layer == .linkLayer && packet.bytes.first == type
        case .hci(let kind): kind.matches(packet)
        case .frame(let type, let subtype):
            packet.wifi.map { $0.type == type && (subtype == nil || $0.subtype == subtype) } ?? false
        case .authentication(let algorithm, let transaction):
            packet.authentication.map {
                (algorithm == nil || $0.algorithm == algorithm) && (transaction == nil || $0.transaction == transaction)
            } ?? false
        case .eapol(let message): packet.eapol.map { message == nil || $0.message == message } ?? false
        case .data: packet.isData
        }
    }
}

extension HCITraffic {
    fileprivate func matches(_ packet: TrafficPacket) -> Bool {
        guard case .hci = packet.layer, let type = packet.bytes.first else { return false }
        let bytes = packet.bytes
        switch self {
        case .command(let opcode):
            return type == 1 && bytes.count >= 4
                && (opcode == nil || UInt16(bytes[1]) | UInt16(bytes[2]) << 8 == opcode)
        case .event(let code, let subevent):
            return type == 4 && bytes.count >= 3 && (code == nil || bytes[1] == code)
                && (subevent == nil || bytes.count >= 4 && bytes[3] == subevent)
        case .acl: return type == 2
        }
    }
}
