import RadioModel

/// The elements of a beacon or probe response that a phone's list of networks needs.
///
/// The bytes may be anything: parsing stops at an element that is longer than the rest. Source: IEEE 802.11-2020,
/// 9.4.2.
package struct InformationElements: Sendable, Equatable {
    /// The name of the network, 0 to 32 bytes; nil if the element is missing or too long.
    package private(set) var ssid: [UInt8]?
    /// The key management suites of the RSN element, in order; nil if the element is missing.
    package private(set) var keyManagement: [UInt32]?
    /// The capabilities of the RSN element; nil if it has none.
    package private(set) var rsnCapabilities: UInt16?
    /// Whether the vendor element of the first WPA is present.
    package private(set) var hasWPA1 = false

    /// Suite selectors for key management (IEEE 802.11-2020, table 9-151).
    package enum Suite {
        package static let psk: UInt32 = 0x000F_AC02
        package static let pskSHA256: UInt32 = 0x000F_AC06
        package static let sae: UInt32 = 0x000F_AC08
        package static let saeGroupDependent: UInt32 = 0x000F_AC18
    }

    package init(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        while let id = rest.popFirst(), let length = rest.popFirst(), rest.count >= length {
            let body = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            switch id {
            case 0 where ssid == nil && body.count <= 32: ssid = body
            case 48 where keyManagement == nil:
                (keyManagement, rsnCapabilities) = InformationElements.suites(ofRSN: body)
            case 221 where body.starts(with: [0x00, 0x50, 0xF2, 0x01]): hasWPA1 = true
            default: break
            }
        }
    }

    /// The security of the network; nil if a phone does not join such a network by a passphrase: WEP, the first WPA, or
    /// 802.1X.
    ///
    /// - Parameter isPrivate: The privacy bit of the capabilities.
    package func security(isPrivate: Bool) -> WiFiSecurity? {
        guard let keyManagement else { return isPrivate || hasWPA1 ? nil : .open }
        let hasPSK = keyManagement.contains { $0 == Suite.psk || $0 == Suite.pskSHA256 }
        let hasSAE = keyManagement.contains { $0 == Suite.sae || $0 == Suite.saeGroupDependent }
        switch (hasPSK, hasSAE) {
        case (true, true): return .wpa2wpa3
        case (true, false): return .wpa2
        case (false, true): return .wpa3
        case (false, false): return nil
        }
    }

    /// The key management suites of an RSN element, and the capabilities after them; empty and nil if the element is
    /// too short (IEEE 802.11-2020, 9.4.2.24).
    private static func suites(ofRSN body: [UInt8]) -> (suites: [UInt32], capabilities: UInt16?) {
        // Version 2, group cipher 4, then a counted list of pairwise ciphers, then a counted list of key management
        // suites.
        var rest = body.dropFirst(6)
        guard let pairwise = count(&rest), rest.count >= 4 * pairwise else { return ([], nil) }
        rest = rest.dropFirst(4 * pairwise)
        guard let suites = count(&rest), rest.count >= 4 * suites else { return ([], nil) }
        let selectors = (0..<suites).map { index in
            rest.dropFirst(4 * index).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        rest = rest.dropFirst(4 * suites)
        return (selectors, count(&rest).map { UInt16($0) })
    }

    private static func count(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
        return Int(low) | Int(high) << 8
    }
}
