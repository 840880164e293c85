import Framing
import RadioModel
import Testing
import VirtualRadio

@testable import Air
@testable import HIL
@testable import VirtualRig

/// Readers of bytes that come from a board, from QEMU or out of a file: whatever the bytes, they neither trap nor lie.
@Suite(.serialized)
struct ReaderFuzzTests {
    private static let radioMessages: [RadioMessage] = [
        .reset(token: 7), .ready(token: 0), .attach(address: DeviceAddress("02:00:00:00:01:B0")!, channels: 2),
        .attached(name: "hci0"), .detach, .detached(reason: "gone"), .packet([1, 3, 0x0C, 0]),
        .packet([2, 1, 0x20, 3, 0, 1, 2, 3]), .packet([4, 0x0E, 4, 1, 3, 0x0C, 0]),
        .transmit(
            WiFiTransmission(
                cookie: 1, flags: 1, frequency: 2412, rates: [WiFiRate(index: 0, tries: 1)],
                frame: [UInt8](repeating: 0x80, count: 40))),
        .status(WiFiStatus(cookie: 1, flags: 4, signal: -40, rates: [])),
        .receive(WiFiReception(frequency: 2412, signal: -40, rate: 0, frame: [0x80, 0, 0, 0])),
        .hears(DeviceAddress("02:00:00:00:01:00")!, true), .note("hello"),
    ]

    private func frames(_ items: [FrameReader.Item]) -> [Frame] {
        items.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    @Test("A stream of frames reads the same however it is cut, and never holds more than a frame")
    func frames() async {
        let limit = 512
        await Fuzzer(corpus: Self.radioMessages.map(\.frame.bytes)).run("frames") { bytes, numbers in
            var whole = FrameReader(limit: limit)
            let expected = frames(whole.push(bytes) + whole.finish())
            var reader = FrameReader(limit: limit)
            var read: [FrameReader.Item] = []
            var most = 0
            inPieces(bytes, &numbers) { piece in
                read += reader.push(piece)
                most = max(most, reader.pendingCount)
            }
            read += reader.finish()
            guard frames(read) == expected else { throw Fuzzer.Finding("cut, it reads otherwise") }
            guard most <= Frame.headerSize + limit else { throw Fuzzer.Finding("it holds \(most) bytes") }
        }
    }

    @Test("A message of the air that is taken is one that the air could have sent")
    func radioMessages() async {
        let corpus = Self.radioMessages.map(\.frame).map { [$0.kind] + $0.payload }
        await Fuzzer(corpus: corpus).run("the air's messages") { bytes, _ in
            guard let kind = bytes.first else { return }
            let frame = Frame(kind: kind, payload: Array(bytes.dropFirst()))
            guard let message = try? RadioMessage(frame) else { return }
            guard try RadioMessage(message.frame) == message else { throw Fuzzer.Finding("it changes on its way") }
        }
    }

    @Test("An H4 packet that is taken is whole, and a broken HCI command gets an answer that is")
    func h4() async {
        let corpus: [[UInt8]] = [
            [1, 3, 0x0C, 0], [1, 0x01, 0x04, 5, 0x33, 0x8B, 0x9E, 8, 0], [2, 1, 0x20, 3, 0, 1, 2, 3],
            [3, 1, 0, 2, 9, 9], [4, 0x0E, 4, 1, 3, 0x0C, 0], [5, 0, 0, 1, 0, 7],
            [1, 0x39, 0x20, 6, 1, 1, 0, 0, 0, 0],
        ]
        await Fuzzer(corpus: corpus).run("H4 packets") { bytes, _ in
            guard H4.problem(with: bytes) == nil else { return }
            guard bytes.count >= 3 else { throw Fuzzer.Finding("a packet of \(bytes.count) bytes is taken") }
            var guardian = HCIGuard()
            switch guardian.judge(bytes) {
            case .pass, .drop: break
            case .answer(let event, _), .refuse(let event, _):
                if let problem = H4.problem(with: event) { throw Fuzzer.Finding("the answer is broken: \(problem)") }
            }
        }
    }

    @Test("QEMU's lines read the same however they are cut")
    func qmp() async {
        let lines = [
            #"{"QMP": {"version": {"qemu": {"micro": 0, "minor": 2, "major": 7}}, "capabilities": ["oob"]}}"#,
            #"{"return": {}, "id": 1}"#, #"{"return": {"status": "completed"}, "id": 2}"#,
            #"{"error": {"class": "GenericError", "desc": "no"}, "id": 3}"#,
            #"{"timestamp": {"seconds": 1, "microseconds": 2}, "event": "MIGRATION", "data": {"status": "setup"}}"#,
        ]
        await Fuzzer(corpus: lines.map { Array("\($0)\r\n".utf8) }).run("QMP") { bytes, numbers in
            var whole = QMPReader()
            let expected = whole.push(bytes)
            var reader = QMPReader()
            var read: [QMPMessage] = []
            inPieces(bytes, &numbers) { read += reader.push(Array($0)) }
            guard read == expected else { throw Fuzzer.Finding("cut, it reads otherwise") }
        }
    }

    @Test("Packets of a broken capture lie inside the file, and the search in it ends")
    func pcapng() async {
        let header = PcapNG.header([PcapNG.Interface(name: "host-hci0", description: "", linkType: 201)])
        let packets = (1...6).map { size in
            PcapNG.packet(
                interface: size % 3, time: 1, bytes: [UInt8](repeating: UInt8(size), count: size * 9), comment: "x")
        }
        await Fuzzer(corpus: [header] + packets).run("pcapng") { bytes, _ in
            var total = 0
            for packet in PcapNGPackets(bytes) { total += packet.bytes.count + 32 }
            guard total <= bytes.count else { throw Fuzzer.Finding("\(total) bytes come out of \(bytes.count)") }
            _ = CaptureSearch.file(bytes, contains: [3, 3, 3, 3, 4])
        }
    }
}
