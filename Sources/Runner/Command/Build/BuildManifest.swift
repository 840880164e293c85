import Foundation

/// The files that a SwiftPM build reads, from the list that it makes for its build engine (`.build/debug.yaml`).
///
/// A program has more sources than those of its package: a plugin reads those of an app, and another package may have
/// some. Both may be anywhere.
struct BuildManifest {
    /// The absolute paths of files that commands of the build read.
    let inputs: Set<String>

    /// - Parameters:
    ///   - content: The file.
    ///   - known: Paths that begin with one of these are left out.
    init(_ content: Data, without known: [String]) {
        let known = known.map { Array($0.utf8) }
        var inputs: Set<String> = []
        content.withUnsafeBytes { content in
            var rest = content
            while let line = BuildManifest.take(until: "\n", of: &rest) {
                var line = line
                guard BuildManifest.take(prefix: BuildManifest.list, of: &line) else { continue }
                // A comma-separated list of quoted names. A file is named by its path, anything else by another word.
                while BuildManifest.take(until: "\"", of: &line) != nil,
                    let name = BuildManifest.take(until: "\"", of: &line)
                {
                    guard name.first == UInt8(ascii: "/"), !known.contains(where: { name.starts(with: $0) }) else {
                        continue
                    }
                    inputs.insert(String(decoding: name, as: UTF8.self))
                }
            }
        }
        self.inputs = inputs
    }

    /// How the line of a command's inputs begins.
    private static let list = Array("    inputs: [".utf8)

    private static func take(prefix: [UInt8], of bytes: inout UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= prefix.count, let start = bytes.baseAddress, memcmp(start, prefix, prefix.count) == 0
        else {
            return false
        }
        bytes = UnsafeRawBufferPointer(rebasing: bytes[prefix.count...])
        return true
    }

    /// The bytes before the next `mark`, which is taken as well; nil if there is none.
    private static func take(
        until mark: Unicode.Scalar, of bytes: inout UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard let start = bytes.baseAddress, let end = memchr(start, Int32(mark.value), bytes.count) else { return nil }
        let count = start.distance(to: UnsafeRawPointer(end))
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[(count + 1)...]) }
        return UnsafeRawBufferPointer(rebasing: bytes[..<count])
    }
}
