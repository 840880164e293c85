import Foundation
import POSIX
import RigModel

/// Names things by what is in them.
///
/// Two 64-bit FNV-1a sums with unlike starts: enough to tell inputs of our own apart. What comes from the network is
/// checked with SHA-256 instead.
struct Fingerprint {
    private var first: UInt64 = 0xcbf2_9ce4_8422_2325
    private var second: UInt64 = 0x6c62_272e_07bb_0142

    /// Adds bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
            second = (second ^ UInt64(byte ^ 0x5a)) &* 0x100_0000_01b3
        }
    }

    /// Adds a text, and marks its end.
    mutating func add(_ text: String) {
        add(text.utf8)
        add([0])
    }

    /// 16 hexadecimal digits, fit for a file's name.
    var name: String {
        let mixed = first ^ (second << 29 | second >> 35)
        let digits = String(mixed, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The name of a list of texts.
    static func of(_ texts: String...) -> String {
        var fingerprint = Fingerprint()
        for text in texts { fingerprint.add(text) }
        return fingerprint.name
    }

    /// The name of a folder's files: their paths and what is in them.
    static func ofFolder(_ folder: String) throws -> String {
        var fingerprint = Fingerprint()
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            guard let content = FileManager.default.contents(atPath: "\(folder)/\(path)") else { continue }
            fingerprint.add(path)
            fingerprint.add("\(content.count)")
            fingerprint.add(content)
        }
        return fingerprint.name
    }
}

/// A file's SHA-256 in hexadecimal digits, by coreutils' `sha256sum`.
func sha256(of path: String, for action: String) async throws(RigFailure) -> String {
    let outcome = try await Tool.run(
        ["sha256sum", "--", path], package: "coreutils", for: action, within: .seconds(60))
    guard outcome.status.isSuccess, outcome.output.count >= 64 else {
        throw RigFailure(action, "sha256sum \(outcome.status): \(outcome.tail(1))")
    }
    // A name with a backslash or a line feed is announced by a leading backslash.
    return String(outcome.output.drop { $0 == "\\" }.prefix(64))
}
