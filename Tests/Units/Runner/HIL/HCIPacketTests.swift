import RadioModel
import Testing

@testable import HIL

/// What captured packets tell about LE links.
struct HCIPacketTests {
    @Test("Packets of a fixed channel are found, also in either direction; pieces are left out")
    func channels() {
        let request: [UInt8] = [0x02, 0x05, 0x02]
        func acl(_ flags: UInt8, _ channel: UInt8, _ body: [UInt8], length: UInt8? = nil) -> HCIPacket {
            .acl([0x40, flags, UInt8(body.count + 4), 0, length ?? UInt8(body.count), 0, channel, 0] + body)
        }
        let packets = [
            acl(0x00, 4, request), acl(0x20, 4, request), acl(0x10, 4, request), acl(0x20, 6, [1]),
            acl(0x20, 4, request, length: 9), .acl([0x40]), .acl([]), .data, .event(4, request),
        ]
        #expect(packets.packets(onChannel: 4) == [request, request])
        #expect(packets.packets(onChannel: 6) == [[1]])
    }

    @Test("The address on the air is told for each link, also behind one that a controller has resolved")
    func peers() {
        let onAir = DeviceAddress(bytes: [0x4F, 2, 3, 4, 5, 6])!
        let known = DeviceAddress(bytes: [0x02, 0, 0, 0, 0, 1])!
        let plain: [UInt8] = [0x01, 0, 0x40, 0, 1, 1] + onAir.bytes.reversed() + [0, 0, 0, 0, 0, 0, 0]
        let resolved: [UInt8] =
            [0x0A, 0, 0x40, 0, 1, 2] + known.bytes.reversed() + [0, 0, 0, 0, 0, 0] + onAir.bytes.reversed()
            + [0, 0, 0, 0, 0, 0, 0]
        let failed: [UInt8] = [0x01, 0x3E] + plain.dropFirst(2)
        let packets = [plain, resolved, failed, Array(plain.prefix(8)), []].map { HCIPacket.event(0x3E, $0) }
        #expect(packets.peersOnAir == [onAir, onAir])
        #expect(onAir.isResolvablePrivate && !known.isResolvablePrivate)
    }

    @Test("Whatever was captured, it is read", arguments: 0..<300)
    func anyBytes(seed: Int) {
        var number = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
        let bytes = (0..<seed % 40).map { _ -> UInt8 in
            number = number &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: number >> 56)
        }
        let packets = [HCIPacket.acl(bytes), .event(0x3E, [0x0A, 0] + bytes), .event(0x3E, bytes)]
        _ = (packets.packets(onChannel: 4), packets.peersOnAir)
    }
}
