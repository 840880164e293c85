import HILBluetoothHost
import Testing

@testable import HILAudit

@Suite("The packets of an audit's attacks")
struct AttackGeneratorTests {
    @Test("A seed gives the same packets everywhere, and another one gives others", arguments: AttackLayer.allCases)
    func seeds(layer: AttackLayer) {
        let packets = AttackGenerator.packets(500, for: layer, seed: 7)
        #expect(packets == AttackGenerator.packets(500, for: layer, seed: 7))
        #expect(packets != AttackGenerator.packets(500, for: layer, seed: 8))
        #expect(packets.prefix(100) == AttackGenerator.packets(100, for: layer, seed: 7)[...])
    }

    /// If one of these changes, a seed that somebody noted no longer gives the packets that were found with it.
    @Test(
        "The first packets of seed 1 are the same on every machine",
        arguments: [
            (
                AttackLayer.attributes,
                ["17000400520A0075A89661FEC08AA83B63F1EE08469CCDAC9FF735", "02000400233C", "05000400040700FFFF"]
            ),
            (
                .channels,
                ["100005000B010C0001000000A575A89661FEC08A", "09006C0035AB278A84BA6D1C17", "14000400", "+12008138"]
            ),
            (.security, ["110006000880A575A89661FEC08AA83B63F1EE0846", "070006000101000D100C0F"]),
        ])
    func known(layer: AttackLayer, texts: [String]) {
        #expect(AttackGenerator.packets(texts.count, for: layer, seed: 1, lastHandle: 16).map(\.text) == texts)
    }

    @Test("Packets of the attribute protocol have each opcode, the edges of handles, and lengths up to 512 bytes")
    func attributes() throws {
        let packets = AttackGenerator.packets(10_000, for: .attributes, seed: 1, lastHandle: 20)
        let payloads = packets.map { Array($0.bytes.dropFirst(4)) }
        let opcodes = Set(payloads.compactMap(\.first))
        #expect(ATTOpcode.allCases.allSatisfy { opcodes.contains($0.rawValue) })
        let pdus = payloads.compactMap { try? ATTPDU.decode($0) }
        #expect((3000..<8000).contains(pdus.count))
        let written = pdus.compactMap {
            if case .writeRequest(let handle, let value) = $0 { (handle, value) } else { nil }
        }
        let handles = Set(written.map(\.0))
        #expect(handles.isSuperset(of: Array(1...20) + [0, 0xFFFF]))
        #expect((written.map(\.1.count).max() ?? 0) > 500 && written.contains { $0.1.isEmpty })
        #expect(packets.contains { $0.question != nil } && packets.contains { $0.isHasty })
    }

    @Test("Packets of L2CAP have each signalling command, channels that are not open, pieces and wrong headers")
    func channels() throws {
        let packets = AttackGenerator.packets(10_000, for: .channels, seed: 1)
        let frames = packets.compactMap { $0.continues ? nil : try? L2CAPFrame($0.bytes) }
        let codes = Set(frames.filter { $0.channel == .leSignaling }.compactMap(\.payload.first))
        #expect(SignalingCode.allCases.allSatisfy { codes.contains($0.rawValue) })
        #expect(Set(frames.map(\.channel.rawValue)).isSuperset(of: [0x0000, 0x0001, 0x0004, 0x0006, 0x0040, 0xFFFF]))
        #expect(packets.filter(\.continues).count > 300)
        let isWrong = packets.filter { !$0.continues && (try? L2CAPFrame($0.bytes)) == nil }
        #expect(isWrong.count > 500)
    }

    @Test("Packets of the security manager have each command, and whole beginnings of each kind of pairing")
    func security() throws {
        let packets = AttackGenerator.packets(10_000, for: .security, seed: 1)
        let frames = packets.compactMap { try? L2CAPFrame($0.bytes) }.filter { $0.channel == .securityManager }
        let commands = frames.map { try? SMPCommand($0.payload) }
        let codes = Set(commands.compactMap { $0?.code })
        #expect(codes == Set(SMPCommand.Code.allCases))
        let words = commands.map { $0?.code }
        for course: [SMPCommand.Code] in [
            [.pairingRequest, .publicKey, .pairingRandom, .dhKeyCheck],
            [.pairingRequest, .publicKey, .pairingConfirm, .pairingRandom],
            [.pairingRequest, .pairingConfirm, .pairingRandom, .encryptionInformation],
        ] {
            let isThere = words.indices.dropLast(course.count).contains { place in
                words[place..<place + course.count].elementsEqual(course)
            }
            #expect(isThere, "\(course)")
        }
        #expect(frames.contains { (try? SMPCommand($0.payload)) == nil })
    }

    @Test("A packet is kept as text, and read again; a list of them knows which are suspected")
    func texts() throws {
        let packets = AttackGenerator.packets(300, for: .channels, seed: 3)
        #expect(packets.map { AttackPacket($0.text) } == packets)
        #expect(AttackPacket("+!0A")?.continues == true && AttackPacket("+!0A")?.isHasty == true)
        for broken in ["0", "0g", "++x", "-00"] { #expect(AttackPacket(broken) == nil) }
        let list = PacketList(packets, suspects: 12)
        #expect(PacketList(list.text) == list)
        #expect(Array(list.suspected) == packets.suffix(12))
        for broken in [
            "", "00\n", "suspected: the last x of 1 packets\n00\n", "suspected: the last 1 of 1 packets\n0\n",
        ] {
            #expect(PacketList(broken) == nil)
        }
    }

    @Test("A packet says what it is")
    func descriptions() {
        let write = AttackPacket("0400040012030001")
        #expect(write?.description == "Write Request, handle 0x0003: 12 03 00 01")
        #expect(AttackPacket("02000400120F")?.description == "a malformed Write Request: 12 0F")
        #expect(AttackPacket("FF0004001203")?.description == "a frame with a wrong header: FF 00 04 00 12 03")
        #expect(AttackPacket("+1203")?.description == "more of the frame before: 12 03")
        #expect(AttackPacket("0200060005FF")?.description == "Pairing Failed: 05 FF")
    }
}
