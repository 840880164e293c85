import Foundation
import StubRig
import TestSupport

/// SwiftPM could not tell what the package is made of.
private struct DumpFailed: Error, CustomStringConvertible {
    let description: String
}

extension House {
    /// This package's own, as SwiftPM reads its plan.
    static let own = Task { try House(dump: await dump()) }

    /// What each target names. In folders of its own, because those of the tests and of other builds are in use.
    private static func dump() async throws -> Data {
        let scratch = NSTemporaryDirectory() + "hil-house-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let words = [
            "env", "HIL_DEPENDENCIES=named", "swift", "package", "--package-path", checkout, "--scratch-path", scratch,
            "--cache-path", "\(scratch)/cache",
            "dump-package",
        ]
        let output = try await ProgramOutput(of: words)
        guard output.status.isSuccess else {
            // Once more, for its errors.
            let told = try await ProgramOutput(of: words, withErrors: true)
            throw DumpFailed(description: "\(words.joined(separator: " ")) \(output.status): \(told.text)")
        }
        // SwiftPM may print a note before, such as that it waits for another of its kind.
        guard let start = output.bytes.firstIndex(of: UInt8(ascii: "{")), output.bytes.last == UInt8(ascii: "\n") else {
            throw DumpFailed(description: "\(words.joined(separator: " ")) printed \(output.text.prefix(500))")
        }
        return Data(output.bytes[start...])
    }
}
