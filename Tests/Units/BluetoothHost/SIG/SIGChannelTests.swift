import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases L2CAP of the Bluetooth SIG for LE links.
@Suite("SIG cases: L2CAP on LE links")
struct SIGChannelTests {
    private static let terms = CreditBasedTerms(mtu: 512, mps: 64, credits: 0)

    @Test(
        "Requests of other transports and reserved codes are rejected as not understood",
        .shows("L2CAP/LE/REJ/BI-02-C"), arguments: [L2CAPLink.Role.central, .peripheral])
    func unknownCommands(role: L2CAPLink.Role) {
        // Connection, configuration, echo, information, create and move channel, both enhanced requests; then reserved
        // ones.
        let codes: [UInt8] = [
            0x02, 0x04, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x17, 0x19, 0x1B, 0x1C, 0x1D, 0x55, 0xA3, 0xFF,
        ]
        for code in codes + (role == .peripheral ? [0x12] : []) {
            var link = L2CAPLink(role: role, transport: .le)
            for data in [[], [UInt8](repeating: 0, count: 8)] as [[UInt8]] {
                let outputs = link.hear(SignalingPacket(code: code, identifier: 7, data: data).bytes, on: 5)
                #expect(outputs.commands == [.commandReject(.notUnderstood)], "\(code)")
                #expect(outputs.packets.map(\.identifier) == [7])
            }
        }
        for code in [0x03, 0x05, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x18, 0x1A] as [UInt8] {
            var link = L2CAPLink(role: role, transport: .le)
            let outputs = link.hear(SignalingPacket(code: code, identifier: 7, data: []).bytes, on: 5)
            #expect(outputs.commands.allSatisfy { $0 == .commandReject(.notUnderstood) }, "\(code)")
        }
    }

    @Test("Each credit of the peer lets one frame go", .shows("L2CAP/LE/CFC/BV-06-C"))
    func credits() throws {
        var link = L2CAPLink(role: .peripheral, transport: .le)
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000)
        _ = link.hear(.creditBasedConnectionRequest(psm: 0x80, source: 0x40, terms: Self.terms))
        let channel = try #require(link.channels[0x40]?.id)
        for number in 0..<4 as Range<UInt8> {
            #expect(try link.send(sdu: [number], on: channel).frames.isEmpty, "without a credit nothing goes")
        }
        var sent: [[UInt8]] = []
        for credits in [1, 1, 2] as [UInt16] {
            let frames = link.hear(.flowControlCredit(channel: 0x40, credits: credits)).frames
            #expect(frames.count == Int(credits))
            sent += frames.map(\.payload)
        }
        #expect(sent == (0..<4 as Range<UInt8>).map { [1, 0, $0] })
    }

    @Test("SDUs of several channels may alternate", .shows("L2CAP/COS/CFC/BV-05-C"))
    func severalChannels() throws {
        var link = L2CAPLink(role: .peripheral, transport: .le)
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000)
        var channels: [LocalChannel] = []
        for source in [0x50, 0x51, 0x52] as [UInt16] {
            let terms = CreditBasedTerms(mtu: 512, mps: 64, credits: 5)
            let outputs = link.hear(.creditBasedConnectionRequest(psm: 0x80, source: source, terms: terms))
            for case .opened(let channel, _, _, _) in outputs { channels.append(channel) }
        }
        #expect(channels.count == 3)
        // Two SDUs of two frames each, and their frames take turns.
        var received: [LocalChannel: [[UInt8]]] = [:]
        for frame in [[4, 0, 1, 2], [3, 4]] as [[UInt8]] {
            for channel in channels.dropFirst() {
                for case .received(let channel, let sdu) in link.hear(frame, on: channel.cid) {
                    received[channel, default: []].append(sdu)
                }
            }
        }
        #expect(received == [channels[1]: [[1, 2, 3, 4]], channels[2]: [[1, 2, 3, 4]]])
    }

    @Test("SDUs of about the MPS, of about twice of it, and of the MTU arrive", .shows("L2CAP/LE/CFC/BV-32-C"))
    func lengths() throws {
        var own = L2CAPConfiguration()
        own.mps = 64
        own.initialCredits = 100
        var link = L2CAPLink(role: .central, transport: .le, configuration: own)
        let (channel, outputs) = try link.open(psm: 0x80, mtu: 200, at: .zero)
        guard case .creditBasedConnectionRequest(_, _, let terms)? = outputs.commands.first else {
            return #expect(Bool(false), "\(outputs)")
        }
        _ = link.hear(.creditBasedConnectionResponse(destination: 0x50, terms: Self.terms, result: 0))
        let mps = Int(terms.mps)
        for length in [mps, mps - 1, mps + 1, mps * 2, mps * 2 + 1, Int(terms.mtu)] {
            let sdu = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            // The length of the SDU is part of the first frame's payload.
            var rest = [UInt8(length & 0xFF), UInt8(length >> 8)] + sdu
            var heard: [L2CAPLink.Output] = []
            while !rest.isEmpty {
                heard += link.hear(Array(rest.prefix(mps)), on: channel.cid)
                rest = Array(rest.dropFirst(mps))
            }
            #expect(heard.contains(.received(channel, sdu)), "\(length): \(heard)")
            #expect(heard.commands.allSatisfy { if case .disconnectionRequest = $0 { false } else { true } })
            _ = link.consumed(on: channel)
        }
        #expect(link.channel(channel)?.isOpen == true)
    }
}
