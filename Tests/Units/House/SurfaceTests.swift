import Foundation
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
        Set(try await SymbolGraph.of(module, options: BuiltModules.options()).symbols.map(\.path))
    }

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
