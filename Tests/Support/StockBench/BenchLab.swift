import Foundation
import HILPOSIX
import HILTiming
import StubRig

/// A coordinator of labgrid on this machine's loopback address, with a place of the kind `hil` for each stock bench.
package final class BenchLab: Sendable {
    private let coordinator: LineProcess
    private let folder: String
    /// With these variables `hil` reaches coordinator and boards.
    package let environment: [String: String]

    /// - Parameter packages: The folder of labgrid's Python packages.
    package static func start(for bench: StockBench, packages: String) async throws -> BenchLab {
        let folder = NSTemporaryDirectory() + "hil-lab-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let places = (1...bench.count).map { number in
            "bench-\(number): {tags: {kind: hil, host: host-\(number), accessory: accessory-\(number)}, matches: []}\n"
        }
        try places.joined().write(toFile: "\(folder)/places.yaml", atomically: false, encoding: .utf8)
        let python = ["PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"]
        let coordinator = try LineProcess(
            [
                "env", "-C", folder, "python3", "-c",
                "import labgrid.remote.coordinator as program\nprogram.main()", "-l", "127.0.0.1:0",
            ], environment: ProcessInfo.processInfo.environment.merging(python) { $1 })
        let port = try await coordinator.line(with: "listening on").split(separator: ":").last ?? ""
        return BenchLab(coordinator, folder, bench.environment.merging(["LG_COORDINATOR": "127.0.0.1:\(port)"]) { $1 })
    }

    private init(_ coordinator: LineProcess, _ folder: String, _ environment: [String: String]) {
        (self.coordinator, self.folder, self.environment) = (coordinator, folder, environment)
    }

    package func stop() async {
        await coordinator.kill()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
