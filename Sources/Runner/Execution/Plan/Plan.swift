import HIL
import HILPOSIX
import HILRules
import RigModel

/// One case of one scenario, with its names.
package struct PlannedScenario: Sendable {
    package let named: NamedScenario
    package let oneCase: ScenarioCase
    /// The round, counted from 1, in a run that repeats everything.
    package private(set) var round = 1

    package init(_ named: NamedScenario, _ oneCase: ScenarioCase) {
        self.named = named
        self.oneCase = oneCase
    }

    package var scenario: Scenario { named.scenario }

    /// What it requires of the accessory board before its rig starts.
    package var accessoryNeeds: AccessoryNeeds {
        AccessoryNeeds(
            system: oneCase.system, packages: scenario.traits.programs.flatMap(\.packages),
            hasBoard: scenario.traits.usesAccessoryBoard, startsHost: scenario.traits.usesPhoneWiFi)
    }

    /// The same, with the files of the program that it runs first.
    ///
    /// - Parameter package: The folder of the package of the scenarios.
    package func accessoryNeeds(in package: String) -> AccessoryNeeds {
        var needs = accessoryNeeds
        let programs = scenario.traits.startingPrograms + scenario.traits.programs
        // Errors in the files are reported when the program starts.
        needs.payload = programs.first.flatMap { try? $0.payload(in: package) }
        if let program = scenario.traits.startingPrograms.first, (needs.payload != nil) == (program.files != nil) {
            needs.program = program.start(with: needs.payload?.id)
        }
        return needs
    }

    /// Why it cannot run on a rig of this kind; nil if it can.
    package func lack(on rig: RigDescription) -> RigLacks? {
        if oneCase.system != nil, let lack = rig.lack(of: [.boardSystem]) { return lack }
        return named.scenario.traits.lack(on: rig)
    }

    /// The name on the command line: `newLampIsOnboarded[security=wpa3]`.
    package var caseIdentifier: String { named.name + brackets }

    /// The name in every record: ``caseIdentifier``, and from the second round on its number, `#2`.
    package var identifier: String { round == 1 ? caseIdentifier : "\(caseIdentifier)#\(round)" }

    /// The title for people: the sentence, the case in brackets, and from the second round on its number.
    package var title: String {
        let title = brackets.isEmpty ? named.scenario.title : "\(named.scenario.title) \(brackets)"
        return round == 1 ? title : "\(title) (round \(round))"
    }

    /// The same case in another round.
    func repeated(inRound round: Int) -> PlannedScenario {
        var copy = self
        copy.round = round
        return copy
    }

    /// The most bytes of a folder's name, without the number of a round.
    private static let longestSlug = 120

    /// The name of its folder in the results: the identifier without characters that are difficult in file names. The
    /// end of a long one is replaced by a sum of the whole, so that cases of one scenario keep different names.
    package var slug: String {
        // `.latch` would be a hidden folder, and `latch` may be a scenario.
        var identifier = (caseIdentifier.hasPrefix(".") ? "accessory" : "") + caseIdentifier
        let isLong = identifier.utf8.count > PlannedScenario.longestSlug
        let limit = isLong ? PlannedScenario.longestSlug - 17 : PlannedScenario.longestSlug
        // A plain loop over bytes, because this runs for thousands of cases, also in debug builds.
        let slug = identifier.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { slug in
                var (place, count) = (0, 0)
                while place < bytes.count, count < limit {
                    let byte = bytes[place]
                    place += 1
                    // A character outside ASCII becomes one dash, for its first byte.
                    if byte == 0x5D || byte & 0xC0 == 0x80 { continue }
                    slug[count] = PlannedScenario.harmless[Int(byte)] ? byte : 0x2D
                    count += 1
                }
                return count
            }
        }
        let sum = isLong ? "-" + PlannedScenario.sum(of: identifier) : ""
        return slug + sum + (round == 1 ? "" : ".\(round)")
    }

    /// 16 hexadecimal digits (FNV-1a, 64 bits).
    private static func sum(of text: String) -> String {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            .padded(to: 16, radix: 16)
    }

    /// Whether each byte may be in a file name.
    private static let harmless = (0...255).map { byte in
        let scalar = Unicode.Scalar(UInt8(byte))
        return scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._=,-".unicodeScalars.contains(scalar))
    }

    private var brackets: String { oneCase.label.isEmpty ? "" : "[\(oneCase.label)]" }
}

/// All cases of all scenarios. A run selects some of them.
package struct Plan: Sendable {
    /// In the order of the list, the cases of a scenario together.
    package let all: [PlannedScenario]

    init(all: [PlannedScenario]) { self.all = all }

    /// - Parameter rules: The rules that scenarios may cover.
    /// - Throws: ``PlanError`` if two scenarios have the same title, two cases or two rules the same name, a
    ///   quarantine has no valid day, a scenario covers a rule that does not exist, or one declares both that it uses the
    ///   accessory board and that it does not.
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
            let traits = named.scenario.traits
            if !traits.usesAccessoryBoard, traits.needs.contains(.accessoryBoard) {
                throw .boardAndNone(named.scenario.title, file: named.sourceFile)
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
    /// Its file relative to the package's folder if possible: `Scenarios/Pairing/NewLampIsOnboarded.swift`.
    ///
    /// The list has paths relative to the target's folder. The name of that folder comes from the scenario's location.
    var sourceFile: String {
        let path = scenario.location.path
        guard path.hasSuffix("/" + file), let folder = path.dropLast(file.count + 1).split(separator: "/").last else {
            return file
        }
        return "\(folder)/\(file)"
    }
}

/// Quotes a word for a shell if it needs quotes.
func shellWord(_ text: String) -> String {
    let isPlain =
        !text.isEmpty
        && text.allSatisfy { character in
            character.isASCII && (character.isLetter || character.isNumber || "_-./=,:@%+".contains(character))
        }
    return isPlain ? text : quoted(text)
}
