/// The source that lists every scenario of some files: `let allScenarios: [NamedScenario]`.
package struct ScenarioIndex: Sendable {
    /// In the order of the paths, and in each file's own order.
    private var entries: [(name: String, file: String)] = []
    /// Errors about scenarios that would never run, in the form of a compiler: `PATH:LINE: error: …`.
    package private(set) var errors: [String] = []

    package init() {}

    /// Adds the scenarios of a file.
    ///
    /// - Parameters:
    ///   - path: The path for errors.
    ///   - file: Relative to the folder of the scenarios: `Pairing/NewLampIsOnboarded.swift`.
    ///   - text: Its content.
    package mutating func add(path: String, file: String, text: String) {
        let read = ScenarioFile(text, name: file.split(separator: "/").last.map(String.init) ?? file)
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

            """
    }

    private func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
