import HILAudit
import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// The packets with which an audit attacks accessories, against the phone itself.
@Suite("A phone and an accessory that sends anything")
struct HostileAccessoryTests {
    /// How many packets each seed sends.
    private static let packets = min(FuzzCampaign.steps, 100_000) / 4
    private let base = BluetoothStackTests()

    @Test(
        "The phone outlives an accessory's packets, and uses the accessory afterwards",
        arguments: AttackLayer.allCases, [FuzzCampaign.seed, FuzzCampaign.seed + 1])
    func survives(layer: AttackLayer, seed: UInt64) throws {
        var air = try base.air()
        var device = try base.connect(&air)
        var generator = AttackGenerator(layer, seed: seed)
        var links = 1
        for number in 0..<Self.packets {
            let packet = generator.next()
            let phone = try #require(air.devices[1].stack.connected.first, "packet \(number) of seed \(seed)")
            air.act(1) { $0.send(raw: packet.bytes, continues: packet.continues, to: phone, at: $1) }
            if number.isMultiple(of: 50) { air.advance(by: .milliseconds(10)) }
            guard air.devices[0].stack.connected.isEmpty else { continue }
            // A phone that ends a link says why, and takes the next one.
            links += 1
            device = try base.connect(&air)
        }
        #expect(links < Self.packets)
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
