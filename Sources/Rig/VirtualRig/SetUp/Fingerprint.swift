import Foundation
import HILPOSIX
import RigModel

/// Makes names from content.
///
/// It combines two 64-bit FNV-1a sums with different starts, which is enough to distinguish our own inputs. Files from
/// the network are checked with SHA-256 instead.
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

    /// Adds a text, and a byte that ends it.
    mutating func add(_ text: String) {
        add(text.utf8)
        add([0])
    }

    /// 16 hexadecimal digits, usable in a file name.
    var name: String {
        (first ^ (second << 29 | second >> 35)).padded(to: 16, radix: 16)
    }

    /// The name of a list of texts.
    static func of(_ texts: String...) -> String {
        var fingerprint = Fingerprint()
        for text in texts { fingerprint.add(text) }
        return fingerprint.name
    }

    /// The name of a folder's files, by their paths and contents.
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
    // If the file name has a backslash or a line feed, the output begins with a backslash.
    return String(outcome.output.drop { $0 == "\\" }.prefix(64))
}

extension Cache {
    /// A file's SHA-256 in hexadecimal digits, which is computed again only when the file has changed.
    func digest(of path: String, for action: String) async throws(RigFailure) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw RigFailure(action, "\(path): \(String(cString: strerror(errno)))")
        }
        let name =
            "digest-"
            + Fingerprint.of(
                path, "\(status.st_dev) \(status.st_ino) \(status.st_size)",
                "\(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec) \(status.st_ctim.tv_nsec)")
        let file = try await keep(name, action: action) { partial in
            try await sha256(of: path, for: action).write(toFile: partial, atomically: false, encoding: .utf8)
        }
        do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
            throw RigFailure(action, "\(file) cannot be read: \(error.localizedDescription)")
        }
    }
}
