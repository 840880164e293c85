/// A pcapng file with packets, by interface.
func pcapng(_ interfaces: [(interface: String, packets: [[UInt8]])]) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4) }
    func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let body = padded(body)
        let size = number(UInt32(body.count + 12))
        return number(type) + size + body + size
    }
    let section = block(0x0A0D_0D0A, number(0x1A2B_3C4D) + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8))
    let descriptions = interfaces.map { interface, _ in
        let name = Array(interface.utf8)
        return block(1, [105, 0, 0, 0, 0, 0, 0, 0, 2, 0, UInt8(name.count), 0] + padded(name) + [0, 0, 0, 0])
    }
    let packets = interfaces.enumerated().flatMap { index, interface in
        interface.packets.map { bytes in
            let size = number(UInt32(bytes.count))
            return block(6, number(UInt32(index)) + [UInt8](repeating: 0, count: 8) + size + size + bytes)
        }
    }
    return section + descriptions.joined() + packets.joined()
}
