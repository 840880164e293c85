import BoardProtocol
import Foundation
import RadioModel
import RigModel
import StubRig
import TestSupport
import Testing

@testable import HIL

/// A home's network, with stub boards.
@MainActor
struct HomeNetworkTests {
    private static let station = DeviceAddress("02:00:00:00:01:00")!

    @Test("What the router tells is in the log, and the record has no passphrase")
    func events() async throws {
        let test = try TestLab()
        let home = try await test.lab.homeNetwork.open(security: .wpa3)
        #expect(home.ssid == "Home" && home.security == .wpa3 && home.passphrase.count == 16)
        test.host.tell(.homeNetwork(.refused(station: Self.station)))
        test.host.tell(.homeNetwork(.joined(station: Self.station)))
        test.host.tell(.homeNetwork(.gaveAddress("192.168.1.7", station: Self.station)))
        #expect(try await home.events.next(.refused, within: .seconds(300)) == Self.station)
        #expect(try await home.events.next(.joined, within: .seconds(300)) == Self.station)
        #expect(try await home.events.next(.gaveAddress, within: .seconds(300)) == "192.168.1.7")
        await test.lab.close()
        #expect(test.failures.isEmpty)
        let record = "\(test.events)"
        #expect(record.contains("02:00:00:00:01:00 got the address 192.168.1.7") && !record.contains(home.passphrase))
    }

    @Test("A person with another phone must have a station refused only where the scenario waited for that")
    func awaited() async throws {
        let (test, rehearsal) = (try TestLab(), Rehearsal())
        test.lab.recorder.onHome { rehearsal.add($0) }
        let home = try await test.lab.homeNetwork.open()
        func reports() -> [HomeNetworkEvent] {
            rehearsal.items.compactMap { if case .router(let event) = $0 { event } else { nil } }
        }
        test.host.tell(.homeNetwork(.refused(station: Self.station)))
        test.host.tell(.homeNetwork(.refused(station: Self.station)))
        test.host.tell(.homeNetwork(.joined(station: Self.station)))
        try await home.events.next(.joined, within: .seconds(300))
        #expect(reports() == [.joined(station: Self.station)])
        try await home.events.next(.refused, within: .seconds(300))
        #expect(reports() == [.joined(station: Self.station), .refused(station: Self.station)])
    }

    @Test("Each network gets a passphrase of its own, unless the scenario gives one")
    func passphrases() async throws {
        let home = try TestLab().lab.homeNetwork
        try await home.open()
        let first = home.passphrase
        try await home.changePassphrase()
        #expect(home.passphrase != first && home.passphrase.count == 16)
        try await home.changePassphrase(to: "swordfish")
        #expect(home.passphrase == "swordfish")
        try await home.close()
    }

    @Test("Keys of the home's network are kept beside the capture")
    func keys() async throws {
        let path = NSTemporaryDirectory() + "hil-keys-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let test = try TestLab()
        test.lab.keepKeys(in: WiFiKeyFile(path))
        test.host.tell(.wifiKey(Data([0x0A])))
        test.accessory.tell(.wifiKey(Data([0x0B])))
        // The file is written by tasks of its own.
        try await waitForFiles("both keys to be written", in: NSTemporaryDirectory()) {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.contains("\"0A\"") && text.contains("\"0B\"")
        }
    }

    private static let realHome = RealHome(ssid: "Attic", security: .wpa2, passphrase: "correct horse")

    /// A lab whose home is a real network, and that has the agents of two boards.
    private func atRealHome() throws -> TestLab {
        let description = RigDescription(
            "stub", has: [.bluetooth, .wifi, .accessoryBoard, .homeNetwork, .homeRouter],
            reasons: [.homeControl: "“Attic” is a real network, whose router is not ours"])
        return try TestLab(description, home: .network(Self.realHome))
    }

    private func lacks(_ test: TestLab) -> [[Capability]] {
        test.events.compactMap {
            if case .lacks(let what) = $0 { what.capabilities.compactMap { Capability(rawValue: $0) } } else { nil }
        }
    }

    @Test("A real network is not opened, and its name and passphrase are the home's")
    func realNetwork() async throws {
        let test = try atRealHome()
        let home = try await test.lab.homeNetwork.open()
        #expect(home.ssid == "Attic" && home.security == .wpa2 && home.passphrase == "correct horse")
        #expect(lacks(test).isEmpty)
    }

    @Test(
        "A scenario that needs the router's word, or changes it, is skipped at a real network, with the reason",
        arguments: 0..<5)
    func realRouter(number: Int) async throws {
        let test = try atRealHome()
        let scenario = Scenario("Asks the router") { lab in
            let home = lab.homeNetwork
            switch number {
            case 0: try await home.events.next(.joined)
            case 1: try await home.open(channel: 36)
            case 2: try await home.close()
            case 3: try await home.changePassphrase()
            default: try await home.open(security: .wpa3)
            }
            lab.expect(false, "this line is reached")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(lacks(test) == [[.homeControl]])
        #expect(test.failures.isEmpty, "\(test.failures)")
    }

    @Test("The passphrase of a real network is in no event")
    func hidden() async throws {
        let test = try TestLab()
        let secret = #"a "quoted" / word"#
        test.lab.recorder.hide(secret)
        test.lab.recorder.record(.note(text: "join \(secret) now"))
        test.lab.recorder.record(.note(text: "61 20 22 71 75 6F 74 65 64"))
        let texts = test.events.compactMap { if case .note(let text) = $0 { text } else { nil } }
        #expect(texts.suffix(2) == ["join ••• now", "•••"])
    }
}
