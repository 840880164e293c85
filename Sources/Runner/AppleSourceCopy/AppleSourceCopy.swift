import HILSwiftSource

/// A copy of a source of an iPhone's app that Swift on Linux can compile.
///
/// In the copy `os(iOS)` is true and every other system is false. Objective-C's attributes are left out, a module
/// stands for its parts, `#selector` makes a `Selector` of `HILSelectors` from a closure, `#keyPath` is the text that
/// it stands for, a `debugDescription` that an extension overrides has another name, optional methods of Core
/// Bluetooth's delegates are called as ordinary ones, and code only for systems older than the phone's is left out.
/// Whatever imports a module gets what Linux's Foundation lacks (`HILFoundation`), and `HILURLLoading` if it uses
/// `URLSession` or similar types. Everything stays on its line, and `#sourceLocation` names the original file.
package struct AppleSourceCopy: Sendable, Equatable {
    /// Something that has no counterpart without Objective-C.
    package struct Problem: Sendable, Equatable {
        /// Counted from 1.
        package var line: Int
        /// Counted from 1, in bytes, as the compiler counts.
        package var column: Int
        /// What cannot be done, and what to write instead.
        package var text: String
    }

    /// The source of the copy.
    package let text: String
    package let problems: [Problem]

    /// Whether an Apple module is not simulated, so that no source can have it from a bridging header.
    package static func lacks(_ module: String) -> Bool { ModuleImports.isMissing(module) }

    /// Copies a source.
    ///
    /// - Parameters:
    ///   - text: The source.
    ///   - path: The path of its file, for diagnostics.
    ///   - bridged: The modules that the app's Objective-C bridging header imports.
    package init(of text: String, path: String, bridged: [String] = []) {
        let source = Array(text.utf8)
        var rewriter = Rewriter(source: source)
        for module in bridged { rewriter.imports.addFromBridgingHeader(module) }
        rewriter.rewrite()
        problems = rewriter.problems
        let quoted = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        // Text before `#sourceLocation` belongs to no line of the original.
        let imports = rewriter.imports.addition.map { "import \($0)\n" }.joined()
        // A team may have a module of that name for its tests: only the compiler knows.
        let missing = rewriter.imports.missing.map { module in
            "#if !canImport(\(module.name))\n#sourceLocation(file: \"\(quoted)\", line: \(module.line))\n"
                + "#error(\"\(module.text)\")\n#endif\n"
        }.joined()
        self.text =
            "\(imports)\(missing)#sourceLocation(file: \"\(quoted)\", line: 1)\n" + rewriter.edits.applied(to: source)
    }
}
