import HIL
import Rules

/// One case of one scenario: what runs, and what readers know it by.
package struct PlannedScenario: Sendable {
    package let named: NamedScenario
    package let oneCase: ScenarioCase
    /// Which time it runs in a run that runs everything several times, from 1.
    package private(set) var round = 1

    package init(_ named: NamedScenario, _ oneCase: ScenarioCase) {
        self.named = named
        self.oneCase = oneCase
    }

    package var scenario: Scenario { named.scenario }

    /// Names it on the command line: `newLampIsOnboarded[security=wpa3]`.
    package var caseIdentifier: String { named.name + brackets }

    /// Names it in every record: ``caseIdentifier``, from the second round on with its number, `#2`.
    package var identifier: String { round == 1 ? caseIdentifier : "\(caseIdentifier)#\(round)" }

    /// For people: the sentence, the case in brackets, and from the second round on its number.
    package var title: String {
        let title = brackets.isEmpty ? scenario.title : "\(scenario.title) \(brackets)"
        return round == 1 ? title : "\(title) (round \(round))"
    }

    /// The same, to run in another round.
    func repeated(inRound round: Int) -> PlannedScenario {
        var copy = self
        copy.round = round
        return copy
    }

    /// The name of its folder among the results: the identifier without what file names suffer from.
    package var slug: String {
        var identifier = caseIdentifier
        // Bytes and a plain loop: made for each of thousands, in a build without optimisation too.
        let slug = identifier.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { slug in
                var (place, count) = (0, 0)
                while place < bytes.count, count < 120 {
                    let byte = bytes[place]
                    place += 1
                    // The bytes of a character beyond ASCII are one dash, the first of them.
                    if byte == 0x5D || byte & 0xC0 == 0x80 { continue }
                    slug[count] = PlannedScenario.harmless[Int(byte)] ? byte : 0x2D
                    count += 1
                }
                return count
            }
        }
        return slug + (round == 1 ? "" : ".\(round)")
    }

    /// Whether a byte may stand in a file's name.
    private static let harmless = (0...255).map { byte in
        let scalar = Unicode.Scalar(UInt8(byte))
        return scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._=,-".unicodeScalars.contains(scalar))
    }

    private var brackets: String { oneCase.label.isEmpty ? "" : "[\(oneCase.label)]" }
}

/// Every case of every scenario there is, from which a run takes some.
package struct Plan: Sendable {
    /// In the order of the list, the cases of a scenario together.
    package let all: [PlannedScenario]

    /// - Parameter rules: What scenarios may say they cover.
    /// - Throws: ``PlanError`` when two scenarios have one title, two cases or two rules one name, a quarantine no day, or a
    ///   scenario covers a rule that does not exist.
    package init(_ scenarios: [NamedScenario], rules: RuleBook = RuleBook()) throws(PlanError) {
        if let name = rules.duplicates.first { throw .duplicateRule(name) }
        var files: [String: String] = [:]
        for named in scenarios {
            if let other = files[named.scenario.title] {
                throw .duplicateTitle(named.scenario.title, files: [other, named.sourceFile])
            }
            files[named.scenario.title] = named.sourceFile
            if let quarantine = named.scenario.traits.quarantine, !quarantine.isReadable {
                throw .unreadableDay(quarantine.until, file: named.sourceFile)
            }
            for rule in named.scenario.traits.rules where rules.named(rule) == nil {
                throw .unknownRule(rule, file: named.sourceFile)
            }
        }
        all = scenarios.flatMap { named in named.scenario.cases.map { PlannedScenario(named, $0) } }
        var slugs: Set<String> = []
        for planned in all where !slugs.insert(planned.slug).inserted { throw .duplicateCase(planned.identifier) }
    }
}

extension NamedScenario {
    /// Its file below the package's folder, as far as that is known: `Scenarios/Pairing/NewLampIsOnboarded.swift`.
    ///
    /// The list names files by their place in the target's folder; what that is called, the scenario's own source tells.
    var sourceFile: String {
        let path = scenario.location.path
        guard path.hasSuffix("/" + file), let folder = path.dropLast(file.count + 1).split(separator: "/").last else {
            return file
        }
        return "\(folder)/\(file)"
    }
}

/// A word as a shell takes it: in quotes where it needs them.
func shellWord(_ text: String) -> String {
    let isPlain =
        !text.isEmpty
        && text.allSatisfy { character in
            character.isASCII && (character.isLetter || character.isNumber || "_-./=,:@%+".contains(character))
        }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}
