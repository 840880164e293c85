import RadioModel

/// A frame of 802.11 as tshark takes it apart: its header, and the layer that says what it is for.
package struct WiFiPacket: Sendable, Hashable {
    package enum Body: Sendable, Hashable {
        /// The body of a management frame.
        case management([UInt8])
        /// A frame of 802.1X, from its version on.
        case eapol([UInt8])
        /// A message of DHCP, from its operation on.
        case dhcp([UInt8])
        /// A message of DNS, from its identifier on.
        case dns([UInt8], isMulticast: Bool)
        /// The beginning of a request or an answer of HTTP.
        case http([UInt8])
        /// A header of TCP.
        case tcp([UInt8])
    }

    /// The header, from the frame control on. Hostile, as the body is.
    package var header: [UInt8]
    package var body: Body

    package init(header: [UInt8], body: Body) { (self.header, self.body) = (header, body) }
}

/// The fields of a header of 802.11 (IEEE 802.11-2020, 9.2 and 9.3).
struct WiFiHeader {
    let bytes: [UInt8]

    /// - Returns: Nil for a header that is too short for two addresses.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16 else { return nil }
        self.bytes = bytes
    }

    /// 0 for management, 1 for control, 2 for data.
    var type: UInt8 { bytes[0] >> 2 & 0x3 }
    var subtype: UInt8 { bytes[0] >> 4 }
    var isToAccessPoint: Bool { bytes[1] & 0x3 == 1 }
    var isFromAccessPoint: Bool { bytes[1] & 0x3 == 2 }
    /// Whether it is sent again, because nobody acknowledged it.
    var isRepeated: Bool { bytes[1] & 0x08 != 0 }

    var receiver: String { WiFiHeader.address(bytes[4..<10]) }
    var sender: String { WiFiHeader.address(bytes[10..<16]) }
    /// Whether it is for one station.
    var isForOne: Bool { bytes[4] & 0x01 == 0 }
    /// Its number, with that of its fragment.
    var number: UInt16? { bytes.count >= 24 ? UInt16(bytes[22]) | UInt16(bytes[23]) << 8 : nil }

    /// `02:00:00:00:01:00`.
    static func address(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { Hex.text([$0]) }.joined(separator: ":")
    }
}

/// Numbers of the network's protocols, most significant byte first, or of 802.11, least significant first. Nil beyond the
/// end of hostile bytes.
struct Octets {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { self.bytes = ArraySlice(Array(bytes)) }

    subscript(_ place: Int) -> UInt8? { place >= 0 && place < bytes.count ? bytes[bytes.startIndex + place] : nil }

    func big16(_ place: Int) -> UInt16? {
        guard let high = self[place], let low = self[place + 1] else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    func little16(_ place: Int) -> UInt16? { big16(place).map(\.byteSwapped) }

    /// The bytes from a place on, as many as there are.
    func from(_ place: Int) -> ArraySlice<UInt8> { bytes.dropFirst(max(0, place)) }

    /// Exactly so many bytes; nil if there are fewer.
    func slice(_ place: Int, _ count: Int) -> ArraySlice<UInt8>? {
        let part = from(place).prefix(count)
        return part.count == count ? part : nil
    }
}
