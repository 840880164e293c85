import BoardProtocol
import Foundation
import RigModel
import Testing

@testable import HILAir

@Suite("Predicates over decoded traffic")
struct TrafficTests {
    private static let addresses: [UInt8] = [1, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 2]

    static func acl(channel: UInt8, _ message: [UInt8], boundary: UInt8 = 0) -> TrafficPacket {
        let payload = [UInt8(message.count), 0, channel, 0] + message
        return TrafficPacket(
            layer: .linkLayer, sender: .accessory, bytes: [1] + addresses + [boundary, 0] + payload)
    }

    static func wifi(_ control: [UInt8], qos: [UInt8] = [], _ body: [UInt8]) -> TrafficPacket {
        let header = control + [0, 0] + [UInt8](repeating: 2, count: 18) + [0, 0]
        return TrafficPacket(layer: .wifi, sender: .host, bytes: header + qos + body)
    }

    /// A message of the four-way handshake by its key information, with QoS or without.
    static func handshake(_ information: UInt16, isQoS: Bool = true) -> TrafficPacket {
        let key: [UInt8] = [2, 3, 0, 95, 2, UInt8(information >> 8), UInt8(information & 0xFF)]
        return wifi(
            [isQoS ? 0x88 : 0x08, 1], qos: isQoS ? [7, 0] : [],
            [0xAA, 0xAA, 3, 0, 0, 0, 0x88, 0x8E] + key + [UInt8](repeating: 0, count: 90))
    }

    @Test("Bluetooth: messages by their opcode where they begin, advertisements, and one board's packets")
    func bluetooth() {
        let publicKey = TrafficTests.acl(channel: 6, [0x0C, 1, 2])
        #expect(Traffic.smp(.publicKey).matches(publicKey) && Traffic.smp().matches(publicKey))
        #expect(Traffic.smp(.publicKey).sent(by: .accessory).matches(publicKey))
        #expect(!Traffic.smp(.publicKey).sent(by: .host).matches(publicKey))
        #expect(!Traffic.smp(.dhKeyCheck).matches(publicKey) && !Traffic.att().matches(publicKey))
        #expect(Traffic.acl.and(.containing([0x0C, 1, 2])).matches(publicKey))
        #expect(!Traffic.containing([2, 1]).matches(publicKey))
        let notification = TrafficTests.acl(channel: 4, [0x1B, 3, 0, 9])
        #expect(Traffic.att(opcode: 0x1B).matches(notification) && !Traffic.att(opcode: 0x0A).matches(notification))
        // On an enhanced bearer the message's length comes before it.
        let enhanced = TrafficTests.acl(channel: 0x40, [4, 0, 0x1B, 3, 0, 9])
        #expect(Traffic.att(opcode: 0x1B).matches(enhanced) && enhanced.payload == 21)
        #expect(!Traffic.att().matches(TrafficTests.acl(channel: 0x40, [9, 0, 0x1B, 3, 0, 9])))
        let rest = TrafficTests.acl(channel: 4, [0x1B, 3, 0, 9], boundary: 1)
        #expect(!Traffic.att().matches(rest) && Traffic.acl.matches(rest))
        let advertisement = TrafficPacket(
            layer: .linkLayer, sender: .accessory, bytes: [0x0B] + TrafficTests.addresses + [0, 0, 0, 2, 1, 6])
        #expect(Traffic.advertising.matches(advertisement) && Traffic.linkLayer(type: 0x0B).matches(advertisement))
        #expect(!Traffic.not(.advertising).matches(advertisement) && !Traffic.radio(.wifi).matches(advertisement))
    }

    @Test("Packets between host and controller match only if the predicate names them")
    func hci() {
        let command = TrafficPacket(layer: .hci(sentByHost: true), sender: .host, bytes: [1, 0x0D, 0x20, 1, 0])
        let event = TrafficPacket(layer: .hci(sentByHost: false), sender: .host, bytes: [4, 0x3E, 2, 0x0A, 0])
        #expect(!Traffic.everything.matches(command) && !Traffic.from(.host).matches(command))
        #expect(Traffic.hci(.command(opcode: 0x200D)).sent(by: .host).matches(command))
        #expect(!Traffic.hci(.command(opcode: 0x200E)).matches(command))
        #expect(Traffic.hci(.event(code: 0x3E, subevent: 0x0A)).matches(event))
        #expect(!Traffic.hci(.event(code: 0x3E, subevent: 1)).matches(event) && !Traffic.hci(.acl).matches(event))
    }

    @Test(
        "802.11: the messages of the four-way handshake",
        arguments: [(0x008A, 1), (0x010A, 2), (0x13CA, 3), (0x030A, 4), (0x1382, nil)] as [(UInt16, Int?)])
    func handshake(_ information: UInt16, _ message: Int?) {
        for isQoS in [true, false] {
            let packet = TrafficTests.handshake(information, isQoS: isQoS)
            #expect(Traffic.eapol().matches(packet) && !Traffic.data.matches(packet))
            #expect((1...4).filter { Traffic.eapol(message: $0).matches(packet) } == (message.map { [$0] } ?? []))
        }
    }

    @Test("802.11: SAE by transaction, data other than EAPOL, frames by type; encrypted frames match nothing else")
    func wifi() {
        let confirm = TrafficTests.wifi([0xB0, 0], [3, 0, 2, 0, 0, 0])
        #expect(Traffic.sae(2).matches(confirm) && !Traffic.sae(1).matches(confirm))
        #expect(!Traffic.authentication(algorithm: 0).matches(confirm))
        #expect(Traffic.frame(type: 0, subtype: 11).matches(confirm) && !Traffic.frame(type: 2).matches(confirm))
        let data = TrafficTests.wifi([0x08, 0x41], [1, 2, 3])
        #expect(Traffic.data.matches(data) && !Traffic.eapol().matches(data))
        #expect(!Traffic.data.matches(TrafficTests.wifi([0x48, 1], [])))
    }

    @Test("Packets of any bytes and length do not trap, and a cut message does not match")
    func hostile() {
        let predicates: [Traffic] = [
            .everything, .advertising, .acl, .att(), .smp(), .hci(.command(opcode: 1)),
            .hci(.event(code: 1, subevent: 2)),
            .hci(.acl), .frame(type: 0, subtype: 4), .sae(1), .eapol(message: 1), .data, .containing([1, 2]),
            .containing([]), .not(.data), .all([]), .any([]),
        ]
        let effects: [AirFault.Effect] = [
            .dropped, .doubled, .reordered, .altered(offset: 0, bytes: [9]), .altered(offset: .max, bytes: [9, 9]),
        ]
        var random = SystemRandomNumberGenerator()
        let wholes = [
            TrafficTests.acl(channel: 6, [1, 2, 3]).bytes, TrafficTests.handshake(0x008A).bytes,
            TrafficTests.wifi([0xB0, 0x80], [3, 0, 1, 0]).bytes, TrafficTests.wifi([0x88, 0x83], [3, 0, 1, 0]).bytes,
        ]
        let cut = wholes.flatMap { whole in (0...whole.count).map { Array(whole.prefix($0)) } }
        let noise = (0..<2000).map { _ in
            (0..<Int.random(in: 0...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        for bytes in cut + noise {
            for layer in [.hci(sentByHost: true), .hci(sentByHost: false), .linkLayer, .wifi] as [TrafficPacket.Layer] {
                let packet = TrafficPacket(layer: layer, sender: .host, bytes: bytes)
                for predicate in predicates { _ = predicate.matches(packet) }
                #expect(!packet.description.isEmpty)
                for effect in effects {
                    let bench = FaultInjector()
                    _ = bench.arm(AirFault(effect, when: .not(.hci(.acl))), firings: 1, client: 1)
                    if case .altered(let altered) = bench.judge(packet) { #expect(altered.count == bytes.count) }
                }
            }
        }
        let short = TrafficPacket(
            layer: .wifi, sender: .host, bytes: Array(TrafficTests.handshake(0x008A).bytes.prefix(39)))
        #expect(!Traffic.eapol(message: 1).matches(short) && Traffic.eapol().matches(short))
    }

    @Test("A predicate is encoded as JSON, and invalid JSON is an error")
    func coding() throws {
        let fault = AirFault.altered(
            .any([.smp(.publicKey).sent(by: .host), .not(.eapol(message: 3)), .hci(.event(code: 5))]), at: 1, to: [7])
        let json = try JSONEncoder().encode(fault)
        #expect(try JSONDecoder().decode(AirFault.self, from: json) == fault)
        for hostile in ["{}", #"{"effect":{"dropped":{}},"trigger":{"smp":{"_0":99}}}"#, #"{"effect":3}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(AirFault.self, from: Data(hostile.utf8)) }
        }
        let deep = String(repeating: #"{"not":{"_0":"#, count: 5000)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(Traffic.self, from: Data(deep.utf8)) }
    }
}
