import HILCNetlink
import RadioModel
import Testing

@testable import HILWiFi

@Suite struct ScanResultTests {
    static let rsnWPA2: [UInt8] = [
        48, 20, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 2, 0, 0,
    ]
    static let rsnMixed: [UInt8] = [
        48, 24, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 2, 0, 0, 0x0F, 0xAC, 2, 0, 0x0F, 0xAC, 8, 0x80, 0,
    ]

    static func name(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }

    @Test func findsTheSecurityInTheElements() {
        #expect(InformationElements(Self.name("a")).security(isPrivate: false) == .open)
        #expect(InformationElements(Self.name("a")).security(isPrivate: true) == nil, "WEP")
        #expect(InformationElements(Self.name("a") + Self.rsnWPA2).security(isPrivate: true) == .wpa2)
        #expect(InformationElements(Self.rsnMixed).security(isPrivate: true) == .wpa2wpa3)
        var sae = Self.rsnWPA2
        sae[19] = 8
        #expect(InformationElements(sae).security(isPrivate: true) == .wpa3)
        sae[19] = 1
        #expect(InformationElements(sae).security(isPrivate: true) == .wpa2Enterprise, "802.1X")
        sae[19] = 3
        #expect(InformationElements(sae).security(isPrivate: true) == nil, "802.1X with fast transition")
    }

    @Test("Elements tell of Wi-Fi Protected Setup, of WEP, and of protected management frames")
    func findsWeaknesses() {
        let plain = InformationElements(Self.rsnWPA2)
        #expect(!plain.hasWPS && !plain.usesWEP && plain.managementProtection == .none)
        let setup: [UInt8] = [221, 14, 0, 0x50, 0xF2, 4, 0x10, 0x4A, 0, 1, 0x10, 0x10, 0x44, 0, 1, 2]
        #expect(InformationElements(Self.rsnWPA2 + setup).hasWPS)
        #expect(!InformationElements(Self.rsnWPA2 + [221, 4, 0, 0x50, 0xF2, 2]).hasWPS, "WMM")
        for suite: UInt8 in [1, 5] {
            var old = Self.rsnWPA2
            old[7] = suite
            #expect(InformationElements(old).usesWEP, "the group cipher \(suite)")
        }
        #expect(InformationElements(Self.rsnMixed).managementProtection == .optional)
        var required = Self.rsnMixed
        required[24] = 0xC0
        #expect(InformationElements(required).managementProtection == .required)
        required[24] = 0x40
        #expect(InformationElements(required).managementProtection == .none, "required, but not capable, is no promise")
    }

    /// Anyone may send any beacon.
    @Test func incompleteAndChangedElementsDoNotTrap() {
        let elements = Self.name("Die 7") + Self.rsnMixed + [221, 4, 0, 0x50, 0xF2, 1, 221, 200, 1]
        for count in 0...elements.count { _ = InformationElements(elements.prefix(count)).security(isPrivate: true) }
        for index in elements.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var changed = elements
                changed[index] = value
                _ = InformationElements(changed).security(isPrivate: true)
            }
        }
        #expect(
            InformationElements([0, 33] + [UInt8](repeating: 65, count: 33)).ssid == nil, "longer than a name may be")
        #expect(InformationElements([0, 0]).ssid == [])
    }

    static func attribute(_ type: UInt32, _ value: [UInt8]) -> [UInt8] {
        let length = value.count + 4
        return [UInt8(length & 255), UInt8(length >> 8), UInt8(type & 255), UInt8(type >> 8)] + value
            + [UInt8](repeating: 0, count: (4 - length % 4) % 4)
    }

    static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func message(elements: [UInt8]) -> [UInt8] {
        let bss =
            attribute(NL80211_BSS_BSSID.rawValue, [2, 0, 0, 0, 0, 9])
            + attribute(NL80211_BSS_FREQUENCY.rawValue, number(2412, 4))
            + attribute(NL80211_BSS_SIGNAL_MBM.rawValue, number(-4200, 4))
            + attribute(NL80211_BSS_CAPABILITY.rawValue, number(0x11, 2))
            + attribute(NL80211_BSS_LAST_SEEN_BOOTTIME.rawValue, number(77, 8))
            + attribute(NL80211_BSS_INFORMATION_ELEMENTS.rawValue, elements)
        return attribute(NL80211_ATTR_IFINDEX.rawValue, number(3, 4)) + attribute(NL80211_ATTR_BSS.rawValue, bss)
    }

    @Test func parsesTheKernelsMessage() throws {
        let result = try #require(ScanResult(attributes: Self.message(elements: Self.name("Die 7") + Self.rsnWPA2)))
        #expect(
            result.network
                == WiFiNetwork(
                    ssid: "Die 7", bssid: try #require(DeviceAddress("02:00:00:00:00:09")), frequency: 2412,
                    signal: -42, security: .wpa2,
                    rsnCapabilities: 0))
        #expect(result.lastHeard == 77)
    }

    @Test func hiddenNamesAreEmptyAndBinaryOnesAreWindowsLatin1() {
        let hidden = ScanResult(attributes: Self.message(elements: [0, 3, 0, 0, 0] + Self.rsnWPA2))
        #expect(hidden?.network.ssid == "")
        let binary = ScanResult(attributes: Self.message(elements: [0, 3, 0xFF, 65, 0xFE] + Self.rsnWPA2))
        #expect(binary?.network.ssid == "ÿAþ" && binary?.network.encoding == .windowsLatin1)
    }

    @Test func incompleteAndChangedMessagesDoNotTrap() {
        let message = Self.message(elements: Self.name("Die 7") + Self.rsnWPA2)
        for count in 0..<message.count { _ = ScanResult(attributes: Array(message.prefix(count))) }
        for index in message.indices {
            for value: UInt8 in [0, 1, 3, 4, 0x7F, 0xFF] {
                var changed = message
                changed[index] = value
                _ = ScanResult(attributes: changed)
                _ = WirelessInterface(attributes: changed)
            }
        }
    }

    /// Names that are not text must not equal each other, and a name must not equal one with other bytes.
    @Test func namesOfEveryLengthAndOfAnyBytes() throws {
        var random = SystemRandomNumberGenerator()
        for length in 0...32 {
            for fill: UInt8 in [0x00, 0x41, 0x7F, 0x80, 0xC3, 0xFF, UInt8.random(in: 0...255, using: &random)] {
                let bytes = [UInt8](repeating: fill, count: length)
                let result = try #require(
                    ScanResult(attributes: Self.message(elements: [0, UInt8(length)] + bytes + Self.rsnWPA2)))
                let (ssid, encoding) = (result.network.ssid, result.network.encoding)
                #expect(encoding.bytes(of: ssid) == (fill == 0 ? [] : bytes))
                #expect((encoding == .utf8) == (String(validating: bytes, as: UTF8.self) != nil))
            }
        }
        #expect(!NetworkName.areEqual("\u{E9}", "e\u{301}"), "other bytes that look the same")
        #expect(NetworkName.areEqual(nil, nil) && !NetworkName.areEqual("a", nil))
        #expect(NetworkName.name("Die 7", hasPrefix: "Die") && !NetworkName.name("e\u{301}", hasPrefix: "\u{E9}"))
    }
}
