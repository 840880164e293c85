import Foundation
import StubRig
import TestSupport
import Testing

/// Apple's public names in CoreBluetooth, AccessorySetupKit and the hotspot part of NetworkExtension: each is there in its
/// Swift spelling, or has a reason why it is not.
///
/// `Fixtures/Surface/symbols.tsv` has a name per line: framework, type, kind, name as in Objective-C (dotnet/macios, iOS
/// 18), and the Swift spelling, or a dash and the reason.
struct SurfaceTests {
    private struct Row {
        let framework, name, swift: String

        /// Nil if it is there in Swift.
        var reason: String? { swift.hasPrefix("- ") ? String(swift.dropFirst(2)) : nil }
    }

    private static func rows() throws -> [Row] {
        let text = try String(contentsOfFile: "\(checkout)/Fixtures/Surface/symbols.tsv", encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().map { line in
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(words.count == 5, "\(line)")
            return Row(framework: words[0], name: "\(words[1]).\(words[3])", swift: words[4])
        }
    }

    /// The public names of a module as it was built, such as `CBCentralManager.connect(_:options:)`.
    private static func names(in module: String) async throws -> Set<String> {
        let folder = NSTemporaryDirectory() + "hil-surface-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let products = URL(fileURLWithPath: RunnerProcess.path(of: "hil")).deletingLastPathComponent().path
        let system = "\(checkout)/Sources/System"
        let maps = try FileManager.default.contentsOfDirectory(atPath: system)
            .map { "\(system)/\($0)/module.modulemap" }.filter { FileManager.default.fileExists(atPath: $0) }
        let output = try await ProgramOutput(
            of: [
                "swift", "symbolgraph-extract", "-module-name", module, "-I", "\(products)/Modules",
                "-target", target, "-output-dir", folder, "-minimum-access-level", "public",
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }, withErrors: true)
        try #require(output.status.isSuccess, "\(output.text)")
        struct Graph: Decodable {
            struct Symbol: Decodable { let pathComponents: [String] }
            let symbols: [Symbol]
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(module).symbols.json"))
        let graph = try JSONDecoder().decode(Graph.self, from: data)
        return Set(graph.symbols.map { $0.pathComponents.joined(separator: ".") })
    }

    #if arch(arm64)
        private static let target = "aarch64-unknown-linux-gnu"
    #else
        private static let target = "x86_64-unknown-linux-gnu"
    #endif

    @Test("Each name of Apple's is there", arguments: ["AccessorySetupKit", "CoreBluetooth", "NetworkExtension"])
    func names(framework: String) async throws {
        let rows = try SurfaceTests.rows().filter { $0.framework == framework }
        #expect(rows.count > 40)
        let names = try await SurfaceTests.names(in: framework)
        for row in rows {
            if let reason = row.reason {
                #expect(reason.count > 10, "\(row.name) has a reason")
            } else {
                #expect(names.contains(row.swift), "\(row.name) is \(row.swift) in Swift")
            }
        }
    }
}
