import HILExecution

/// A run and a part of a scenario's name, as `hil run` accepts it.
struct PartOfName {
    /// The run: a folder's name, or `latest`.
    let run: String
    /// The typed part of the scenario's name.
    let part: String
    /// The folders below the scenario, each after a slash; empty if none was typed.
    let rest: String

    /// - Parameter name: `RUN/PART`, `RUN/PART/…`, or only a part, for the latest run.
    init(_ name: String) {
        let words = name.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        run = words.count > 1 ? words[0] : "latest"
        part = (words.count > 1 ? words[1] : words.first) ?? ""
        rest = words.dropFirst(2).map { "/\($0)" }.joined()
    }

    /// Finds the folder name that the typed part stands for; nil if none matches.
    ///
    /// - Throws: ``UsageError`` if several match.
    func choose(of names: [String]) throws(UsageError) -> String? {
        let typed = part.replacing("[", with: "-").replacing("]", with: "")
        if typed.isEmpty { return nil }
        if names.contains(typed) { return typed }
        let pattern = Pattern(typed)
        let matching = names.filter { pattern.matches($0) }.sorted()
        if matching.count < 2 { return matching.first }
        throw UsageError(description: "“\(part)” may be any of \(matching.joined(separator: ", ")): write more of it")
    }
}
