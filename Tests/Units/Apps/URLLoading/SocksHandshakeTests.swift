import Network
import Testing

@testable import HILURLLoading

@Suite("A handshake of SOCKS")
struct SocksHandshakeTests {
    private static let greeting: [UInt8] = [5, 2, 0, 1]
    private static let done: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    private static func request(_ kind: UInt8, _ address: [UInt8], port: UInt16 = 80, command: UInt8 = 1) -> [UInt8] {
        [5, command, 0, kind] + address + [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
    }

    private static func name(_ name: String) -> [UInt8] { [UInt8(name.utf8.count)] + name.utf8 }

    /// The handshake after the greeting.
    private static var greeted: SocksHandshake {
        var handshake = SocksHandshake()
        _ = handshake.take(greeting)
        return handshake
    }

    @Test("names the host by its address or its name, however the bytes arrive")
    func hosts() throws {
        let hosts: [(UInt8, [UInt8], NWEndpoint.Host)] = [
            (1, [192, 168, 4, 1], "192.168.4.1"),
            (3, Self.name("lamp.local"), "lamp.local"),
            // libcurl gives an address in a name as well.
            (3, Self.name("10.0.0.7"), "10.0.0.7"),
            (4, [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1], "fe80::1"),
        ]
        for (kind, address, host) in hosts {
            let request = Self.request(kind, address, port: 8080)
            var whole = Self.greeted
            #expect(whole.take(request) == .connect(host, 8080, Self.done))
            var handshake = SocksHandshake()
            let steps = (Self.greeting + request).map { handshake.take([$0]) }.filter { $0 != .wait }
            #expect(steps == [.answer([5, 0]), .connect(host, 8080, Self.done)])
        }
    }

    @Test("is refused to a client that cannot do without authentication, or speaks another protocol")
    func greetings() {
        var handshake = SocksHandshake()
        #expect(handshake.take([5, 1, 2]) == .refuse([5, 0xFF]))
        handshake = SocksHandshake()
        #expect(handshake.take([5, 0]) == .refuse([5, 0xFF]))
        handshake = SocksHandshake()
        #expect(handshake.take([4, 1]) == .refuse([]))
        handshake = SocksHandshake()
        #expect(handshake.take(Array("GET / HTTP/1.1".utf8)) == .refuse([]))
    }

    @Test("refuses what is no connection, and what is no host")
    func requests() {
        let bad: [([UInt8], UInt8)] = [
            (Self.request(1, [1, 2, 3, 4], command: 2), 7), (Self.request(2, [1, 2, 3, 4]), 8),
            (Self.request(3, Self.name("")), 1), (Self.request(3, [2, 0xC3, 0x28]), 1),
        ]
        for (request, code) in bad {
            var handshake = Self.greeted
            #expect(handshake.take(request) == .refuse([5, code, 0, 1, 0, 0, 0, 0, 0, 0]))
        }
        var handshake = Self.greeted
        #expect(handshake.take([4, 1, 0, 1, 1]) == .refuse([]))
    }

    @Test("waits for more after any beginning of a request")
    func beginnings() {
        let request = Self.request(3, Self.name("lamp.local"))
        for count in 0..<request.count {
            var handshake = Self.greeted
            #expect(handshake.take(Array(request.prefix(count))) == .wait)
        }
    }
}
