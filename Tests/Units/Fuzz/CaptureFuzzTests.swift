import HILConversation
import RadioModel
import Testing

/// Captures are files of strangers.
@Suite struct CaptureFuzzTests {
    private static func line(_ layers: String) -> [UInt8] {
        Array(
            """
            {"layers":{"frame":{"frame_frame_number":"7","frame_frame_time_epoch":"1795886966.570567566",\
            "frame_frame_interface_name":"host-hci0","frame_frame_p2p_dir":"0"},\(layers)}}
            """.utf8)
    }

    @Test("A line of tshark is a frame, no frame, or an error")
    func lines() async {
        let fuzzer = Fuzzer(corpus: [
            Self.line(#""bthci_cmd_raw":"0d2019600060000001f6f5f4f3f2f1010c0018000000480000000000""#),
            Self.line(#""bthci_acl_raw":"0100070003000400020502","btl2cap_raw":["03000400020502","01"]"#),
            Self.line(
                #""wlan_raw":"b0003a010200000002000200000001000200000002000000","wlan_wlan_mgt_raw":"000001000000""#),
            Self.line(#""hci_mon":{"hci_mon_hci_mon_opcode":"0x0004"},"nordic_ble_raw":"001a00030200060a03""#),
        ])
        await fuzzer.run("CapturedFrame") { bytes, _ in
            do throws(UnreadableCapture) { _ = try CapturedFrame(line: bytes) } catch {}
        }
    }

    @Test("Packets in any form make conversations with bounds, of which each is like itself")
    func packets() async {
        let connected: [UInt8] = [
            0x3E, 19, 1, 0, 1, 0, 0, 1, 1, 2, 3, 4, 5, 0xF6, 24, 0, 0, 0, 72, 0, 0,
        ]
        let fuzzer = Fuzzer(corpus: [
            [0x02, 0x05, 0x02], [0x09, 7, 2, 0, 2, 3, 0, 0, 0x2A], [0x08, 1, 0, 0xFF, 0xFF, 3, 0x28],
            [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28], [0x11, 6, 1, 0, 5, 0, 0, 0x18], [0x05, 1, 9, 0, 2, 0x29],
            [0x12, 9, 0, 1, 0], [0x1B, 8, 0, 1], [0x01, 4, 0, 0x0D, 16, 3, 3], [0x05, 8], [0x0B, 5],
        ])
        await fuzzer.run("ConversationReader") { bytes, numbers in
            var reader = ConversationReader(name: "fuzzed")
            for number in 1...8 {
                var frame = CapturedFrame(number: number, time: UInt64.random(in: 0...UInt64.max, using: &numbers))
                frame.isSent = Bool.random(using: &numbers)
                let channel: UInt8 = [4, 5, 6, 0x3A].randomElement(using: &numbers) ?? 4
                let length = [UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8 & 0xFF)]
                frame.contents =
                    switch Int.random(in: 0..<6, using: &numbers) {
                    case 0: [.command(bytes)]
                    case 1: [.event(bytes)]
                    case 2: [.linkLayer(bytes)]
                    case 3: [.event(connected)]
                    default: [.data(length + [channel, 0] + bytes, handle: 1)]
                    }
                try reader.take(frame)
            }
            for conversation in reader.conversations {
                let parity = ConversationParity(conversation, conversation)
                guard parity.isSame else { throw Fuzzer.Finding("a conversation differs from itself") }
                _ = LearnedPhone([conversation])
            }
        }
    }

    @Test("Frames of Wi-Fi in any form make conversations with bounds, of which each is like itself")
    func frames() async {
        let station = [UInt8](repeating: 2, count: 6)
        let point = [UInt8](repeating: 4, count: 6)
        func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
        let toPoint = joined([8, 1, 0, 0], point, station, point, [0, 0])
        let fromPoint = joined([8, 2, 0, 0], station, point, point, [0, 0])
        let zeros = [UInt8](repeating: 0, count: 202)
        let association: [UInt8] = [
            1, 4, 20, 0, 0, 3, 0x41, 0x42, 0x43, 1, 2, 0x82, 0x84, 48, 28, 1, 0, 0, 15, 0xAC, 4, 1, 0, 0, 15, 0xAC, 4,
            2, 0,
            0, 15, 0xAC, 2, 0, 15, 0xAC, 8, 0x80, 0, 0, 0, 0, 0,
        ]
        let options: [UInt8] = [0x63, 0x82, 0x53, 0x63, 53, 1, 1, 55, 3, 1, 3, 6, 12, 2, 0x69, 0x50, 61, 200, 1]
        let lease = joined([1, 1, 6, 0, 0, 0, 0, 1], Array(zeros.prefix(20)), station, zeros, options)
        let corpus: [[UInt8]] = [
            [3, 0, 1, 0, 126, 0, 19, 0], [0, 0, 1, 0, 0, 0], association, lease,
            joined([2, 3, 0, 117, 2, 0, 0x88], Array(zeros.prefix(100))), [1, 0, 0, 6, 1, 1, 0, 6, 13, 0],
            [0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0x61, 0x62, 0x63, 0, 0, 28, 0, 1],
            Array("GET /a?b HTTP/1.1\r\nHost: c\r\n\r\n".utf8), Array("HTTP/1.1 204 No\r\n".utf8),
            [0xC3, 0x51, 0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 2, 0, 0, 0, 0],
        ]
        let fuzzer = Fuzzer(corpus: corpus)
        await fuzzer.run("WiFiConversation") { bytes, numbers in
            var reader = ConversationReader(name: "fuzzed")
            for number in 1...10 {
                var frame = CapturedFrame(number: number, time: UInt64.random(in: 0...UInt64.max, using: &numbers))
                let subtype = UInt8([0, 1, 4, 5, 8, 10, 11, 12].randomElement(using: &numbers) ?? 0) << 4
                let isByStation = Bool.random(using: &numbers)
                let head = isByStation ? toPoint : fromPoint
                let body: WiFiPacket.Body =
                    switch Int.random(in: 0..<8, using: &numbers) {
                    case 0: .eapol(bytes)
                    case 1: .dhcp(bytes)
                    case 2: .dns(bytes, isMulticast: Bool.random(using: &numbers))
                    case 3: .http(bytes)
                    case 4: .tcp(bytes)
                    default: .management(bytes)
                    }
                var packet = WiFiPacket(header: head, body: body)
                if case .management = body {
                    packet.header = [subtype, 0] + Array(head.dropFirst(2))
                }
                if Int.random(in: 0..<20, using: &numbers) == 0 { packet.header = bytes }
                // So that more than the first step is met.
                if number == 1 {
                    packet.header = [0xB0, 0] + Array(toPoint.dropFirst(2))
                    packet.body = .management([0, 0, 1, 0, 0, 0])
                }
                frame.contents = [.wifi(packet)]
                try reader.take(frame)
            }
            for conversation in reader.conversations {
                let parity = ConversationParity(conversation, conversation)
                guard parity.isSame else { throw Fuzzer.Finding("a conversation differs from itself") }
                _ = LearnedPhone([conversation])
            }
        }
    }
}
