import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILReports

/// What `hil audit` can attack: scenarios that switch an accessory on, and accessories that a team declares by a name.
struct AuditTargets: Sendable {
    let plan: Plan
    let accessories: [NamedAccessory]

    /// The types that a full name begins with: `Peripheral.latch`.
    private static let types = ["AccessoryProgram.", "HostStack.", "Peripheral."]
    /// The most names in a message.
    private static let mostNames = 20

    /// Whether a word names an accessory. No scenario's name has a dot.
    static func isName(_ word: String) -> Bool {
        word.hasPrefix(".") || types.contains { word.hasPrefix($0) && word.count > $0.count }
    }

    /// The cases to audit: of the accessories that the words of a filter name, and of the scenarios that it selects.
    ///
    /// - Throws: ``UsageError`` for an unknown accessory, or one that is not clear; ``PlanError``.
    @MainActor
    func chosen(_ filter: Filter) throws -> [PlannedScenario] {
        var named: [NamedAccessory] = []
        for word in filter.patterns where AuditTargets.isName(word) {
            named += try accessories(called: word).filter { one in !named.contains { $0.fullName == one.fullName } }
        }
        var rest = filter
        rest.patterns.removeAll(where: AuditTargets.isName)
        let sets = Plan(setting: named).all
        if let first = named.first { try AuditTargets.refuse(filter, beside: first) }
        guard named.isEmpty || !rest.patterns.isEmpty else { return sets }
        for pattern in rest.patterns
        where !plan.all.contains(where: {
            Pattern(pattern).matches($0.identifier) || Pattern(pattern).matches($0.title)
        }) {
            guard let accessory = accessories.first(where: { $0.name == ".\(pattern)" }) else { continue }
            throw UsageError(
                description: "no scenario matches “\(pattern)”; the accessory is called \(accessory.name), with the dot"
            )
        }
        return try sets + plan.selection(rest)
    }

    /// An accessory by its name has no tags and no cases that could be chosen.
    private static func refuse(_ filter: Filter, beside accessory: NamedAccessory) throws(UsageError) {
        let option =
            if !filter.tags.isEmpty { "--tag" } else if !filter.conditions.isEmpty {
                "--where"
            } else if filter.shard != nil {
                "--shard"
            } else { String?.none }
        guard let option else { return }
        throw UsageError(
            description:
                "\(option) chooses among the cases of scenarios, and \(accessory.name) is an accessory by its name: "
                + "audit it without \(option), and scenarios in a call of their own")
    }

    private func accessories(called word: String) throws(UsageError) -> [NamedAccessory] {
        if let exact = accessories.first(where: { $0.name == word || $0.fullName == word }) { return [exact] }
        let alike = accessories.filter { $0.fullName.hasSuffix(word) && word.hasPrefix(".") }
        if alike.count > 1 {
            let names = alike.map(\.fullName).joined(separator: " or ")
            throw UsageError(description: "“\(word)” may be \(names): write one of them")
        }
        if word.contains("*") || word.contains("?") {
            let pattern = Pattern(word)
            let found = accessories.filter { pattern.matches($0.name) || pattern.matches($0.fullName) }
            if !found.isEmpty { return found }
        }
        throw UsageError(description: "there is no accessory “\(word)”" + known(nearestTo: word))
    }

    /// The names that there are, with the nearest first, as the end of a message.
    private func known(nearestTo word: String) -> String {
        let names = accessories.map(\.name)
        guard !names.isEmpty else { return ": \(AuditTargets.howToDeclare)" }
        let nearest = Similarity.nearest(to: word, in: names)
        let sorted = nearest + names.filter { !nearest.contains($0) }
        let more =
            sorted.count > AuditTargets.mostNames
            ? " and \(sorted.count - AuditTargets.mostNames) more, which `hil audit --targets` lists" : ""
        return "; there are " + sorted.prefix(AuditTargets.mostNames).joined(separator: ", ") + more
    }

    private static let howToDeclare =
        "no accessory has a name here; write `static let latch = …` in an extension of AccessoryProgram, Peripheral or "
        + "HostStack in the folder of the scenarios, and `Command.main(of: allScenarios, accessories: allAccessories)` "
        + "in the main file"

    /// A line for each accessory: its name, what it is, where it is declared; or a JSON object.
    func text(_ format: ReportWriter.Format) -> [String] {
        if format == .json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return accessories.compactMap { accessory in
                (try? encoder.encode(Entry(accessory))).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        guard !accessories.isEmpty else { return [AuditTargets.howToDeclare] }
        let width = accessories.map(\.name.count).max() ?? 0
        return accessories.map { accessory in
            let space = String(repeating: " ", count: width - accessory.name.count)
            let expects = accessory.expectations == nil ? "" : ", with AuditExpectations\(accessory.name)"
            return "\(accessory.name)\(space)  \(accessory.sort.rawValue), \(accessory.place)\(expects)"
        }
    }

    /// An accessory in JSON.
    private struct Entry: Encodable {
        let name, sort, file: String
        let line: Int
        let hasExpectations: Bool

        init(_ accessory: NamedAccessory) {
            (name, sort, file) = (accessory.name, accessory.sort.rawValue, accessory.location.file)
            (line, hasExpectations) = (accessory.location.line, accessory.expectations != nil)
        }
    }
}

extension NamedAccessory {
    /// Where it is declared: `Scenarios/Latch.swift:5`.
    fileprivate var place: String { "\(location.file):\(location.line)" }
}
