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
}
