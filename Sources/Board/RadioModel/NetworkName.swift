/// How the names of networks are compared: byte by byte, as access points and supplicants do (IEEE 802.11-2020, 9.4.2.2).
/// Swift's own comparison takes different spellings of one text for equal: `é` as one scalar or as two.
public enum NetworkName {
    public static func areEqual(_ a: String?, _ b: String?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.utf8.elementsEqual(b.utf8)
    }

    public static func name(_ name: String, hasPrefix prefix: String) -> Bool { name.utf8.starts(with: prefix.utf8) }

    /// A name as text; empty, as that of a network which hides, for bytes that no app could write: zeros, and what is no
    /// UTF-8. So no two of them are taken for one another, and none for a network that somebody names.
    public static func text(_ bytes: [UInt8]) -> String {
        bytes.allSatisfy { $0 == 0 } ? "" : String(validating: bytes, as: UTF8.self) ?? ""
    }
}
