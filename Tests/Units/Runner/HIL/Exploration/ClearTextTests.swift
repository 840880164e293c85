import RigModel
import Testing

@testable import HIL

struct ClearTextTests {
    /// A capture of one Bluetooth adapter and one Wi-Fi radio.
    private func capture(_ hci: [[UInt8]], wifi: [[UInt8]] = []) -> [UInt8] {
        pcapng([("accessory-hci0", hci.map { [0, 0, 0, 0] + $0 }), ("accessory-wlan0", wifi)])
    }

    private static let secret = Array("hunter22".utf8)
    /// Data on the link with handle 0x0040.
    private static let data: [UInt8] = [2, 0x40, 0x20, 15, 0, 11, 0, 4, 0, 0x12, 3, 0] + secret
    private static func encryption(_ isOn: Bool) -> [UInt8] { [4, 0x08, 4, 0, 0x40, 0x00, isOn ? 1 : 0] }
    private static let disconnected: [UInt8] = [4, 0x05, 4, 0, 0x40, 0x00, 0x13]

    @Test("Data counts while its link is not encrypted")
    func links() {
        #expect(ClearText(capture([Self.data])).contains("hunter22"))
        #expect(!ClearText(capture([Self.encryption(true), Self.data])).contains("hunter22"))
        #expect(ClearText(capture([Self.encryption(true), Self.encryption(false), Self.data])).contains("hunter22"))
        #expect(ClearText(capture([Self.encryption(true), Self.disconnected, Self.data])).contains("hunter22"))
    }

    /// A write request, in packets of at most so many bytes of data.
    private static func write(_ value: String, to handle: UInt8 = 3, piece: Int = 27) -> [[UInt8]] {
        let pdu = [0x12, handle, 0] + Array(value.utf8)
        let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
        return stride(from: 0, to: frame.count, by: piece).map { start in
            let part = frame[start..<min(start + piece, frame.count)]
            return [2, 0x40, start == 0 ? 0x20 : 0x10, UInt8(part.count), 0] + part
        }
    }

    @Test("A text counts that passes in several values of an attribute, or in several packets of one")
    func pieces() {
        let (first, second) = ("a passphrase of", " many words")
        let whole = first + second
        #expect(ClearText(capture(Self.write(first) + Self.write(second))).reveals(whole))
        #expect(ClearText(capture(Self.write(whole, piece: 9))).reveals(whole))
        #expect(!ClearText(capture(Self.write(first) + Self.write(second, to: 4))).reveals(whole), "two attributes")
        let halfEncrypted = Self.write(first) + [Self.encryption(true)] + Self.write(second)
        #expect(!ClearText(capture(halfEncrypted)).reveals(whole))
    }

    @Test("Advertisements and frames of Wi-Fi count always, other commands never")
    func others() {
        let advertising: [UInt8] = [1, 0x08, 0x20, 10, 8] + Self.secret
        let key: [UInt8] = [1, 0x19, 0x20, 8] + Self.secret
        #expect(ClearText(capture([Self.encryption(true), advertising])).contains("hunter22"))
        #expect(!ClearText(capture([key])).contains("hunter22"))
        #expect(ClearText(capture([], wifi: [[0x80, 0] + Self.secret])).contains("hunter22"))
        #expect(!ClearText(capture([], wifi: [[0x80, 0]])).contains("hunter22"))
    }

    @Test("A capture that is cut anywhere is read without a trap")
    func cut() {
        let whole = capture([Self.encryption(true), Self.data, [4], [2, 1], []], wifi: [[], [1]])
        for count in whole.indices { _ = ClearText(Array(whole.prefix(count))).contains("hunter22") }
    }
}
