import RadioModel

/// A network as anybody in range hears it, from its beacons and probe responses.
struct HeardNetwork: Equatable {
    /// The address of its access point.
    let bssid: DeviceAddress
    /// Its name; empty if it hides it.
    let ssid: String
    /// Whether frames are encrypted in some way.
    let isPrivate: Bool
    let elements: InformationElements

    /// nil if the frame does not announce a network.
    init?(_ frame: ManagementFrame) {
        switch frame.kind {
        case .beacon, .probeResponse: break
        case .associationRequest, .associationResponse, .probeRequest, .authentication, .other: return nil
        }
        // Timestamp 8, interval 2, capabilities 2 (IEEE 802.11-2020, 9.3.3.2).
        guard let capabilities = frame.word(10) else { return nil }
        bssid = frame.network
        isPrivate = capabilities & 0x10 != 0
        elements = frame.elements(after: 12)
        ssid = NetworkName.text(elements.ssid ?? []).text
    }

    /// nil for WEP, and for what nobody here knows.
    var security: WiFiSecurity? { elements.security(isPrivate: isPrivate) }

    /// The different announcements of a capture, in order of their first appearance.
    ///
    /// - Parameter radio: The radio whose networks count. Further networks of it differ in the first and the last byte of
    ///   the address.
    static func all(in capture: [UInt8], of radio: DeviceAddress) -> [HeardNetwork] {
        var heard: [HeardNetwork] = []
        for frame in ManagementFrame.all(in: capture) where frame.network.bytes[1...4] == radio.bytes[1...4] {
            if let network = HeardNetwork(frame), !heard.contains(network) { heard.append(network) }
        }
        return heard
    }
}

extension HeardNetwork: CustomStringConvertible {
    /// `“Lamp”, wpa2, management frames not protected, WPS`.
    var description: String {
        let protection =
            switch elements.managementProtection {
            case .none: "management frames not protected"
            case .optional: "management frames protected if the station can"
            case .required: "management frames protected"
            }
        let ciphers = (elements.usesTKIP ? ["TKIP"] : []) + (elements.usesWEP ? ["WEP"] : [])
        return
            (["“\(ssid)”", security?.rawValue ?? "WEP or unknown", protection] + ciphers
            + (elements.hasWPS ? ["WPS"] : [])).joined(separator: ", ")
    }
}
