/// The source that lists every scenario of some files, `let allScenarios: [NamedScenario]`, and every accessory that they
/// declare by a name, `let allAccessories: [NamedAccessory]`.
package struct ScenarioIndex: Sendable {
    /// In the order of the paths, and in each file's own order.
    private var entries: [(name: String, file: String)] = []
    private var constants: [(constant: AccessoryFile.Constant, file: String)] = []
    /// The path of the folder of the files.
    private var folder = ""
    /// Errors about scenarios that would never run, in the form of a compiler: `PATH:LINE: error: …`.
    package private(set) var errors: [String] = []

    package init() {}

    /// Adds the scenarios and the accessories of a file.
    ///
    /// - Parameters:
    ///   - path: The path for errors.
    ///   - file: Relative to the folder of the scenarios: `Pairing/NewLampIsOnboarded.swift`.
    ///   - text: Its content.
    package mutating func add(path: String, file: String, text: String) {
        let tokens = SwiftLexer.read(text)
        let read = ScenarioFile(tokens, name: file.split(separator: "/").last.map(String.init) ?? file)
        constants += AccessoryFile(tokens).constants.map { ($0, file) }
        if path.hasSuffix("/\(file)") { folder = String(path.dropLast(file.count + 1)) }
        entries += read.scenarios.map { ($0, file) }
        errors += read.problems.map { "\(path):\($0.line): error: \($0.text)" }
    }

    /// The generated file's content.
    package var source: String {
        let lines = entries.map { entry in
            let name = entry.name.filter { $0 != "`" }
            return "    NamedScenario(\(literal(name)), file: \(literal(entry.file)), \(entry.name)),"
        }
        return """
            import HIL

            /// Every scenario of this folder, in the order of the paths.
            package let allScenarios: [NamedScenario] = [
            \(lines.joined(separator: "\n"))
            ]

            /// Every accessory that this folder declares by a name, for `hil audit .name`.
            package let allAccessories: [NamedAccessory] = \(accessories)

            """
    }

    /// The list of accessories. A statement for each constant, because the compiler tells by its type what it is.
    private var accessories: String {
        if constants.isEmpty { return "[]" }
        let lines = constants.map { constant, file in
            let name = constant.name.filter { $0 != "`" }
            return "    list.add(\(constant.type).\(constant.name), \(literal(name)), of: \(literal(constant.type)), "
                + "file: \(literal(file)), line: \(constant.line))"
        }
        return
            (["{", "    var list = AccessoryList(in: \(literal(folder)))"] + lines + [
                "    return list.accessories", "}()",
            ])
            .joined(separator: "\n")
    }

    private func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
