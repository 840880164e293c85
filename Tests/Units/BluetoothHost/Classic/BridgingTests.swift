import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Bridging to classic Bluetooth")
struct BridgingTests {
    private typealias Bench = BridgingBench

    @Test("The phone calls, authenticates with the bond's key, encrypts, opens the channel, and ends the link in order")
    func journey() {
        var bench = Bench()
        let id = bench.bridge()
        #expect(bench.link(id) == Bench.link)
        #expect(bench.accessory.opcodes == Bench.order)
        let name: [UInt8] = Bench.address.bytes.reversed()
        #expect(bench.accessory.parameters(of: 0x0405).first?.prefix(6) == name[...])
        #expect(bench.accessory.parameters(of: 0x040B) == [name + Bench.key.leastSignificantFirst])
        #expect(bench.accessory.parameters(of: 0x0413).first?.last == 1)
        // One byte, after which the accessory closes the channel; the phone ends the link as its user does.
        #expect(bench.accessory.received == [[0]] && bench.accessory.l2cap.channels.isEmpty)
        #expect(bench.accessory.parameters(of: 0x0406).first?.last == HCIError.remoteUserEnded.rawValue)
        bench.expectFree()
    }

    @Test("The key of a pairing by LE bridges, and the LE link stays")
    func afterPairing() throws {
        var peripheral = HostPersonality.iPhone
        peripheral.pairing.capability = .noInputNoOutput
        peripheral.pairing.consent = .never
        let address = DeviceAddress(bytes: [2, 0, 0, 0, 0, 2])!  // six bytes
        var air = LocalAir([.iPhone, peripheral], classic: ClassicAccessory(address, linkKey: nil))
        air.act(1) { $0.advertise(AdvertisingContent(name: "Lamp"), at: $1) }
        air.act(0) { $0.scan(ScanSettings(), at: $1) }
        air.advance(by: .milliseconds(100))
        let heard = air.takeEvents(0).compactMap { if case .heard(let discovery) = $0 { discovery } else { nil } }
        let device = try #require(heard.first).device.address
        _ = air.perform(0, .connect(device))
        _ = air.perform(0, .pair(device))
        air.act(0) { $0.confirm(device, true, at: $1) }
        #expect(air.devices[0].stack.bonds[address] != nil)
        // The accessory knows the phone by the phone's own identity address.
        let own = try #require(air.devices[1].stack.bonds[air.devices[0].address]?.keys.keys.linkKey)
        air.classic?.linkKey = own.leastSignificantFirst

        let id = air.perform(0, .bridge(address, psm: Bench.psm))
        guard case .success(.bridged(let link))? = air.result(0, id) else {
            Issue.record("\(String(describing: air.result(0, id)))")
            return
        }
        #expect(link.address == address && link.keySize == 16)
        #expect(link.key == Bond(isSecureConnections: true, isAuthenticated: false))
        #expect(air.devices[0].stack.connected == [address])
        let signal = air.perform(0, .signal(address))
        guard case .success? = air.result(0, signal) else {
            Issue.record("the LE link is lost")
            return
        }
    }

    @Test("On the port of service discovery the phone searches, and closes the channel after the answer")
    func serviceDiscovery() {
        var bench = Bench { $0.reaction = .answers }
        let id = bench.bridge(psm: 1)
        #expect(bench.link(id) == Bench.link)
        #expect(bench.accessory.received == [HostPersonality.iPhone.classic.serviceSearch])
        bench.expectFree()
    }

    @Test("A device that neither answers nor hangs up has 10 s, then the phone closes the channel")
    func nothingFollows() {
        var bench = Bench { $0.reaction = .nothing }
        let id = bench.bridge()
        bench.air.advance(by: .seconds(9))
        #expect(bench.air.result(0, id) == nil && !bench.accessory.l2cap.channels.isEmpty)
        bench.air.advance(by: .seconds(1))
        #expect(bench.link(id) == Bench.link && bench.accessory.l2cap.channels.isEmpty)
        bench.expectFree()
    }

    @Test("A device that does not confirm the end of the channel has 5 s, then the link ends")
    func endUnconfirmed() {
        var bench = Bench { $0.reaction = .nothing }
        let id = bench.bridge()
        bench.air.classic?.isDeaf = true
        bench.air.advance(by: .seconds(14))
        #expect(bench.air.result(0, id) == nil && bench.accessory.isLinked)
        bench.air.advance(by: .seconds(1))
        #expect(bench.link(id) == Bench.link)
        bench.expectFree()
    }

    @Test("A link that is lost after the channel was open has bridged")
    func lostAfterwards() {
        var bench = Bench { $0.reaction = .nothing }
        let id = bench.bridge()
        bench.loseLink()
        #expect(bench.link(id) == Bench.link)
        bench.expectFree()
    }

    @Test("The result does not wait for a controller that ends the link slowly, but the next device does")
    func slowEnd() throws {
        var bench = Bench { $0.replies[0x0406] = .events([]) }
        let first = bench.bridge()
        let second = bench.bridge()
        bench.air.advance(by: .seconds(5))
        #expect(bench.link(first) == Bench.link && bench.air.result(0, second) == nil)
        bench.air.advance(by: .seconds(60))
        #expect(bench.air.result(0, second) == nil)
        bench.air.classic?.replies = [:]
        bench.loseLink(.localHostEnded)
        #expect(bench.link(second) == Bench.link)
        bench.expectFree()
    }

    @Test("Requests take turns")
    func turns() {
        var bench = Bench { $0.reaction = .nothing }
        let ids = (0..<3).map { _ in bench.bridge() }
        for (number, id) in ids.enumerated() {
            #expect(bench.accessory.parameters(of: 0x0405).count == number + 1)
            bench.loseLink()
            #expect(bench.link(id) == Bench.link)
        }
        bench.expectFree()
    }

    @Test("The accessory may encrypt the link first, and a controller may tell the size of the key by itself")
    func encryptedByPeer() {
        var bench = Bench { $0.replies[0x0411] = .events([]) }
        let id = bench.bridge()
        bench.hear(bench.accessory.encrypted())
        #expect(!bench.accessory.opcodes.contains(0x1408))
        bench.hear(bench.accessory.authenticated(.success))
        #expect(bench.link(id) == Bench.link && !bench.accessory.opcodes.contains(0x0413))

        bench = Bench { $0.replies[0x0413] = .events([]) }
        let other = bench.bridge()
        let handle = bench.accessory.handle
        bench.hear([4, 0x59, 5, 0, UInt8(handle & 0xFF), UInt8(handle >> 8), 2, 9])
        #expect(bench.link(other)?.keySize == 9 && !bench.accessory.opcodes.contains(0x1408))
    }

    @Test("The accessory gets no channel of its own, and its own questions are answered")
    func peerOpens() throws {
        var bench = Bench { $0.replies[0x0411] = .events([]) }
        let id = bench.bridge()
        // Before the authentication, as BlueZ does.
        bench.accessoryDoes { l2cap, now in (try? l2cap.open(psm: 1, at: now).1) ?? [] }
        bench.accessoryDoes { l2cap, now in (try? l2cap.requestInformation(.fixedChannels, at: now)) ?? [] }
        #expect(bench.accessory.l2cap.pending.isEmpty && bench.accessory.l2cap.channels.isEmpty)
        // Signalling, and no SMP.
        #expect(bench.accessory.information == [.fixedChannels: 0x02])
        #expect(bench.notes().contains { $0.contains("PSM 0x0001: PSM not supported") })
        bench.hear(bench.accessory.authenticated(.success))
        #expect(bench.link(id) == Bench.link)
    }

    @Test("A packet of SMP over BR/EDR, which the phone does not have, does no harm")
    func classicSMP() {
        var bench = Bench { $0.reaction = .nothing }
        let id = bench.bridge()
        bench.hear(bench.accessory.packet([7, 0, 7, 0, 1, 3, 0, 0x0D, 16, 3, 3]))
        #expect(bench.notes().contains { $0.contains("SMP over BR/EDR") })
        bench.loseLink()
        #expect(bench.link(id) == Bench.link)
    }
}
