/// Makes the messages that a service gets from somebody who means harm: valid ones of the protocol, the same with damage, long
/// fields, and noise.
package enum AttackMessage: Sendable {
    /// A query of the Domain Name System (RFC 1035), also by multicast.
    case dns
    /// A message of a client for an address (RFC 2131).
    case dhcp
    /// A request of HTTP/1.1 (RFC 9112).
    case http
    /// The first message of TLS (RFC 8446).
    case tls

    /// The most bytes of a message.
    private static let longest = 2000

    /// The protocol that a port mostly has.
    package init(ofPort port: UInt16) {
        switch port {
        case 53, 5353: self = .dns
        case 67, 68: self = .dhcp
        case 443, 8443, 8883: self = .tls
        default: self = .http
        }
    }

    /// The first messages of a seed.
    package func bytes(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var chance = AttackChance(seed)
        return (0..<count).map { _ in
            let bytes =
                switch chance.number(below: 100) {
                case 0..<40: valid(&chance)
                case 40..<92: chance.damaged(valid(&chance))
                default: chance.bytes(chance.length())
                }
            return Array(bytes.prefix(AttackMessage.longest))
        }
    }

    private func valid(_ chance: inout AttackChance) -> [UInt8] {
        switch self {
        case .dns: AttackMessage.query(&chance)
        case .dhcp: AttackMessage.discovery(&chance)
        case .http: AttackMessage.request(&chance)
        case .tls: AttackMessage.hello(&chance)
        }
    }

    private static func big(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

    /// A length where readers often are wrong.
    private static func size(_ chance: inout AttackChance) -> Int {
        chance.happens(50)
            ? chance.number(in: 1...20) : chance.one(of: [0, 63, 64, 65, 127, 128, 255, 256, 1000, 1500])
    }

    private static func query(_ chance: inout AttackChance) -> [UInt8] {
        let questions = chance.happens(80) ? 1 : chance.edge()
        var bytes = big(chance.word()) + big(chance.happens(80) ? 0x0100 : chance.word())
        for count in [questions, 0, 0, chance.happens(80) ? 0 : chance.edge()] { bytes += big(count) }
        for _ in 0..<chance.number(in: 1...4) {
            // A label, one that says another length, or a pointer, perhaps to itself.
            if chance.happens(10) {
                return bytes + [0xC0, chance.one(of: [0, 12, UInt8(truncatingIfNeeded: bytes.count)])]
            }
            let label = chance.bytes(min(63, size(&chance)))
            bytes += [UInt8(chance.happens(85) ? label.count : chance.number(in: 0...255))] + label
        }
        return bytes + [0] + big(chance.one(of: [1, 12, 16, 28, 33, 255])) + big(1)
    }

    private static func discovery(_ chance: inout AttackChance) -> [UInt8] {
        var bytes: [UInt8] = [1, 1, chance.happens(85) ? 6 : chance.byte(), 0] + chance.bytes(4)
        bytes += [UInt8](repeating: 0, count: 20) + chance.bytes(6) + [UInt8](repeating: 0, count: 202)
        bytes += [0x63, 0x82, 0x53, 0x63, 53, 1, chance.one(of: [1, 3, 4, 7, 8, 255])]
        for _ in 0..<chance.number(in: 0...4) {
            let value = chance.bytes(min(255, size(&chance)))
            let told = chance.happens(80) ? value.count : chance.number(in: 0...255)
            bytes += [chance.one(of: [12, 50, 54, 55, 57, 60, 61, 81, chance.byte()]), UInt8(told)] + value
        }
        return bytes + [255]
    }

    private static func request(_ chance: inout AttackChance) -> [UInt8] {
        func letters(_ count: Int) -> String { String(repeating: "a", count: count) }
        let method = chance.one(of: ["GET", "GET", "POST", "PUT", "HEAD", letters(size(&chance))])
        let path = chance.one(of: ["/", "/../../etc/passwd", "/%00", "*", "/" + letters(size(&chance))])
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(letters(size(&chance)))"]
        if chance.happens(40) {
            lines.append("Content-Length: \(chance.one(of: ["0", "-1", "4294967296", "99999999999999999999", "12"]))")
        }
        if chance.happens(20) { lines.append("Transfer-Encoding: chunked\r\n\r\n\(letters(size(&chance)))") }
        if chance.happens(30) { lines.append("\(letters(size(&chance))): \(letters(size(&chance)))") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func hello(_ chance: inout AttackChance) -> [UInt8] {
        let session = chance.bytes(chance.one(of: [0, 32, 33, 255]))
        var body = [0x03, 0x03] + chance.bytes(32) + [UInt8(session.count)] + session
        body += big(chance.happens(70) ? 4 : chance.edge()) + [0x13, 0x01, 0xC0, 0x2F, 1, 0]
        let extensions = chance.bytes(size(&chance))
        body += big(chance.happens(70) ? UInt16(extensions.count) : chance.edge()) + extensions
        let length = chance.happens(80) ? UInt16(truncatingIfNeeded: body.count) : chance.edge()
        return [0x16, 0x03, 0x01] + big(length &+ 4) + [0x01, 0x00] + big(length) + body
    }
}
