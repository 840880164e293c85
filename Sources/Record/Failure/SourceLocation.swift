/// A line of a scenario's source.
package struct SourceLocation: Sendable, Hashable, Codable {
    /// Module and file: `Scenarios/NewLampIsOnboarded.swift`.
    package let file: String
    /// The file's path on the machine that compiled it.
    package let path: String
    /// The number of the line, from 1.
    package let line: Int

    package init(file: String, path: String, line: Int) {
        self.file = file
        self.path = path
        self.line = line
    }

    /// The location for people: `Scenarios/Pairing/Foo.swift:42`.
    ///
    /// - Parameter root: The path is relative to this folder if the file is in it; else module and file are used.
    package func text(below root: String?) -> String {
        if let root, path.hasPrefix(root + "/") { return "\(path.dropFirst(root.utf8.count + 1)):\(line)" }
        return "\(file):\(line)"
    }
}
