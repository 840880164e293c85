import BoardProtocol
import DieProtocol
import Foundation
import HILPOSIX
import RadioModel
import RigModel
import Testing
import VirtualRadio

@testable import BoardAgent
@testable import BoardKeeper
@testable import HIL
@testable import HILAir
@testable import HILBench
@testable import HILBlueZ
@testable import HILWiFi
@testable import VirtualRig

/// Readers of bytes from a board, from QEMU or from a file: for any bytes they neither trap nor return wrong results.
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
        .channels([2412, 5180]),
        .receive(WiFiReception(frequency: 2412, signal: -40, rate: 0, frame: [0x80, 0, 0, 0])),
        .hears(DeviceAddress("02:00:00:00:01:00")!, true), .note("hello"),
        .of(adapter: 1, .attach(address: DeviceAddress("02:00:00:00:02:B1")!, channels: 1)),
        .of(adapter: 7, .packet([4, 0x0E, 4, 1, 3, 0x0C, 0])),
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

    @Test("Every payload that is read is one that could have been sent, and leads nowhere outside of its folder")
    func payloads() async throws {
        let corpus = try [
            Payload([.init("a", mode: 0o755, .folder), .init("a/b", .file([1, 2])), .init("l", .link(target: "/etc"))]),
            Payload([.init("é", .file([]))]), Payload([]),
        ].map { try $0.encoded() }
        await Fuzzer(corpus: corpus).run("payloads") { bytes, _ in
            guard let payload = try? Payload(decoding: bytes) else { return }
            guard try payload.encoded() == bytes else { throw Fuzzer.Finding("it changes on its way") }
            let links = payload.entries.filter { if case .link = $0.content { true } else { false } }.map(\.path)
            for entry in payload.entries {
                let parts = entry.path.split(separator: "/", omittingEmptySubsequences: false)
                guard !parts.contains(""), !parts.contains(".."), !parts.contains(".") else {
                    throw Fuzzer.Finding("“\(entry.path)” leads outside")
                }
                guard !links.contains(where: { entry.path.hasPrefix($0 + "/") }) else {
                    throw Fuzzer.Finding("“\(entry.path)” leads through a link")
                }
            }
        }
    }

    @Test("The lines of a program read the same however its output is cut, and none is much too long")
    func programLines() async {
        let corpus = ["one\r\n", "é\n\n日本", String(repeating: "🎲", count: 2000), "\0\u{1B}[1m"].map { Array($0.utf8) }
        await Fuzzer(corpus: corpus).run("a program's lines") { bytes, numbers in
            var whole = ProgramLines()
            let expected = whole.push(bytes) + [whole.finish()].compactMap { $0 }
            var lines = ProgramLines()
            var read: [String] = []
            inPieces(bytes, &numbers) { read += lines.push(Array($0)) }
            read += [lines.finish()].compactMap { $0 }
            guard read == expected else { throw Fuzzer.Finding("cut, it reads otherwise") }
            // A byte that is not UTF-8 becomes three.
            let most = (expected.map(\.utf8.count).max() ?? 0) / 3
            guard most <= ProgramLines.longest + 3 else { throw Fuzzer.Finding("a line of \(most) bytes") }
        }
    }

    @Test("Every accepted message of the air is one that the air could have sent")
    func radioMessages() async {
        let corpus = Self.radioMessages.map(\.frame).map { [$0.kind] + $0.payload }
        await Fuzzer(corpus: corpus).run("the air's messages") { bytes, _ in
            guard let kind = bytes.first else { return }
            let frame = Frame(kind: kind, payload: Array(bytes.dropFirst()))
            guard let message = try? RadioMessage(frame) else { return }
            guard try RadioMessage(message.frame) == message else { throw Fuzzer.Finding("it changes on its way") }
        }
    }

    @Test("Every accepted H4 packet is complete, and a broken HCI command gets a complete answer")
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

    @Test("A host stack's bytes read the same however they are cut, and every packet is complete")
    func hostStacks() async {
        let corpus: [[UInt8]] = [
            [1, 3, 0x0C, 0], [1, 0x01, 0x04, 5, 0x33, 0x8B, 0x9E, 8, 0], [2, 1, 0x20, 3, 0, 1, 2, 3],
            [3, 1, 0, 2, 9, 9], [5, 0, 0, 1, 0, 7], [2, 1, 0x20, 0, 0x10] + [UInt8](repeating: 7, count: 4096),
        ]
        await Fuzzer(corpus: corpus).run("a host stack's bytes") { bytes, numbers in
            func read(_ pieces: [ArraySlice<UInt8>]) throws -> (packets: [[UInt8]], isBroken: Bool) {
                var reader = H4Reader()
                var packets: [[UInt8]] = []
                for piece in pieces {
                    reader.push(piece)
                    do { while let packet = try reader.next() { packets.append(packet) } } catch {
                        return (packets, true)
                    }
                    guard reader.pendingCount <= 5 + H4Reader.longestData else {
                        throw Fuzzer.Finding("it holds \(reader.pendingCount) bytes")
                    }
                }
                return (packets, false)
            }
            var pieces: [ArraySlice<UInt8>] = []
            inPieces(bytes, &numbers) { pieces.append($0) }
            let (whole, cut) = (try read([bytes[...]]), try read(pieces))
            guard whole == cut else { throw Fuzzer.Finding("cut, it reads otherwise") }
            for packet in whole.packets {
                if let problem = H4.problem(with: packet) { throw Fuzzer.Finding("it gives \(problem)") }
            }
        }
    }

    @Test(
        "Advertisements and what the kernel tells of Bluetooth are read without a trap, and hold no more than was sent")
    func bluetooth() async {
        let fields: [[UInt8]] = [
            [2, 0x01, 0x06], [6, 0x09, 0x44, 0x69, 0x65, 0x20, 0x37], [3, 0x03, 0x0F, 0x18],
            [17, 0x07] + [UInt8](repeating: 7, count: 16), [5, 0xFF, 0xFF, 0xFF, 1, 2], [5, 0x16, 0x0F, 0x18, 1, 2],
            [2, 0x0A, 0xF4], [19, 0x21] + [UInt8](repeating: 9, count: 18), [0, 0, 0],
        ]
        let address: [UInt8] = [0xB0, 2, 0, 0, 0, 2, 1]
        let events: [[UInt8]] = [
            [0x12, 0, 0, 0, 19, 0] + address + [0xD8, 0, 0, 0, 0, 5, 0, 4, 0x09, 0x44, 0x69, 0x65],
            [0x09, 0, 0, 0, 26, 0, 1] + address + [8] + [UInt8](repeating: 1, count: 17),
            [0x18, 0, 0, 0, 30, 0, 1, 6, 5, 4, 3, 2, 0x41] + address + [UInt8](repeating: 1, count: 16),
            [0x01, 0, 0, 0, 13, 0, 0x31, 0, 0] + address + [0xD8, 0, 0], [0x1A, 0, 0, 0, 8, 0] + address + [2],
        ]
        await Fuzzer(corpus: fields + events).run("advertisements and management events") { bytes, _ in
            let data = AdvertisingData(decoding: bytes)
            let held =
                data.manufacturerData.values.reduce(0) { $0 + $1.count }
                + data.serviceData.values.reduce(0) { $0 + $1.count } + 2 * data.serviceUUIDs.count
            guard held <= bytes.count else { throw Fuzzer.Finding("\(held) bytes come out of \(bytes.count)") }
            _ = ManagementEvent(decoding: bytes)
            _ = ManagementReply(decoding: bytes)?.advertisements
            _ = HCIPacket(captured: bytes)
        }
    }

    @Test("Beacons and the kernel's lists of networks are read without a trap, and no name is longer than one may be")
    func networks() async {
        let elements: [[UInt8]] = [
            [0, 5, 0x44, 0x69, 0x65, 0x20, 0x37], [0, 2, 0xC3, 0x28], [0, 0],
            [48, 20, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 8, 0xC0, 0],
            [221, 4, 0, 0x50, 0xF2, 1],
        ]
        let lists: [[UInt8]] = [
            [40, 0, 47, 0, 10, 0, 1, 0, 2, 0, 0, 0, 0, 9, 0, 0, 8, 0, 2, 0, 0x6C, 9, 0, 0, 11, 0, 6, 0, 0, 5, 0x44]
        ]
        await Fuzzer(corpus: elements + lists).run("networks") { bytes, _ in
            let parsed = InformationElements(bytes)
            guard (parsed.ssid?.count ?? 0) <= 32 else { throw Fuzzer.Finding("a name of \(parsed.ssid!.count) bytes") }
            _ = parsed.security(isPrivate: true)
            if parsed.managementProtection != .none, parsed.rsnCapabilities == nil {
                throw Fuzzer.Finding("protection without capabilities")
            }
            guard let result = ScanResult(attributes: bytes) else { return }
            guard result.network.ssid.utf8.count <= 32 else { throw Fuzzer.Finding("the name grew") }
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

    @Test("Messages over the die's network read the same however the stream is cut, and none is longer than one may be")
    func dieMessages() async throws {
        let messages = [Data([18]), NotificationMessage.receipt(number: 7, .accepted).encoded, Data(count: 300)]
        let corpus = try messages.map { [UInt8](try DieMessageService.frame($0)) }
        await Fuzzer(corpus: corpus + [[1, 0x40, 0, 0x10, 0, 16]]).run("the die's message service") { bytes, numbers in
            func read(_ pieces: [Data]) -> (messages: [Data], isBroken: Bool) {
                var reader = DieMessageService.Reader()
                var read: [Data] = []
                for piece in pieces {
                    do { read += try reader.push(piece) } catch { return (read, true) }
                }
                return (read, false)
            }
            var pieces: [Data] = []
            inPieces(bytes, &numbers) { pieces.append(Data($0)) }
            let (whole, cut) = (read([Data(bytes)]), read(pieces))
            // Messages before a fault in the same piece are lost with it.
            guard cut.isBroken == whole.isBroken, whole.isBroken || cut.messages == whole.messages else {
                throw Fuzzer.Finding("cut, it reads otherwise")
            }
            for message in cut.messages {
                guard (1...DieMessageService.maximumMessageLength).contains(message.count) else {
                    throw Fuzzer.Finding("a message of \(message.count) bytes")
                }
                _ = try? NotificationMessage(decoding: message)
            }
        }
    }

    @Test("Bytes of a board on a bench are packets, log lines and messages, or nothing")
    func bench() async {
        let packet = CapturedBytes(kind: .sentToController, adapter: 0, time: 1, bytes: [1, 3, 12, 0])
        await Fuzzer(corpus: [packet.payload, Array("6,1,2,-;text\n A=b\n".utf8), [2, 0, 0, 0, 3, 0, 3, 12, 0]]).run(
            "bench"
        ) {
            bytes, _ in
            if let packet = CapturedBytes(payload: bytes), packet.payload != bytes {
                throw Fuzzer.Finding("a packet comes back otherwise")
            }
            if let packet = RadioMonitor.packet(of: bytes, adapter: 0, time: 0), packet.bytes.count > bytes.count {
                throw Fuzzer.Finding("\(packet.bytes.count) bytes come out of \(bytes.count)")
            }
            _ = KernelLog.line(of: bytes)
            _ = EvidenceFiles.moved(bytes, by: ClockEstimate())
            _ = RadioAbilities(iwText: String(decoding: bytes, as: UTF8.self))
            _ = SSHTrouble.explain(String(decoding: bytes, as: UTF8.self), on: .local, while: "x", otherwise: "y")
        }
    }

    @Test("Packets of a broken capture are inside the file, and the search ends")
    func pcapng() async {
        let header = PcapNG.header(
            [PcapNG.Interface(name: "host-hci0", description: "", linkType: 201)], application: "test")
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
