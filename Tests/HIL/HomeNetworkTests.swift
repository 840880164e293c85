import BoardProtocol
import Eventually
import Foundation
import RadioModel
import StubRig
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
        try await eventually("both keys to be written") {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.contains("\"0A\"") && text.contains("\"0B\"")
        }
    }
}
