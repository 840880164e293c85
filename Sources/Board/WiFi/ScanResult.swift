import HILCNetlink
import RadioModel

/// Parses netlink attributes. No length in them is trusted.
///
/// Each attribute has a length (2 bytes, includes the header), a type (2 bytes; the top two bits are flags), the value,
/// and padding to 4 bytes.
struct NetlinkAttributes {
    /// The values by type. For a repeated type, the last value.
    private(set) var values: [UInt32: ArraySlice<UInt8>] = [:]

    init(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        while rest.count >= 4 {
            let header = Array(rest.prefix(4))
            let length = Int(header[0]) | Int(header[1]) << 8
            let type = UInt32(header[2]) | UInt32(header[3] & 0x3F) << 8
            guard length >= 4, length <= rest.count else { return }
            values[type] = rest.prefix(length).dropFirst(4)
            rest = rest.dropFirst((length + 3) & ~3)
        }
    }

    /// A number in the machine's byte order; nil if it is missing or has another size.
    func number<Number: FixedWidthInteger>(_ type: UInt32) -> Number? {
        guard let value = values[type], value.count == MemoryLayout<Number>.size else { return nil }
        return value.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// A string, with or without a zero at its end.
    func text(_ type: UInt32) -> String? {
        values[type].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// A network in the kernel's list of scan results.
struct ScanResult: Equatable {
    var network: WiFiNetwork
    /// When it was last heard, in nanoseconds since the board's boot; nil if the kernel does not say.
    var lastHeard: UInt64?

    /// Parses the attributes of an `NL80211_CMD_NEW_SCAN_RESULTS` message. Nil if they are invalid, or if a phone
    /// cannot join the network.
    init?(attributes bytes: [UInt8]) {
        guard let nested = NetlinkAttributes(bytes).values[NL80211_ATTR_BSS.rawValue] else { return nil }
        let bss = NetlinkAttributes(nested)
        guard let bssid = bss.values[NL80211_BSS_BSSID.rawValue].flatMap({ DeviceAddress(bytes: $0) }),
            let frequency: UInt32 = bss.number(NL80211_BSS_FREQUENCY.rawValue),
            let elements = bss.values[NL80211_BSS_INFORMATION_ELEMENTS.rawValue]
                ?? bss.values[NL80211_BSS_BEACON_IES.rawValue]
        else { return nil }
        let parsed = InformationElements(elements)
        let capabilities: UInt16 = bss.number(NL80211_BSS_CAPABILITY.rawValue) ?? 0
        let hundredthsOfDecibels: UInt32? = bss.number(NL80211_BSS_SIGNAL_MBM.rawValue)
        guard let ssid = parsed.ssid, let security = parsed.security(isPrivate: capabilities & 0x10 != 0) else {
            return nil
        }
        lastHeard = bss.number(NL80211_BSS_LAST_SEEN_BOOTTIME.rawValue)
        let name = NetworkName.text(ssid)
        network = WiFiNetwork(
            ssid: name.text, bssid: bssid, frequency: Int(frequency),
            signal: Int(Int32(bitPattern: hundredthsOfDecibels ?? 0)) / 100,
            security: security, encoding: name.encoding, rsnCapabilities: parsed.rsnCapabilities,
            usesTKIP: parsed.usesTKIP)
    }
}
