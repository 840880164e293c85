import Foundation
import StubRig
import TestSupport
import Testing

/// The package's modules as they were built, for tests of what another package sees of them.
enum BuiltModules {
    #if arch(arm64)
        static let target = "aarch64-unknown-linux-gnu"
    #else
        static let target = "x86_64-unknown-linux-gnu"
    #endif

    /// The compiler's options to find the modules, and the C libraries below them.
    static func options() async throws -> [String] {
        let products = URL(fileURLWithPath: RunnerProcess.path(of: "hil")).deletingLastPathComponent().path
        let system = "\(checkout)/Sources/System"
        let maps = try FileManager.default.contentsOfDirectory(atPath: system).sorted()
            .map { "\(system)/\($0)/module.modulemap" }.filter { FileManager.default.fileExists(atPath: $0) }
        let headers = try await ProgramOutput(of: ["pkg-config", "--cflags-only-I", "dbus-1", "libnl-genl-3.0"])
        return ["-I", "\(products)/Modules", "-target", target]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
            + headers.text.split { $0.isWhitespace }.flatMap { ["-Xcc", String($0)] }
    }

    /// Calls `body` with an empty folder, which is deleted afterwards.
    static func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = NSTemporaryDirectory() + "hil-surface-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }
}

/// The public names of a module, which the compiler reads from the built module.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { var identifier: String }
        struct Doc: Decodable {}
        struct Location: Decodable {}
        struct Extension: Decodable { var extendedModule: String }

        var kind: Kind
        /// `["CBCentralManager", "connect(_:options:)"]`.
        var pathComponents: [String]
        /// Its own doc comment, or that of the requirement that it fulfils.
        var docComment: Doc?
        /// Nil if the compiler has made it, such as the `init(from:)` of a `Codable` type.
        var location: Location?
        /// Nil if it is not in an extension.
        var swiftExtension: Extension?

        var path: String { pathComponents.joined(separator: ".") }
    }

    var symbols: [Symbol]

    /// Reads the graph of one module, with what it adds to the types of others.
    ///
    /// - Parameter options: ``BuiltModules/options()``, and more for `swift symbolgraph-extract`.
    static func of(_ module: String, options: [String]) async throws -> SymbolGraph {
        try await BuiltModules.withFolder { folder in
            let output = try await ProgramOutput(
                of: [
                    "swift", "symbolgraph-extract", "-module-name", module, "-output-dir", folder,
                    "-minimum-access-level", "public",
                ] + options, withErrors: true)
            try #require(output.status.isSuccess, "\(output.text)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            return SymbolGraph(
                symbols: try files.flatMap { file in
                    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
                    return try JSONDecoder().decode(SymbolGraph.self, from: data).symbols
                })
        }
    }
}
