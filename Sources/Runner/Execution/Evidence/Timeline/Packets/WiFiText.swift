/// A line for a frame of 802.11 (IEEE 802.11-2020, 9.2.4.1.3 and 9.3.3; 12.7.6 for EAPOL).
enum WiFiText {
    /// - Parameter bytes: The radiotap header, with its length in bytes 3 and 4, and the frame.
    static func line(_ bytes: PacketBytes) -> String? {
        guard let header = bytes.word(2) else { return nil }
        let frame = bytes.dropFirst(Int(header))
        guard let control = frame.word(0) else { return nil }
        let (type, subtype) = (control >> 2 & 3, UInt8(control >> 4 & 15))
        let between = frame.address(10).flatMap { from in frame.address(4).map { " \(from) → \($0)" } } ?? ""
        switch type {
        case 0: return (managementNames[subtype] ?? "management \(subtype)") + between + management(subtype, frame)
        case 1: return "control \(subtype)" + between
        case 2:
            if subtype & 4 != 0 { return "null data" + between }
            if control & 0x4000 != 0 { return "protected data" + between }
            // The header is two bytes longer with QoS. Then come LLC and SNAP, whose last two bytes are the protocol.
            let start = 24 + (subtype & 8 != 0 ? 2 : 0) + 6
            let isKey = frame.byte(start) == 0x88 && frame.byte(start + 1) == 0x8E
            return (isKey ? "EAPOL" + key(frame.dropFirst(start + 2)) : "data") + between
        default: return "extension \(subtype)" + between
        }
    }

    /// What a management frame says: the network, whether it was accepted, why it ended.
    private static func management(_ subtype: UInt8, _ frame: PacketBytes) -> String {
        let body = frame.dropFirst(24)
        func accepted(_ status: UInt16?) -> String {
            status.map { $0 == 0 ? ": accepted" : ": refused, status \($0)" } ?? ""
        }
        switch subtype {
        case 0: return network(body.dropFirst(4))
        case 2: return network(body.dropFirst(10))
        case 4: return network(body)
        case 5, 8: return network(body.dropFirst(12))
        case 1, 3: return accepted(body.word(2))
        case 10, 12: return body.word(0).map { ": reason \($0)" + (reasons[$0].map { ", \($0)" } ?? "") } ?? ""
        case 11:
            guard let algorithm = body.word(0), let turn = body.word(2) else { return "" }
            let name = algorithm == 0 ? "open" : algorithm == 3 ? "SAE" : "algorithm \(algorithm)"
            // SAE refuses with any status but success and “hash to element” (9.4.1.9).
            let status = body.word(4).map { $0 == 0 || $0 == 126 ? "" : ", refused, status \($0)" } ?? ""
            return ": \(name), message \(turn)\(status)"
        default: return ""
        }
    }

    /// The name of the network, in the first element.
    private static func network(_ elements: PacketBytes) -> String {
        guard elements.byte(0) == 0, let size = elements.byte(1).map(Int.init), size <= 32 else { return "" }
        return elements.text(2, size).map { " “\($0)”" } ?? ""
    }

    /// Which message of the handshake it is, by the bits of its key information (12.7.2).
    private static func key(_ packet: PacketBytes) -> String {
        guard packet.byte(1) == 3, let high = packet.byte(5), let low = packet.byte(6) else { return "" }
        let information = UInt16(high) << 8 | UInt16(low)
        let (isPairwise, isAsked, hasCheck, isSecure) =
            (information & 0x08 != 0, information & 0x80 != 0, information & 0x100 != 0, information & 0x200 != 0)
        guard isPairwise else { return isAsked ? " group key 1 of 2" : " group key 2 of 2" }
        let message = isAsked ? (hasCheck ? 3 : 1) : (isSecure ? 4 : 2)
        return " message \(message) of 4"
    }

    private static let managementNames: [UInt8: String] = [
        0: "association request", 1: "association response", 2: "reassociation request", 3: "reassociation response",
        4: "probe request", 5: "probe response", 8: "beacon", 10: "disassociation", 11: "authentication",
        12: "deauthentication", 13: "action",
    ]

    /// Why a link ended (9.4.1.7).
    private static let reasons: [UInt16: String] = [
        1: "unspecified", 2: "authentication no longer valid", 3: "the station leaves", 4: "inactive",
        6: "not authenticated", 7: "not associated", 8: "the station leaves its network",
        14: "message integrity failed",
        15: "the four-way handshake timed out", 16: "the group key handshake timed out", 23: "802.1X failed",
    ]
}
