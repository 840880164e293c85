import HIL

/// One case of one scenario: what runs, and what readers know it by.
public struct PlannedScenario: Sendable {
    public let named: NamedScenario
    public let oneCase: ScenarioCase

    public init(_ named: NamedScenario, _ oneCase: ScenarioCase) {
        self.named = named
        self.oneCase = oneCase
    }

    public var scenario: Scenario { named.scenario }

    /// Names it on the command line and in every record: `newDieIsOnboarded[security=wpa3]`.
    public var identifier: String { named.name + brackets }

    /// For people: the sentence, and the case in brackets.
    public var title: String { brackets.isEmpty ? scenario.title : "\(scenario.title) \(brackets)" }

    /// The name of its folder among the results: the identifier without what file names suffer from.
    public var slug: String {
        let allowed = identifier.replacing("[", with: "-").replacing("]", with: "").map { character in
            character.isASCII && (character.isLetter || character.isNumber || "._=,-".contains(character))
                ? character : "-"
        }
        return String(String(allowed).prefix(120))
    }

    private var brackets: String { oneCase.label.isEmpty ? "" : "[\(oneCase.label)]" }
}

/// Every case of every scenario there is, from which a run takes some.
public struct Plan: Sendable {
    /// In the order of the list, the cases of a scenario together.
    public let all: [PlannedScenario]

    /// - Throws: ``PlanError`` when two scenarios have one title, or two cases one name.
    public init(_ scenarios: [NamedScenario]) throws(PlanError) {
        var files: [String: String] = [:]
        for named in scenarios {
            if let other = files[named.scenario.title] {
                throw .duplicateTitle(named.scenario.title, files: [other, named.file])
            }
            files[named.scenario.title] = named.file
        }
        all = scenarios.flatMap { named in named.scenario.cases.map { PlannedScenario(named, $0) } }
        var slugs: Set<String> = []
        for planned in all where !slugs.insert(planned.slug).inserted { throw .duplicateCase(planned.identifier) }
    }

    /// What the patterns and the tags choose, in the order of the list.
    ///
    /// - Parameters:
    ///   - patterns: Parts of titles or identifiers; a scenario that any of them matches is chosen. None chooses all.
    ///   - tags: A scenario with any of these is chosen. None chooses all.
    /// - Throws: ``PlanError`` when a pattern or a tag matches nothing, or both together leave nothing.
    public func selection(patterns: [String], tags: [String]) throws(PlanError) -> [PlannedScenario] {
        for text in patterns where !all.contains(where: { Pattern(text).matches($0) }) {
            throw .unknownPattern(text, nearest: nearest(to: text))
        }
        let known = Set(all.flatMap { $0.scenario.traits.tags.map(\.description) })
        for tag in tags where !known.contains(tag) {
            throw .unknownTag(tag, nearest: Similarity.nearest(to: tag, in: known.sorted()))
        }
        let chosen = all.filter { planned in
            let isNamed = patterns.isEmpty || patterns.contains { Pattern($0).matches(planned) }
            let isTagged = tags.isEmpty || planned.scenario.traits.tags.contains { tags.contains($0.description) }
            return isNamed && isTagged
        }
        guard !chosen.isEmpty else { throw .nothingChosen }
        return chosen
    }

    private func nearest(to pattern: String) -> [String] {
        var names: [String] = []
        for planned in all where !names.contains(planned.named.name) { names.append(planned.named.name) }
        let titles = all.map(\.scenario.title)
        let texts = names + titles
        let found = Similarity.nearest(to: pattern, in: texts)
        var result: [String] = []
        for text in found {
            let name = all.first { $0.scenario.title == text }?.named.name ?? text
            if !result.contains(name) { result.append(name) }
        }
        return result
    }
}

/// Why there is no plan.
public enum PlanError: Error, Sendable, Hashable, CustomStringConvertible {
    case duplicateTitle(String, files: [String])
    case duplicateCase(String)
    case unknownPattern(String, nearest: [String])
    case unknownTag(String, nearest: [String])
    case nothingChosen

    public var description: String {
        switch self {
        case .duplicateTitle(let title, let files):
            "two scenarios are called “\(title)”: Scenarios/\(files.joined(separator: " and Scenarios/"))"
        case .duplicateCase(let identifier): "two cases are called \(identifier)"
        case .unknownPattern(let pattern, let nearest):
            "no scenario matches “\(pattern)”" + PlanError.hint(nearest)
        case .unknownTag(let tag, let nearest): "no scenario has the tag “\(tag)”" + PlanError.hint(nearest)
        case .nothingChosen: "no scenario matches both the patterns and the tags; `hil list` shows all"
        }
    }

    private static func hint(_ nearest: [String]) -> String {
        nearest.isEmpty ? "; `hil list` shows all" : "; nearest: \(nearest.joined(separator: ", "))"
    }
}
