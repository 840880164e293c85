/// What other packages may name of our own modules: a list of types, and of what is in no listed type.
///
/// Public is what the articles, the examples, the package of `hil init` and our scenarios need. All else is `package`, or less.
struct PublicSurface {
    /// `Fixtures/PublicSurface/names.txt`: a name a line, after its module and a space, sorted.
    static let path = "Fixtures/PublicSurface/names.txt"

    /// Apple's modules, whose names Apple chose, and those of ours that hold a part of them for several.
    static let ofApple: Set = [
        "AccessoryNotifications", "AccessorySetupKit", "AccessoryTransportExtension", "Combine", "CommonCrypto",
        "CoreBluetooth", "CryptoKit", "ExtensionFoundation", "Network", "NetworkExtension", "OSLog", "QuartzCore",
        "Security", "SwiftUI", "SystemConfiguration", "UIKit", "UniformTypeIdentifiers", "_Testing_UIKit", "os",
        "HILAccessoryMessages", "HILFoundation", "HILNotificationParts", "HILSelectors", "HILTrust", "HILURLLoading",
        "HILUniformTypes",
    ]

    private static let types = ["swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias"]

    /// The public symbols of each of our own modules.
    var symbols: [String: [SymbolGraph.Symbol]]
    /// The lines of the list.
    var listed: [String]

    /// What is wrong, one fault a line, each with what to do.
    var mistakes: [String] { (undocumented + unlisted + stale + unsorted).sorted() }

    private var all: [(module: String, symbol: SymbolGraph.Symbol)] {
        symbols.flatMap { module, symbols in symbols.map { (module, $0) } }
    }

    private var undocumented: [String] {
        all.filter { $1.docComment == nil && $1.location != nil }.map {
            "\($0).\($1.path) is public and has no doc comment: write one, or make it package"
        }
    }

    private var unlisted: [String] {
        let listed = Set(listed)
        return needed.filter { !listed.contains($0) }.map {
            "“\($0)” is public and not in \(PublicSurface.path): make it package, or document it in an article and add "
                + "this line"
        }
    }

    private var stale: [String] {
        Set(listed).subtracting(needed).map { "“\($0)” is no public name: delete the line of \(PublicSurface.path)" }
    }

    private var unsorted: [String] {
        guard listed != Set(listed).sorted() else { return [] }
        return ["\(PublicSurface.path) is not sorted, or has a line twice: LC_ALL=C sort -u -o FILE FILE mends it"]
    }

    /// The lines that the list should have.
    var needed: Set<String> { Set(all.compactMap(line)) }

    /// The line for a symbol; nil for a member of one of our own types, whose line covers it.
    private func line(_ module: String, _ symbol: SymbolGraph.Symbol) -> String? {
        let isType = PublicSurface.types.contains(symbol.kind.identifier)
        let home = symbol.swiftExtension?.extendedModule ?? module
        return isType || symbol.pathComponents.count == 1 || symbols[home] == nil ? "\(module) \(symbol.path)" : nil
    }
}
