import HIL
import HILPOSIX

/// Selects scenarios. A scenario must match every part of the filter that is given.
package struct Filter: Sendable, Hashable {
    /// Parts of titles or identifiers, whole ones with `*` and `?`, or full names. At least one must match; an empty
    /// list matches all.
    package var patterns: [String] = []
    /// Tags with `and`, `or`, `not` and parentheses. At least one must match; an empty list matches all.
    package var tags: [String] = []
    /// `security=wpa3`: at least one for each name must match.
    package var conditions: [String] = []
    /// Only these identifiers; unknown ones are ignored. nil matches all.
    package var identifiers: Set<String>?
    /// The part for this machine.
    package var shard: Shard?

    package init(
        patterns: [String] = [], tags: [String] = [], conditions: [String] = [], identifiers: Set<String>? = nil,
        shard: Shard? = nil
    ) {
        self.patterns = patterns
        self.tags = tags
        self.conditions = conditions
        self.identifiers = identifiers
        self.shard = shard
    }
}

/// One of several parts of a plan, for as many machines: `2/3`.
///
/// It has every n-th scenario of the list. So machines need not communicate, and the cases of a matrix, which take
/// about the same time, are spread.
package struct Shard: Sendable, Hashable, LosslessStringConvertible {
    /// Counted from 1.
    package let number: Int
    package let count: Int

    /// - Parameter text: `2/3`; the result is nil for any other form.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], (1...10_000).contains(count),
            (1...count).contains(number)
        else { return nil }
        self.number = number
        self.count = count
    }

    package var description: String { "\(number)/\(count)" }

    func part<Element>(of elements: [Element]) -> [Element] {
        stride(from: number - 1, to: elements.count, by: count).map { elements[$0] }
    }
}

extension Plan {
    /// The scenarios that a filter selects, in the order of the list.
    ///
    /// - Throws: ``PlanError`` if a part of the filter matches nothing, or no scenario matches all parts. An empty
    ///   shard is not an error.
    package func selection(_ filter: Filter) throws(PlanError) -> [PlannedScenario] {
        var chosen = all
        if !filter.patterns.isEmpty {
            var matchers: [@Sendable (PlannedScenario) -> Bool] = []
            for text in filter.patterns { matchers.append(try matcher(text)) }
            chosen = chosen.filter { planned in matchers.contains { $0(planned) } }
        }
        if !filter.tags.isEmpty {
            var expressions: [TagExpression] = []
            for text in filter.tags { expressions.append(try expression(text)) }
            chosen = chosen.filter { planned in
                expressions.contains { $0.matches(planned.scenario.traits.tags) }
            }
        }
        for (name, values) in try conditions(filter.conditions) {
            chosen = chosen.filter { planned in
                planned.oneCase.settings.contains { $0.name == name && values.contains($0.value) }
            }
        }
        if let identifiers = filter.identifiers {
            chosen = chosen.filter { identifiers.contains($0.identifier) }
        }
        guard !chosen.isEmpty else { throw .nothingChosen }
        return filter.shard?.part(of: chosen) ?? chosen
    }

    /// A full name selects only the scenario with that name, not others that contain it. So a command that replays one
    /// scenario keeps its meaning when a new one is written.
    private func matcher(_ text: String) throws(PlanError) -> @Sendable (PlannedScenario) -> Bool {
        let name = text.lowercased()
        let isCalled: @Sendable (PlannedScenario) -> Bool = {
            $0.named.name.lowercased() == name || $0.identifier.lowercased() == name
        }
        if all.contains(where: isCalled) { return isCalled }
        let pattern = Pattern(text)
        guard all.contains(where: pattern.matches) else { throw .unknownPattern(text, nearest: nearest(to: text)) }
        return { pattern.matches($0) }
    }

    private func expression(_ text: String) throws(PlanError) -> TagExpression {
        let expression = try TagExpression(text)
        let known = Set(all.flatMap { $0.scenario.traits.tags.map(\.description) })
        for tag in expression.tags where !known.contains(tag) {
            throw .unknownTag(tag, nearest: Similarity.nearest(to: tag, in: known.sorted()))
        }
        return expression
    }

    private func conditions(_ texts: [String]) throws(PlanError) -> [String: Set<String>] {
        var values: [String: Set<String>] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw .unreadableCondition(text) }
            let known = Set(all.flatMap { $0.oneCase.settings.map { "\($0.name)=\($0.value)" } })
            guard known.contains(text) else {
                throw .unknownCondition(text, nearest: Similarity.nearest(to: text, in: known.sorted()))
            }
            values[parts[0], default: []].insert(parts[1])
        }
        return values
    }

    private func nearest(to pattern: String) -> [String] {
        var names: [String] = []
        for planned in all where names.last != planned.named.name { names.append(planned.named.name) }
        let found = Similarity.nearest(to: pattern, in: names + all.map(\.scenario.title))
        var result: [String] = []
        for text in found {
            let name = all.first { $0.scenario.title == text }?.named.name ?? text
            if !result.contains(name) { result.append(name) }
        }
        return result
    }
}
