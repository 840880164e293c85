import Execution

/// A scenario of a run, by a part of its name, as `hil run` takes it.
struct PartOfName {
    /// The run: a folder's name, or `latest`.
    let run: String
    /// What was typed of the scenario.
    let part: String
    /// Folders below it, each behind a slash; empty where none was typed.
    let rest: String

    /// - Parameter name: `RUN/PART`, `RUN/PART/…`, or a part alone, which is of the latest run.
    init(_ name: String) {
        let words = name.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        run = words.count > 1 ? words[0] : "latest"
        part = (words.count > 1 ? words[1] : words.first) ?? ""
        rest = words.dropFirst(2).map { "/\($0)" }.joined()
    }

    /// The one of some folders' names that is meant; nil when none is.
    ///
    /// - Throws: ``UsageError`` when it may be any of several.
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
