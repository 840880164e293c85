/// Compares network names byte by byte, as access points and supplicants do (IEEE 802.11-2020, 9.4.2.2).
///
/// Swift's own comparison treats different encodings of one text as equal: `é` as one scalar or as two.
public enum NetworkName {
    public static func areEqual(_ a: String?, _ b: String?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.utf8.elementsEqual(b.utf8)
    }

    public static func name(_ name: String, hasPrefix prefix: String) -> Bool { name.utf8.starts(with: prefix.utf8) }

    /// A network name as text; empty if an app could not write it, because it is all zeros or not UTF-8.
    ///
    /// An empty name also means a hidden network. It never equals the name of a network that an app asks for.
    public static func text(_ bytes: [UInt8]) -> String {
        bytes.allSatisfy { $0 == 0 } ? "" : String(validating: bytes, as: UTF8.self) ?? ""
    }
}
