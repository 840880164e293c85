import Foundation

/// The format of the greeting.
public enum Greeting {
    /// The longest greeting, in bytes.
    public static let limit = 100

    /// Reads the bytes of the characteristic: text in UTF-8.
    public static func text(of bytes: Data) throws -> String {
        guard bytes.count <= limit, let text = String(data: bytes, encoding: .utf8) else {
            throw __Name__Error.notAText
        }
        return text
    }
}
