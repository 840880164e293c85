import BoardProtocol
import Foundation
import HIL
import HILRecord
import RadioModel
import Testing

@testable import HILExecution

struct EvidenceTests {
    @Test("A journal becomes a log for each daemon, and unreadable lines are kept")
    func journal() {
        let journal = """
            {"t":1768383015123456789,"source":"bluetoothd","line":"src/adapter.c: started"}
            {"t":1768383015223456789,"source":"hostapd","line":"wlan0: AP-ENABLED"}
            {"t":1768383015323456789,"source":"bluetoothd","line":"two"}
            {"t":1768383015423456789,"source":"../../etc/passwd","line":"x"}
            {"t":17683830
            """
        let logs = JournalSplitter.logs(of: Array(journal.utf8))
        #expect(
            logs["bluetoothd"]
                == "2026-01-14T09:30:15.123456Z src/adapter.c: started\n2026-01-14T09:30:15.323456Z two\n")
        #expect(logs["hostapd"] == "2026-01-14T09:30:15.223456Z wlan0: AP-ENABLED\n")
        #expect(logs["etcpasswd"] == "2026-01-14T09:30:15.423456Z x\n")
        #expect(logs["unreadable"] == "{\"t\":17683830\n")
    }

    @Test("Runs that start at the same time get different folders, and latest leads to the newest")
    func folders() throws {
        let parent = NSTemporaryDirectory() + "hil-results-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let now = Date()
        let folders = try (0..<20).map { _ in try RunFolder.create(in: parent, now: now).path }
        #expect(Set(folders).count == 20)
        let latest = try FileManager.default.destinationOfSymbolicLink(atPath: "\(parent)/latest")
        #expect(folders.last == "\(parent)/\(latest)")
        #expect(latest.wholeMatch(of: /\d{8}-\d{6}-[0-9a-z]{4}/) != nil)
    }

    @Test("An unreadable line of a worker is reported with its length, its start and the reason")
    func unreadable() {
        guard case .unreadable(let why) = WorkerLine(Array("{\"time\":1,\"event\":{\"dance\":{}}}\u{1B}".utf8)) else {
            Issue.record("it was read")
            return
        }
        #expect(why.hasPrefix("32 bytes, “{\"time\":1,\"event\":{\"dance\":{}}}#x1B”: "), "\(why)")
    }

    @Test("Numbers have a point and their decimals in every locale")
    func decimals() {
        #expect(0.0.formatted(decimals: 3) == "0.000")
        #expect(1.2345.formatted(decimals: 3) == "1.235")
        #expect((-0.5).formatted(decimals: 1) == "-0.5")
        #expect(12.0.formatted(decimals: 0) == "12")
    }

    @Test("Lines of a restored board from before its clock was set get corrected times, later lines do not")
    func placed() {
        func line(_ t: UInt64, _ text: String, setBy jump: Int64? = nil) -> JournalLine {
            JournalLine(
                t: t, source: "agent", line: text, clockSet: jump.map { .init(uptime: 2_000_000_000, jump: $0) })
        }
        let lines = JournalSplitter.placed([
            line(10, "clock set at uptime 1.000000, by 5000 ns"), line(1020, "set", setBy: 1000), line(1030, "ready"),
            line(9030, "set", setBy: 8000),
        ])
        #expect(lines.map(\.t) == [1010, 1020, 1030, 9030], "what a line says is only words")
        #expect(JournalSplitter.placed([line(10, "hello")]).map(\.t) == [10])
    }

    @Test("A timeline has every source's events on one clock: the story, daemons, the kernel and the packets")
    func timeline() throws {
        var timeline = Timeline()
        let second: UInt64 = 1_000_000_000
        func told(_ time: UInt64, _ event: ScenarioEvent) -> RunLine {
            RunLine(scenario: "s", worker: StampedEvent(time: time, event: event))
        }
        timeline.add([
            RunLine(time: 100 * second, scenario: "s", runner: .scenarioBegan),
            told(105 * second, .phone(PhoneNote(.person(.cancel, on: "Dice")))), told(106 * second, .done),
        ])
        let journal = [
            JournalLine(
                t: 102 * second, source: "agent", line: "set", clockSet: .init(uptime: 2 * second, jump: -7)),
            // The same text from another program does not set the clock.
            JournalLine(t: 104 * second, source: "hostapd", line: "wlan0: clock set at uptime 9.000000"),
        ]
        timeline.add(board: "accessory", journal: journal, kernel: "[    3.000000] radio\nnot of the kernel\n")
        // An enhanced packet block: 802.11, a beacon behind an empty radiotap header.
        let frame: [UInt8] =
            [0, 0, 4, 0, 0x80, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 6) + [2, 0, 0, 0, 0, 1, 0, 0]
        let time = 101 * second
        let body =
            little(2) + little(UInt32(time >> 32)) + little(UInt32(truncatingIfNeeded: time))
            + little(UInt32(frame.count)) + little(UInt32(frame.count)) + frame + [0, 0]
        let length = little(UInt32(body.count + 12))
        timeline.add(capture: little(6) + length + body + length)

        struct Content: Decodable {
            let format: Int
            let scenario: String
            let began, ended: UInt64
            let events: [Timeline.Event]
        }
        let content = try JSONDecoder().decode(Content.self, from: Data(timeline.json(of: "s")))
        #expect(content.format == 2 && content.scenario == "s")
        #expect(content.began == 100 * second && content.ended == 105 * second)
        #expect(content.events.map { $0.t / second } == [100, 101, 102, 103, 104, 105])
        let sources = ["runner", "air", "accessory/agent", "accessory/kernel", "accessory/hostapd", "person"]
        #expect(content.events.map(\.source) == sources)
        #expect(content.events[1].text == "802.11 beacon 02:00:00:00:00:01 → ff:ff:ff:ff:ff:ff")
        #expect(content.events[3].text == "radio")
        #expect(
            content.events.map(\.lane) == [.runner, .wifi, .accessoryBoard, .accessoryBoard, .accessoryBoard, .person])
        #expect(content.events.map(\.to) == [nil, "ff:ff:ff:ff:ff:ff", nil, nil, nil, "phone"])
        #expect(content.events.map(\.frame) == [nil, 1, nil, nil, nil, nil], "as Wireshark counts them")
    }

    @Test("Notes of the scenario, events of the air and remarks of the runner each have their own source")
    func lanes() throws {
        var timeline = Timeline()
        let told: [ScenarioEvent] = [
            .note(text: "three dice"), .air(AirNote(.fired(fault: "dropped", packet: nil, count: 1, of: 1))),
            .air(AirNote(.attached(.host, .bluetooth, name: "hci0"))), .remark(text: "the machine is busy"), .paused,
        ]
        timeline.add(
            told.enumerated().map { RunLine(scenario: "s", worker: StampedEvent(time: UInt64($0 + 1), event: $1)) })
        struct Content: Decodable { let events: [Timeline.Event] }
        let events = try JSONDecoder().decode(Content.self, from: Data(timeline.json(of: "s"))).events
        #expect(events.map(\.source) == ["scenario", "air", "air", "runner", "runner"])
        #expect(events.map(\.text)[1].contains("dropped") && !events.contains { $0.kind == "packet" })
    }

    @Test("The story has seconds, marks at failures, and the verdict, but no packets and no logs")
    func story() {
        var timeline = Timeline()
        let second: UInt64 = 1_000_000_000
        let failure = Failure(.product, "the die is silent\nmore")
        let told: [(UInt64, ScenarioEvent)] = [
            (9 * second, .preparing), (10 * second, .bodyBegan(budget: 60)),
            (12 * second, .phone(.app("Dice", "was launched"))), (11 * second, .failure(failure)),
        ]
        timeline.add(told.map { RunLine(scenario: "s", worker: StampedEvent(time: $0, event: $1)) })
        timeline.add(board: "host", journal: [.init(t: 11 * second, source: "agent", line: "x")], kernel: "")
        #expect(
            timeline.story(titled: "The die talks", Judgement([failure])) == """
                The die talks
                0.000 is 1970-01-01T00:00:10.000000Z, 10000000000 in capture and timeline

                   -1.000  runner    boards are being made ready
                    0.000  scenario  scenario begins
                !   1.000  scenario  failure: the die is silent
                                     more
                    2.000  app       Dice was launched

                failed
                    the die is silent
                    more

                """)
    }

    @Test("Control characters in names from the air are removed from story, timeline and logs, also line breaks")
    func strangeNames() {
        let name = "Die \u{1B}[2J\n    0.001  scenario  passed \u{202E}7"
        let failure = Failure(.product, "got \(name)")
        let board = DeviceAddress("02:00:00:00:02:B0")!
        var timeline = Timeline()
        timeline.add([
            RunLine(
                scenario: "s", worker: StampedEvent(time: 1, event: .phone(PhoneNote(.person(.pick(name), on: name))))),
            RunLine(scenario: "s", worker: StampedEvent(time: 2, event: .failure(failure))),
            RunLine(scenario: "s", worker: StampedEvent(time: 2, event: .onAir(board, name))),
            RunLine(scenario: "s", worker: StampedEvent(time: 2, event: .phone(PhoneNote(.radio(.connected(board)))))),
        ])
        let line = JournalLine(t: 3, source: "bluetoothd", line: name)
        timeline.add(board: "host", journal: [line], kernel: "")
        let story = timeline.story(titled: name, Judgement([failure]))
        let texts = [story, String(decoding: timeline.json(of: "s"), as: UTF8.self)]
        for text in texts {
            #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" } && !text.contains("\\u001b"))
            #expect(text.contains("Die #x1B[2J"))
        }
        #expect(!story.split(separator: "\n").contains { $0.hasPrefix("    0.001  scenario  passed") }, "\(story)")
        let journal = #"{"t":1,"source":"bluetoothd","line":"Die \u001b[2J\n7"}"#
        #expect(JournalSplitter.logs(of: Array(journal.utf8))["bluetoothd"]?.hasSuffix(" Die #x1B[2J#xA7\n") == true)
    }

    @Test("If the rig does not report its boards' addresses, no address is called a neighbour")
    func unknownOwners() throws {
        let host = try #require(DeviceAddress("02:00:00:00:01:B0"))
        let told = AccessoryNote(
            accessory: "lamp", adapter: .first, AccessoryLine("connected(\(host))", link: host))
        let events: [ScenarioEvent] = [.bodyBegan(budget: 1), .accessory(told)]
        var timeline = Timeline()
        timeline.add(events.map { RunLine(scenario: "s", worker: StampedEvent(time: 1, event: $0)) })
        #expect(timeline.events.last?.text == "lamp: connected(02:00:00:00:01:B0)")
    }

    @Test("A story names the owners of the addresses that phone and accessory connect to")
    func owners() throws {
        let board = DeviceAddress("02:00:00:00:02:B0")!
        let (private_, other) = try (
            #require(DeviceAddress("5A:00:00:00:00:01")), #require(DeviceAddress("5A:00:00:00:00:02"))
        )
        let host = try #require(DeviceAddress("02:00:00:00:01:B0"))
        let told = AccessoryNote(
            accessory: "lamp", adapter: .first, AccessoryLine("connected(\(host))", link: host))
        let events: [ScenarioEvent] = [
            .onAir(host, "the host board's adapter (the phone)"),
            .onAir(board, "the accessory board's adapter (Die 7)"), .phone(PhoneNote(.radio(.connected(board)))),
            .phone(PhoneNote(.radio(.servicesChanged(board)))),
            .phone(PhoneNote(.radio(.disconnected(board, reason: "gone")))),
            .phone(PhoneNote(.radio(.connected(private_)))),
            .phone(PhoneNote(.radio(.addressChanged(private_, to: board)))),
            .phone(PhoneNote(.radio(.connected(other)))), .accessory(told),
            .onAir(board, "the accessory board's adapter (Die 8)"), .phone(PhoneNote(.radio(.servicesChanged(board)))),
        ]
        var timeline = Timeline()
        timeline.add(
            events.enumerated().map {
                RunLine(scenario: "s", worker: StampedEvent(time: UInt64($0.offset), event: $0.element))
            })
        let adapter = "02:00:00:00:02:B0, the accessory board's adapter (Die 7)"
        #expect(
            timeline.events.map(\.text) == [
                "02:00:00:00:01:B0 is the host board's adapter (the phone)",
                "02:00:00:00:02:B0 is the accessory board's adapter (Die 7)", "radio: \(adapter) is connected",
                "radio: the services of 02:00:00:00:02:B0 have changed", "radio: \(adapter) is disconnected: gone",
                "radio: 5A:00:00:00:00:01, a private address of the accessory board's adapter (Die 7) is connected",
                "radio: 5A:00:00:00:00:01 is 02:00:00:00:02:B0",
                "radio: 5A:00:00:00:00:02, a neighbour on the air is connected",
                "lamp: connected(02:00:00:00:01:B0, the host board's adapter (the phone))",
                "02:00:00:00:02:B0 is the accessory board's adapter (Die 8)",
                "radio: the services of 02:00:00:00:02:B0, the accessory board's adapter (Die 8) have changed",
            ])
    }

    @Test("The log of a report and the story count from the same zero, each attempt from its own")
    func oneClock() throws {
        let second: UInt64 = 1_000_000_000
        func told(_ time: UInt64, _ event: ScenarioEvent) -> RunLine {
            RunLine(scenario: "s", worker: StampedEvent(time: time * second, event: event))
        }
        let scenario = Scenario("s") { _ in }
        let planned = PlannedScenario(NamedScenario("s", file: "s.swift", scenario), scenario.cases[0])
        let info = RunInfo(version: "1", rig: "stub", machine: "m", folder: "/f", scenarios: [RunInfo.Entry(planned)])
        let first = [told(9, .preparing), told(10, .bodyBegan(budget: 60)), told(12, .note(text: "a"))]
        let retry = RunLine(
            time: 13 * second, scenario: "s",
            runner: .attemptEnded(AttemptResult(Judgement([Failure(.product, "late")]), seconds: 4)))
        let second_ = [told(20, .bodyBegan(budget: 60)), told(21, .note(text: "b"))]
        var record = RunRecord()
        let lines = [
            RunLine(time: 1, runner: .runBegan(info)), RunLine(time: 2, scenario: "s", runner: .scenarioBegan),
        ]
        for line in lines + first + [retry] + second_ { record.take(line) }
        #expect(
            record["s"]?.log == [
                "  -1.000 boards are being made ready", "   0.000 scenario begins", "   2.000 a",
                "         failed, so it runs again: late", "   0.000 scenario begins", "   1.000 b",
            ])
        var timeline = Timeline()
        timeline.add(first)
        let story = timeline.story(titled: "s", nil)
        #expect(story.contains("   -1.000  runner    boards are being made ready\n"), "\(story)")
        #expect(story.contains("    2.000  scenario  a\n"))
        let json = String(decoding: timeline.json(of: "s"), as: UTF8.self)
        #expect(json.contains(#""zero":10000000000,"began":9000000000,"#), "\(json)")
    }

    @Test("A packet that is cut anywhere is shown or skipped, and nothing traps")
    func shortPackets() {
        let acl: [UInt8] = [0, 0, 0, 1, 2, 0x40, 0x20, 7, 0, 3, 0, 4, 0, 0x1B, 0, 0]
        let data: [UInt8] = [0, 0, 4, 0, 0x88] + [UInt8](repeating: 0, count: 31) + [0x88, 0x8E]
        for (packet, interface) in [(acl, UInt32(0)), (data, 2)] {
            for count in 0...packet.count { _ = PacketText.line(packet.prefix(count), of: interface) }
        }
        #expect(PacketText.line(acl[...], of: 0) == "host HCI ← ATT notification of 0x0000")
        #expect(PacketText.line(data[...], of: 2)?.hasPrefix("802.11 EAPOL ") == true)
    }

    @Test("A packet's line names the command, the advertiser, the reason of a failure and the message of the handshake")
    func packetLines() {
        func hci(_ direction: UInt8, _ packet: [UInt8]) -> String? {
            PacketText.line(([0, 0, 0, direction] + packet)[...], of: 0)
        }
        #expect(hci(0, [1, 0x42, 0x20, 6]) == "host HCI → LE Set Extended Scan Enable")
        #expect(hci(1, [4, 0x0E, 4, 1, 0x42, 0x20, 0]) == "host HCI ← LE Set Extended Scan Enable: complete")
        #expect(
            hci(1, [4, 0x0E, 4, 1, 0x42, 0x20, 0x0C])
                == "host HCI ← LE Set Extended Scan Enable: complete: failed, command disallowed")
        let name: [UInt8] = [3, 9] + Array("Di".utf8)
        let report: [UInt8] =
            [4, 0x3E, 30, 0x0D, 1, 0x13, 0, 1, 0xB0, 2, 0, 0, 0, 2, 1, 0, 0xFF, 0x7F, 0xC4] + [0, 0, 0] + [
                0, 0, 0, 0, 0, 0,
            ]
            + [UInt8(name.count)] + name
        #expect(hci(1, report) == "host HCI ← LE extended advertising report of 02:00:00:00:02:B0 “Di”, -60 dBm")
        #expect(
            hci(1, [4, 5, 4, 0, 0x40, 0, 8]) == "host HCI ← disconnection complete, link 0x0040: connection timeout")
        #expect(
            hci(1, [2, 0x40, 0x20, 6, 0, 2, 0, 6, 0, 5, 12])
                == "host HCI ← SMP pairing failed: numeric comparison failed")
        func wifi(_ control: UInt8, _ body: [UInt8]) -> String? {
            let frame = [control, 0, 0, 0] + [UInt8](repeating: 1, count: 6) + [UInt8](repeating: 2, count: 14) + body
            return PacketText.line(([0, 0, 4, 0] + frame)[...], of: 2)
        }
        let between = "02:02:02:02:02:02 → 01:01:01:01:01:01"
        #expect(wifi(0x40, [0, 2] + Array("Ho".utf8)) == "802.11 probe request \(between) “Ho”")
        #expect(
            wifi(0xC0, [15, 0])
                == "802.11 deauthentication \(between): reason 15, the four-way handshake timed out")
        #expect(wifi(0x10, [0, 0, 17, 0]) == "802.11 association response \(between): refused, status 17")
        let key: [UInt8] = [0xAA, 0xAA, 3, 0, 0, 0, 0x88, 0x8E, 2, 3, 0, 95, 2]
        #expect(wifi(0x08, key + [0x00, 0x8A]) == "802.11 EAPOL message 1 of 4 \(between)")
        #expect(wifi(0x08, key + [0x01, 0x0A]) == "802.11 EAPOL message 2 of 4 \(between)")
        #expect(wifi(0x08, key + [0x13, 0xCA]) == "802.11 EAPOL message 3 of 4 \(between)")
        #expect(wifi(0x08, key + [0x03, 0x0A]) == "802.11 EAPOL message 4 of 4 \(between)")
    }

    private func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
}
