/// A version of TLS: its number in the protocol. Source: RFC 8446, section 4.2.1.
package struct TLSVersion: Sendable, Hashable, RawRepresentable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let v1_0 = TLSVersion(rawValue: 0x0301)
    package static let v1_1 = TLSVersion(rawValue: 0x0302)
    package static let v1_2 = TLSVersion(rawValue: 0x0303)
    package static let v1_3 = TLSVersion(rawValue: 0x0304)

    /// Whether it is deprecated. Source: RFC 8996.
    package var isOld: Bool { rawValue < TLSVersion.v1_2.rawValue }
}

extension TLSVersion: CustomStringConvertible {
    /// `TLS 1.2`.
    package var description: String { "TLS 1.\(Int(rawValue) - 0x0301)" }
}
