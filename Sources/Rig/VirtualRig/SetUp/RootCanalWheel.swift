import Foundation
import HILPOSIX
import RigModel

/// RootCanal's library from its wheel on PyPI, pinned by version and hash.
struct RootCanalWheel: Sendable {
    static let version = "1.10.0"
    /// SHA-256 of `rootcanal-1.10.0-py3-none-any.whl`.
    static let wheelHash = "a3e8b451e1c2c9f7e118ed206d15167b1f3f0c7b55453f7b6eb016f2a99dc082"
    static let member = "rootcanal/bin/linux-x86_64/librootcanal_ffi.so"

    static let name = "rootcanal-\(version)-\(wheelHash.prefix(12)).so"

    /// Returns the library's path, and fetches it if it is not in the cache.
    static func prepare(
        cache: Cache, progress: @escaping @Sendable (String) -> Void
    ) async throws(RigFailure) -> String {
        let action = "fetching RootCanal \(version)"
        return try await cache.keep(name, action: action, megabytes: DiskNeed.rootCanal) { partial in
            progress("fetching RootCanal \(version) from PyPI, once, a few seconds")
            let folder = "\(partial).wheel.partial"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try await download(into: folder, for: action)
            let wheel = "\(folder)/rootcanal-\(version)-py3-none-any.whl"
            let hash = try await sha256(of: wheel, for: action)
            guard hash == wheelHash else {
                throw RigFailure(action, "the wheel's SHA-256 is \(hash), not the pinned \(wheelHash)")
            }
            let unpacked = try await Tool.run(
                ["python3", "-m", "zipfile", "-e", wheel, "\(folder)/unpacked"], package: "python3", for: action,
                within: .seconds(120))
            guard unpacked.status.isSuccess else {
                throw RigFailure(action, "unpacking the wheel: \(unpacked.tail())")
            }
            try FileManager.default.moveItem(atPath: "\(folder)/unpacked/\(member)", toPath: partial)
        }
    }

    /// Downloads with pip, which checks the hash and uses the machine's proxies and mirrors.
    private static func download(into folder: String, for action: String) async throws(RigFailure) {
        let pin = "\(folder)/requirements"
        do {
            try "rootcanal==\(version) --hash=sha256:\(wheelHash)\n".write(
                toFile: pin, atomically: false, encoding: .utf8)
        } catch { throw .wrapping(error, while: action) }
        let outcome = try await Tool.run(
            [
                "python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                "--only-binary=:all:", "--require-hashes", "--dest", folder, "-r", pin,
            ], package: "python3-pip", for: action, within: .seconds(600))
        guard !outcome.status.isSuccess else { return }
        let text = outcome.output
        func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        let remedy: String? =
            if says("No module named pip") {
                "run `make setup`, or `apt-get install python3-pip` as root"
            } else if says("NewConnectionError", "resolution", "resolve", "unreachable", "timed out", "No matching") {
                "PyPI cannot be reached: the first set-up needs a network"
            } else if says("No space left on device") {
                "the disk is full: free 200 MB in \(folder), then repeat"
            } else { nil }
        throw RigFailure(action, "pip \(outcome.status): \(lastLines(of: text, 2))", remedy: remedy)
    }
}
