import HILAudit
import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// The packets with which an audit attacks accessories, against the phone itself.
@Suite("A phone and an accessory that sends anything")
struct HostileAccessoryTests {
    /// How many packets each seed sends: few enough that no address changes meanwhile.
    private static let packets = min(FuzzCampaign.steps / 20, 5000)
    private let base = BluetoothStackTests()

    @Test(
        "The phone outlives an accessory's packets, and uses the accessory afterwards",
        arguments: AttackLayer.allCases, [FuzzCampaign.seed, FuzzCampaign.seed + 1])
    func survives(layer: AttackLayer, seed: UInt64) throws {
        var air = try base.air()
        // The accessory's own host must not end links for answers to packets that it did not send.
        let tap = PacketTap { packet in
            guard packet.direction == .received else { return .pass }
            let opcode = packet.frame.payload.first.flatMap(ATTOpcode.init)
            return packet.frame.channel == .attributes && opcode?.isForServer == true ? .pass : .drop
        }
        air.act(1) { stack, _ in
            stack.tap(tap)
            return []
        }
        var device = try base.connect(&air)
        var generator = AttackGenerator(layer, seed: seed)
        var links = 1
        for number in 0..<Self.packets {
            let packet = generator.next()
            // The phone may end a link on which nonsense comes.
            if air.devices[1].stack.connected.isEmpty {
                links += 1
                device = try base.connect(&air)
            }
            let phone = try #require(air.devices[1].stack.connected.first, "packet \(number) of seed \(seed)")
            air.act(1) { $0.send(raw: packet.bytes, continues: packet.continues, to: phone, at: $1) }
            if number.isMultiple(of: 50) { air.advance(by: .milliseconds(10)) }
        }
        #expect(links < Self.packets / 2, "seed \(seed)")
        let held = air.devices[0].stack.held.count
        #expect(held == 0)
        // What was begun and never ended must not keep the accessory from being used.
        let end = air.perform(0, .disconnect(device))
        air.advance(by: .seconds(2))
        #expect(air.result(0, end) != nil)
        device = try base.connect(&air)
        let handles = try base.discover(&air, device)
        let handle = try #require(handles[BluetoothStackTests.value])
        #expect(base.readValue(&air, device, handle) == Array("on".utf8), "seed \(seed), after \(links) links")
    }
}
