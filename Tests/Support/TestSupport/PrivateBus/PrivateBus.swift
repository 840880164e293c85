import Foundation
import HILDBus
import HILPOSIX

/// A message bus for one test: a real `dbus-daemon` in its own folder.
package struct PrivateBus {
    /// If all tests must run, as in `make check`, they fail without `dbus-daemon`.
    package static let isAvailable =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
        || ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"

    package let address: String

    /// Runs `body` with two connections to a new bus.
    package static func with(_ body: (PrivateBus, BusConnection, BusConnection) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "hil-dbus-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (read, write) = try Descriptor.pipe()
        let daemon = try ChildProcess.spawn(
            [
                "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1",
                "--address=unix:path=\(folder)/bus",
            ], streams: [.null, .descriptor(write), .null])
        write.close()
        // The address is printed when the bus listens.
        let line = try String(decoding: read.read(), as: UTF8.self)
        let address = line.trimmingCharacters(in: .whitespacesAndNewlines)
        let (first, second) = try (BusConnection.open(address: address), BusConnection.open(address: address))
        let result: Result<Void, any Error>
        do { result = .success(try await body(PrivateBus(address: address), first, second)) } catch {
            result = .failure(error)
        }
        first.close()
        second.close()
        daemon.signal(SIGKILL)
        _ = await daemon.wait()
        try result.get()
    }
}
