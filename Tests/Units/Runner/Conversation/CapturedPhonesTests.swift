import Foundation
import HILConversation
import TestSupport
import Testing

@testable import HILCommand

/// The captures of Fixtures/Captures, through tshark.
@Suite(
    "Phones in captures",
    .enabled(
        if: FileManager.default.fileExists(atPath: "/usr/bin/tshark")
            || ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"))
struct CapturedPhonesTests {
    private static let folder = fixture("Captures")

    private static func read(_ name: String) async throws -> [Conversation] {
        try await PhoneCapture(path: "\(folder)/\(name)").conversations()
    }

    private static func expressions(_ phone: LearnedPhone) -> [String: String] {
        Dictionary(phone.habits.map { ($0.property, $0.expression) }) { first, _ in first }
    }

    @Test("Bumble's habits are its documented defaults: bumble/device.py and bumble/pairing.py")
    func bumble() async throws {
        let phone = LearnedPhone(try await Self.read("bumble-central.btsnoop"))
        let found = Self.expressions(phone)
        // DEVICE_DEFAULT_CONNECTION_INTERVAL_MIN and _MAX, _MAX_LATENCY, _SUPERVISION_TIMEOUT.
        #expect(
            found["connection"]
                == "ConnectionParameters(\n    milliseconds: 15...30, latency: 0, timeout: .milliseconds(720))")
        // DEVICE_DEFAULT_CONNECT_SCAN_INTERVAL and _WINDOW.
        #expect(found["connectionScan"] == "BluetoothHabits.Scan(interval: 60, window: 60, isActive: true)")
        #expect(found["mtu"] == "517")
        // PairingDelegate.NO_OUTPUT_NO_INPUT, sc, mitm and bonding; DEFAULT_KEY_DISTRIBUTION.
        let pairing = try #require(found["pairing"])
        #expect(pairing.contains("capability: .noInputNoOutput, bonds: true, authenticates: true,"))
        #expect(pairing.contains("givenKeys: [.encryption, .identity]") && pairing.contains("isSecure: true"))
        #expect(found["continuesAfterValue"] == "false" && found["serviceSearch"] == ".all")
        // Bumble writes LE Write Suggested Default Data Length.
        #expect(found["phyMoment"] == ".never" && found["dataLengthMoment"] == nil)
        #expect(phone.contradictions.isEmpty && phone.gaps.isEmpty)
        #expect(phone.missing.contains { $0.hasPrefix("answer to a Security Request") })
    }

    @Test(
        "PacketLogger, btmon and the phone's btsnoop show the same habits",
        arguments: ["bumble.pklg", "bumble.btmon"])
    func formats(_ name: String) async throws {
        let one = Self.expressions(LearnedPhone(try await Self.read("bumble-central.btsnoop")))
        #expect(Self.expressions(LearnedPhone(try await Self.read(name))) == one)
    }

    @Test(
        "A sniffer shows all but what only a host knows, and says who sent each packet",
        arguments: ["bumble-air.pcap", "bumble-radio.pcap"])
    func air(_ name: String) async throws {
        let conversation = try #require(try await Self.read(name).first)
        #expect(conversation.vantage == .air && conversation.accessory == "F1:F2:F3:F4:F5:F6")
        #expect(conversation.phones == ["F0:F1:F2:F3:F4:F5"] && conversation.gaps.isEmpty)
        let host = try #require(try await Self.read("bumble-central.btsnoop").first)
        let parity = ConversationParity(host, conversation)
        // The host did not listen for advertisements.
        let others = parity.differences.filter { $0.kind != .advertisement }
        #expect(others.allSatisfy { $0.sort == .value }, "\(others)")
    }

    @Test("An encrypted link without its key says what to do, and nothing follows from what it hides")
    func encrypted() async throws {
        let conversations = try await Self.read("bumble-encrypted.pcap")
        let phone = LearnedPhone(conversations)
        #expect(phone.gaps.contains { $0.contains("14 packets are encrypted") && $0.contains("btmon -w FILE") })
        #expect(!phone.habits.contains { $0.expression == ".never" })
        #expect(conversations.allSatisfy { $0.all(.subscription).isEmpty })
    }

    @Test("The accessory's own HCI shows the same phone, as far as it can")
    func accessory() async throws {
        let (host, board) = (
            try await Self.read("bumble-central.btsnoop"), try await Self.read("bumble-accessory.btsnoop")
        )
        let first = try #require(host.first), second = try #require(board.first)
        #expect(second.vantage == .accessoryHost && second.phones == first.phones)
        let parity = ConversationParity(first, second)
        // Bumble's controller takes other parameters than its host asked for.
        #expect(parity.differences.map(\.kind) == [.connection], "\(parity.differences)")
        #expect(parity.limits.contains { $0.contains("not compared are") })
    }

    @Test(
        "A capture against itself is empty",
        arguments: ["bumble-central.btsnoop", "bumble-accessory.btsnoop", "bumble-air.pcap", "bluez-central.pcapng"])
    func itself(_ name: String) async throws {
        let conversation = try #require(try await Self.read(name).first)
        let parity = ConversationParity(conversation, conversation)
        let compared = conversation.procedures.count { $0.kind != .address }
        #expect(parity.isSame && parity.common == compared && compared > 10)
    }

    @Test("The personalities that the trials play are what `hil learn` writes")
    func personalities() async throws {
        for (file, name, source) in [
            ("bumble-central.btsnoop", "bumble", "Bumble.swift"), ("bluez-central.pcapng", "blueZ", "BlueZ.swift"),
        ] {
            let phone = LearnedPhone(try await Self.read(file))
            let text = try PersonalityText(name: name, captures: [file]).source(phone)
            let path = "\(checkout)/Tests/Programs/Trials/LearnedPhones/\(source)"
            #expect(
                try String(contentsOfFile: path, encoding: .utf8) == text, "write it again: hil learn --out \(path)")
        }
    }

    @Test(
        "A keyword is no name for a personality", arguments: ["enum", "try", "where", "Any", "PhonePersonality", "2a"])
    func keywords(name: String) {
        #expect(throws: UnreadableCapture.self) { try PersonalityText(name: name, captures: []) }
    }

    @Test("Two scenarios of runs are two captures, as of a phone in a hand and the simulated one; two runs are not")
    func names() throws {
        let results = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: results) }
        for run in ["first", "second"] {
            let folder = "\(results)/\(run)/lampIsFound"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for file in ["verdict.json", "capture.pcapng"] {
                try Data().write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
            }
        }
        #expect(PhoneCapture.areNamed("first/lampIsFound", "second/lampIsFound", in: results))
        #expect(PhoneCapture.areNamed("\(results)/first/lampIsFound/capture.pcapng", "second/lampIsFound", in: results))
        #expect(!PhoneCapture.areNamed("first", "second", in: results))
        #expect(!PhoneCapture.areNamed("first/lampIsFound", "second", in: results))
    }

    @Test("What is no capture, and a capture without a link, is a plain error")
    func errors() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func fails(_ bytes: [UInt8]) async throws -> String {
            let path = "\(folder)/a.pklg"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            do {
                _ = try await PhoneCapture(path: path).conversations()
                return "read"
            } catch { return "\(error)" }
        }
        #expect(try await fails(Array("no capture".utf8)).contains("is not a capture that tshark can read"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/bumble-central.btsnoop"))
        let withoutLink = try await fails(Array(whole.prefix(400)))
        #expect(withoutLink.contains("not the begin of an LE link"))
        #expect(try await fails(Array(whole.prefix(whole.count - 5))) == "read")
    }
}
