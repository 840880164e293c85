/// A line for a packet between a board and its Bluetooth controller (Bluetooth Core 5.4, volume 4, part E).
enum HCIText {
    /// - Parameter bytes: Four bytes of direction, the H4 type, and the packet.
    static func line(_ bytes: PacketBytes) -> String? {
        guard let direction = bytes.byte(3), let type = bytes.byte(4) else { return nil }
        let packet = bytes.dropFirst(5)
        let way = direction == 0 ? "→" : "←"
        switch type {
        case 1: return packet.word(0).map { "\(way) \(HCINames.command($0))" }
        case 2: return acl(packet).map { "\(way) \($0)" }
        case 4: return event(packet).map { "\(way) \($0)" }
        default: return "\(way) packet of type \(type)"
        }
    }

    private static func event(_ packet: PacketBytes) -> String? {
        guard let code = packet.byte(0) else { return nil }
        switch code {
        case 0x05:
            let reason = packet.byte(5).map { ": \(HCINames.status($0))" } ?? ""
            return "disconnection complete" + link(packet.word(3)) + reason
        case 0x08, 0x59:
            let state = packet.byte(5).map { $0 == 0 ? ": off" : ": on" } ?? ""
            return "encryption change" + link(packet.word(3)) + (failure(packet.byte(2)) ?? state)
        case 0x0E: return packet.word(3).map { "\(HCINames.command($0)): complete" + (failure(packet.byte(5)) ?? "") }
        case 0x0F: return packet.word(4).map { "\(HCINames.command($0)): begun" + (failure(packet.byte(2)) ?? "") }
        case 0x13: return "packets completed"
        case 0x3E: return packet.byte(2).map { le($0, packet) }
        default: return "event 0x" + PacketBytes.hex(code)
        }
    }

    private static func le(_ meta: UInt8, _ packet: PacketBytes) -> String {
        let name = "LE " + (HCINames.lowEnergy[meta] ?? "event 0x" + PacketBytes.hex(meta))
        switch meta {
        case 0x01, 0x0A:
            let peer = packet.device(8).map { " with \($0)" } ?? ""
            return name + link(packet.word(4)) + peer + (failure(packet.byte(3)) ?? "")
        case 0x02:
            let length = Int(packet.byte(12) ?? 0)
            return name + report(packet, address: 6, data: 13, length: length, strength: packet.byte(13 + length))
        case 0x0D:
            return name
                + report(packet, address: 7, data: 28, length: Int(packet.byte(27) ?? 0), strength: packet.byte(17))
        case 0x03, 0x04, 0x0C: return name + (failure(packet.byte(3)) ?? "")
        default: return name
        }
    }

    /// The advertiser's address, its name, and the signal strength.
    private static func report(
        _ packet: PacketBytes, address: Int, data: Int, length: Int, strength: UInt8?
    ) -> String {
        var text = packet.device(address).map { " of \($0)" } ?? ""
        var place = data
        while let size = packet.byte(place).map(Int.init), size > 0, place + size < data + length {
            if let type = packet.byte(place + 1), type == 8 || type == 9, let name = packet.text(place + 2, size - 1) {
                text += " “\(name)”"
            }
            place += size + 1
        }
        return text + (strength.map { ", \(Int8(bitPattern: $0)) dBm" } ?? "")
    }

    /// The packet is handle and flags, length; L2CAP length and channel; then ATT, signalling or the security manager.
    private static func acl(_ packet: PacketBytes) -> String? {
        guard let handle = packet.word(0) else { return nil }
        if handle >> 12 & 3 == 1 { return "ACL, continued" }
        guard let channel = packet.word(6), let code = packet.byte(8) else { return "ACL" }
        let body = packet.dropFirst(8)
        switch channel {
        case 4: return "ATT " + attribute(code, body)
        case 5: return "L2CAP signalling 0x" + PacketBytes.hex(code)
        case 6: return "SMP " + security(code, body)
        default: return "L2CAP channel \(PacketBytes.hex(channel))"
        }
    }

    private static func attribute(_ code: UInt8, _ body: PacketBytes) -> String {
        let name = HCINames.attribute[code] ?? "0x" + PacketBytes.hex(code)
        func handle(_ offset: Int) -> String { body.word(offset).map { " of \(PacketBytes.hex($0))" } ?? "" }
        func size(_ head: Int) -> String { body.count > head ? ", \(body.count - head) bytes" : "" }
        switch code {
        case 0x01:
            let why = body.byte(4).map { ": \(HCINames.attributeError[$0] ?? "0x" + PacketBytes.hex($0))" } ?? ""
            return name + handle(2) + why
        case 0x0A, 0x0C: return name + handle(1)
        case 0x12, 0x16, 0x1B, 0x1D, 0x52, 0xD2: return name + handle(1) + size(3)
        case 0x0B: return name + size(1)
        default: return name
        }
    }

    private static func security(_ code: UInt8, _ body: PacketBytes) -> String {
        let name = HCINames.security[code] ?? "0x" + PacketBytes.hex(code)
        guard code == 5, let reason = body.byte(1) else { return name }
        return "\(name): \(HCINames.securityFailure[reason] ?? "0x" + PacketBytes.hex(reason))"
    }

    private static func link(_ handle: UInt16?) -> String {
        handle.map { ", link \(PacketBytes.hex($0 & 0x0FFF))" } ?? ""
    }

    /// The reason of a failure; nil for success.
    private static func failure(_ status: UInt8?) -> String? {
        status.flatMap { $0 == 0 ? nil : ": failed, \(HCINames.status($0))" }
    }
}
