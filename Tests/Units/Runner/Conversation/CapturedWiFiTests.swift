import Foundation
import HILConversation
import TestSupport
import Testing

@testable import HILCommand

/// The captures of Fixtures/Captures/WiFi, through tshark.
@Suite(
    "Phones that join Wi-Fi networks, in captures",
    .enabled(
        if: FileManager.default.fileExists(atPath: "/usr/bin/tshark")
            || ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"))
struct CapturedWiFiTests {
    private static let folder = fixture("Captures/WiFi")

    private static func read(_ name: String) async throws -> Conversation {
        try #require(try await PhoneCapture(path: "\(folder)/\(name)").conversations().first)
    }

    private static func parity(_ one: String, _ two: String) async throws -> ConversationParity {
        ConversationParity(try await read(one), try await read(two))
    }

    @Test("WPA2: open authentication, a PSK, the handshake, and with the keys beside the capture DHCP and TCP")
    func steps() async throws {
        let one = try await Self.read("wpa2.pcapng")
        #expect(one.vantage == .wifi && one.network == "Die 7" && one.accessory == "02:00:00:00:02:00")
        #expect(one.phones == ["02:00:00:00:01:00"] && one.gaps.isEmpty)
        #expect(
            one.procedures.map(\.kind) == [
                .network, .authentication, .association, .handshake, .addressLease, .connectionToPort,
            ])
        #expect(one.procedures[1]["algorithm"] == "open" && one.procedures[1]["result"] == "authenticated")
        #expect(one.procedures[2]["protection"] == "PSK" && one.procedures[2]["result"] == "associated")
        #expect(one.procedures[3]["result"] == "complete")
        #expect(one.procedures[4]["begins with"] == "Discover" && one.procedures[4]["result"] == "Ack")
        #expect(one.procedures[5].subject == "port 7007" && one.procedures[5]["result"] == "open")
    }

    @Test("A capture against itself is empty", arguments: ["wpa2.pcapng", "wpa3.pcapng", "monitor.pcap"])
    func itself(_ name: String) async throws {
        let parity = try await Self.parity(name, name)
        #expect(parity.isSame && parity.common >= 6 && parity.limits.isEmpty)
    }

    @Test("A phone on WPA2 and one on WPA3 differ in authentication, protection and handshake, each with both frames")
    func authentication() async throws {
        let parity = try await Self.parity("wpa2.pcapng", "wpa3.pcapng")
        let algorithm = try #require(parity.differences.first { $0.kind == .authentication })
        #expect(algorithm.text == "Wi-Fi authentication: algorithm open, then SAE" && algorithm.sort == .value)
        #expect(algorithm.firstFrame == 8 && algorithm.secondFrame == 8 && algorithm.meaning.contains("WPA3"))
        let texts = parity.differences.map(\.text)
        #expect(texts.contains("Wi-Fi association: protection PSK, then SAE"))
        #expect(parity.differences.allSatisfy { $0.sort == .value }, "\(texts)")
        let kinds = Set(parity.differences.map(\.kind))
        #expect(kinds == [.network, .authentication, .association, .handshake], "\(texts)")
        #expect(try await Self.read("wpa3.pcapng").all(.authentication).first?["form"] == "hash to element")
    }

    @Test("A phone that joins three seconds later is told as such, and as nothing else")
    func later() async throws {
        let parity = try await Self.parity("wpa2.pcapng", "late.pcapng")
        #expect(parity.differences.map(\.sort) == [.later], "\(parity.differences)")
        #expect(parity.differences.map(\.kind) == [.authentication])
    }

    @Test("A monitor's capture with radiotap and check sums: probes, DHCP of a phone that comes back, names, a portal")
    func monitor() async throws {
        let one = try await Self.read("monitor.pcap")
        #expect(one.network == "Lamp 9" && one.phones == ["5E:00:00:00:00:01"])
        #expect(one.all(.probe).map(\.subject) == ["any network", "by name"])
        #expect(one.all(.authentication).map(\.frame) == [4, 25], "a frame that was sent again is the same")
        #expect(one.all(.addressLease).map { $0["begins with"] } == ["Discover", "Request"])
        #expect(one.all(.addressLease).first?["options asked for"] == "1 121 3 6 15 108 114 119 252")
        #expect(one.all(.nameQuery).map { $0["types"] } == ["HTTPS, A", "HTTPS, A"])
        let web = try #require(one.all(.webRequest).first)
        #expect(web.subject == "GET captive.apple.com/hotspot-detect.html", "what follows ? may be secret")
        #expect(web["accessory's answer"] == "302" && web["agent"] == "CaptiveNetworkSupport")
        #expect(one.all(.leaving).map(\.side) == [.phone, .phone])
        #expect(one.procedures.last?.link == 2)
    }

    @Test("What the rig's phone does not do on Wi-Fi is told as something that cannot be played")
    func learned() async throws {
        let phone = LearnedPhone([try await Self.read("monitor.pcap")])
        #expect(phone.habits.isEmpty && phone.missing.isEmpty)
        #expect(phone.unplayable.contains { $0.text.hasPrefix("it probes for the network by its name") })
        #expect(phone.unplayable.contains { $0.text.contains("DHCP begins with Request") && $0.source.frame == 30 })
    }

    @Test("Without keys the capture says what to do, and nothing follows from what it hides")
    func encrypted() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.copyItem(atPath: "\(Self.folder)/wpa2.pcapng", toPath: "\(folder)/a.pcapng")
        let hidden = try #require(try await PhoneCapture(path: "\(folder)/a.pcapng").conversations().first)
        #expect(hidden.gaps.contains { $0.contains("Put a file 80211_keys beside the capture") })
        let parity = ConversationParity(try await Self.read("wpa2.pcapng"), hidden)
        #expect(parity.isSame && parity.common == 4 && parity.limits == hidden.gaps)
    }

    @Test("Keys are read from the file beside the capture, and no other setting or script of that folder is obeyed")
    func settings() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["wpa2.pcapng", "80211_keys"] {
            try FileManager.default.copyItem(atPath: "\(Self.folder)/\(name)", toPath: "\(folder)/\(name)")
        }
        try Data("io.open('\(folder)/ran', 'w'):close()".utf8).write(to: URL(fileURLWithPath: "\(folder)/init.lua"))
        let one = try #require(try await PhoneCapture(path: "\(folder)/wpa2.pcapng").conversations().first)
        #expect(one.all(.addressLease).count == 1)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/ran"))
        let keys = try CaptureKeys(beside: "\(folder)/wpa2.pcapng")
        let made = try #require(keys.folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: made) == ["80211_keys"])
        keys.remove()
        #expect(!FileManager.default.fileExists(atPath: made))
    }

    @Test("A network is chosen by its name, or by an address, and an unknown one is told what there is")
    func network() async throws {
        let capture = PhoneCapture(path: "\(Self.folder)/wpa2.pcapng")
        for name in ["Die 7", "02:00:00:00:02:00", "02:00:00:00:01:00"] {
            #expect(try await capture.conversations(on: name).count == 1)
        }
        let error = await #expect(throws: UsageError.self) { try await capture.conversations(on: "Lamp") }
        #expect(error?.description.contains("it has 02:00:00:00:01:00 in network “Die 7” of 02:00:00:00:02:00") == true)
    }
}
