import Foundation
import Testing

@testable import LanternApp

struct ImprovTests {
    @Test("The example of the specification")
    func example() throws {
        let command = Improv.Command.sendWiFi(ssid: "MyWirelessAP", passphrase: "mysecurepassword")
        let packet = try #require(command.packet)
        let content = Data([0x01, 0x1E, 0x0C]) + Data("MyWirelessAP".utf8) + [0x10] + Data("mysecurepassword".utf8)
        #expect(packet == content + [content.reduce(0, &+)])
        let parts = Improv.parts(of: packet)
        #expect(parts.map(\.count) == [20, 13] && parts.reduce(Data(), +) == packet)
    }

    @Test("A text too long for a command is refused")
    func tooLong() {
        #expect(Improv.Command.sendWiFi(ssid: String(repeating: "a", count: 256), passphrase: "").packet == nil)
        #expect(
            Improv.Command.sendWiFi(ssid: "a", passphrase: String(repeating: "a", count: 253)).packet == nil)
    }

    @Test("A result is read")
    func result() throws {
        let result = try #require(Improv.Result(Data([3, 5, 1, 0x61, 2, 0xC3, 0xA9, 0xD8])))
        #expect(result.command == 3 && result.strings == ["a", "é"])
        #expect(Improv.Result(Data([1, 0, 1]))?.strings == [])
    }

    @Test(
        "Other bytes are no result",
        arguments: [[], [1, 0], [1, 0, 2], [3, 1, 1, 5], [3, 2, 2, 0x61, 0x68], [3, 2, 1, 0xFF, 5], [1, 0, 1, 0]])
    func noResult(_ bytes: [UInt8]) { #expect(Improv.Result(Data(bytes)) == nil) }

    @Test("The state in an advertisement")
    func serviceData() {
        #expect(Improv.state(inServiceData: Data([2, 3, 0, 0, 0, 0])) == .authorized)
        #expect(Improv.state(inServiceData: Data([9, 3, 0, 0, 0, 0])) == nil)
        #expect(Improv.state(inServiceData: Data([2])) == nil)
    }
}
