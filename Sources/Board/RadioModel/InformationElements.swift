/// The elements of a beacon or probe response that say how a network is named and protected.
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
    /// Whether the vendor element of the first WPA is present, and asks for a key (PSK).
    package private(set) var hasWPA1 = false
    /// Whether the vendor element of the first WPA is present without PSK.
    private var hasOtherWPA1 = false
    /// Whether a cipher of the RSN element, or that of the first WPA, is TKIP.
    package private(set) var usesTKIP = false
    /// Whether a cipher of the RSN element, or that of the first WPA, is WEP.
    package private(set) var usesWEP = false
    /// Whether the vendor element of Wi-Fi Protected Setup is present.
    package private(set) var hasWPS = false

    /// Suite selectors for key management (IEEE 802.11-2020, table 9-151).
    package enum Suite {
        package static let psk: UInt32 = 0x000F_AC02
        package static let pskSHA256: UInt32 = 0x000F_AC06
        package static let sae: UInt32 = 0x000F_AC08
        package static let saeGroupDependent: UInt32 = 0x000F_AC18
        package static let enterprise: UInt32 = 0x000F_AC01
        package static let enterpriseSHA256: UInt32 = 0x000F_AC05
        package static let owe: UInt32 = 0x000F_AC12
        /// A cipher (table 9-149).
        static let tkip: UInt32 = 0x000F_AC02
        static let wep: Set<UInt32> = [0x000F_AC01, 0x000F_AC05]
        /// The same of the first WPA, whose element is Wi-Fi Alliance's: key management and cipher.
        static let firstPSK: UInt32 = 0x0050_F202
        static let firstTKIP: UInt32 = 0x0050_F202
        static let firstWEP: Set<UInt32> = [0x0050_F201, 0x0050_F205]
    }

    /// How management frames are protected (IEEE 802.11-2020, 9.4.2.24.4).
    package enum ManagementProtection: Sendable, Equatable {
        case none
        /// Stations may do without.
        case optional
        case required
    }

    package init(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        while let id = rest.popFirst(), let length = rest.popFirst(), rest.count >= length {
            let body = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            switch id {
            case 0 where ssid == nil && body.count <= 32: ssid = body
            case 48 where keyManagement == nil:
                let suites = SecuritySuites(body)
                (keyManagement, rsnCapabilities) = (suites.keyManagement, suites.capabilities)
                usesTKIP = usesTKIP || suites.ciphers.contains(Suite.tkip)
                usesWEP = usesWEP || !Suite.wep.isDisjoint(with: suites.ciphers)
            case 221 where body.starts(with: [0x00, 0x50, 0xF2, 0x01]):
                // The same form as the RSN element, after the vendor's name and type.
                let suites = SecuritySuites(Array(body.dropFirst(4)))
                if suites.keyManagement.contains(Suite.firstPSK) { hasWPA1 = true } else { hasOtherWPA1 = true }
                usesTKIP = usesTKIP || suites.ciphers.contains(Suite.firstTKIP)
                usesWEP = usesWEP || !Suite.firstWEP.isDisjoint(with: suites.ciphers)
            case 221 where body.starts(with: [0x00, 0x50, 0xF2, 0x04]): hasWPS = true
            default: break
            }
        }
    }

    /// Whether stations must, may or cannot protect management frames.
    package var managementProtection: ManagementProtection {
        // Bit 6: required; bit 7: capable.
        guard let capabilities = rsnCapabilities, capabilities & 0x80 != 0 else { return .none }
        return capabilities & 0x40 != 0 ? .required : .optional
    }

    /// The security of the network; nil for WEP, and for others that the phone of a rig does not join.
    ///
    /// - Parameter isPrivate: The privacy bit of the capabilities.
    package func security(isPrivate: Bool) -> WiFiSecurity? {
        guard let keyManagement else {
            if hasWPA1 { return .wpa1 }
            return isPrivate || hasOtherWPA1 ? nil : .open
        }
        let hasPSK = keyManagement.contains { $0 == Suite.psk || $0 == Suite.pskSHA256 }
        let hasSAE = keyManagement.contains { $0 == Suite.sae || $0 == Suite.saeGroupDependent }
        switch (hasPSK, hasSAE) {
        case (true, true): return .wpa2wpa3
        case (true, false): return hasWPA1 ? .wpa1wpa2 : .wpa2
        case (false, true): return .wpa3
        case (false, false): break
        }
        if keyManagement.contains(Suite.owe) { return .enhancedOpen }
        let isEnterprise = keyManagement.contains { $0 == Suite.enterprise || $0 == Suite.enterpriseSHA256 }
        return isEnterprise ? .wpa2Enterprise : nil
    }
}

/// The suites of an RSN element (IEEE 802.11-2020, 9.4.2.24): empty as far as the element is too short.
private struct SecuritySuites {
    /// The group cipher, and the pairwise ones.
    var ciphers: [UInt32] = []
    var keyManagement: [UInt32] = []
    var capabilities: UInt16?

    init(_ body: [UInt8]) {
        // Version 2, group cipher 4, then a counted list of pairwise ciphers, then a counted list of key management
        // suites.
        var rest = body.dropFirst(2)
        guard let group = SecuritySuites.take(1, from: &rest) else { return }
        ciphers = group
        guard let pairwise = SecuritySuites.count(&rest).flatMap({ SecuritySuites.take($0, from: &rest) }) else {
            return
        }
        ciphers += pairwise
        guard let suites = SecuritySuites.count(&rest).flatMap({ SecuritySuites.take($0, from: &rest) }) else { return }
        keyManagement = suites
        capabilities = SecuritySuites.count(&rest).map { UInt16($0) }
    }

    /// Takes selectors of four bytes; nil if there are fewer.
    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt32]? {
        guard rest.count >= 4 * count else { return nil }
        defer { rest = rest.dropFirst(4 * count) }
        return (0..<count).map { index in
            rest.dropFirst(4 * index).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    private static func count(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
        return Int(low) | Int(high) << 8
    }
}
