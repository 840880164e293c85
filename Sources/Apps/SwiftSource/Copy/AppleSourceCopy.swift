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

    /// A module that every source has from the app's Objective-C bridging header.
    package struct BridgedModule: Sendable, Equatable {
        package var name: String
        /// Its line in the list of the app's sources, counted from 1.
        package var line: Int

        package init(_ name: String, line: Int) {
            self.name = name
            self.line = line
        }

        /// The modules that a list of sources imports, and what is wrong with these lines.
        package static func read(fromList text: String) -> (modules: [BridgedModule], problems: [Problem]) {
            var modules: [BridgedModule] = []
            var problems: [Problem] = []
            let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
            for (index, line) in lines.enumerated() {
                let words = line.split { $0.isWhitespace }
                guard words.first == "import" else { continue }
                let name = words.count == 2 ? String(words[1]) : ""
                if name.isEmpty || !name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }) {
                    problems.append(Problem(line: index + 1, column: 1, text: "expected `import` and a module's name"))
                } else if ModuleImports.isMissing(name) {
                    problems.append(
                        Problem(
                            line: index + 1, column: 1,
                            text: "\(name) is not simulated: leave this line out, and the files that need it"))
                } else {
                    modules.append(BridgedModule(name, line: index + 1))
                }
            }
            return (modules, problems)
        }
    }

    /// The source of the copy.
    package let text: String
    package let problems: [Problem]

    /// Copies a source.
    ///
    /// - Parameters:
    ///   - text: The source.
    ///   - path: The path of its file, for diagnostics.
    ///   - bridged: The modules that the app's Objective-C bridging header imports.
    ///   - list: The path of the list that names these modules, for diagnostics.
    package init(of text: String, path: String, bridged: [BridgedModule] = [], list: String = "") {
        let source = Array(text.utf8)
        var rewriter = Rewriter(source: source)
        for module in bridged { rewriter.imports.noteFromBridgingHeader(module.name) }
        rewriter.rewrite()
        problems = rewriter.problems
        func place(_ path: String, _ line: Int) -> String {
            let quoted = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "#sourceLocation(file: \"\(quoted)\", line: \(line))\n"
        }
        // Text before `#sourceLocation` belongs to no line of the original.
        let imports = rewriter.imports.addition.map { "import \($0)\n" }.joined()
        let header = bridged.map { module in
            place(list, module.line) + "import \(ModuleImports.substitute(for: module.name))\n"
        }.joined()
        // A team may have a module of that name for its tests: only the compiler knows.
        let missing = rewriter.imports.missing.map { module in
            "#if canImport(\(module.name))\nimport \(module.name)\n#else\n" + place(path, module.line)
                + "#warning(\"\(module.text)\")\n#endif\n"
        }.joined()
        self.text = imports + header + missing + place(path, 1) + rewriter.edits.applied(to: source)
    }
}
