import HILRecord

/// How `hil` was called, so that the commands that it suggests can be copied.
package struct Invocation: Sendable, Hashable {
    /// The command, as it was typed: `.build/debug/hil`.
    package var program: String
    /// Whether make called it: `make hil`.
    package var isByMake: Bool

    /// The options that decide which boards the scenarios get: `["--accessory", "debian12"]`.
    package var options: [String] = []

    package init(program: String = "hil", isByMake: Bool = false) {
        self.program = program
        self.isByMake = isByMake
    }

    /// The command that runs only one case again.
    ///
    /// - Parameter identifier: The case's ``PlannedScenario/caseIdentifier``.
    package func again(_ identifier: String) -> String {
        if let place = identifier.firstIndex(of: "~") { return auditing(identifier, place) }
        // These characters need no quotes in make and in its shell.
        let isPlain = identifier.allSatisfy { character in
            character.isASCII && (character.isLetter || character.isNumber || "_-.=,:@%+[]".contains(character))
        }
        let words = options.map(shellWord).joined(separator: " ")
        if isByMake, isPlain, !words.contains("'") {
            return "make hil SCENARIOS=\(shellWord(identifier))" + (words.isEmpty ? "" : " OPTIONS=\"\(words)\"")
        }
        return "\(shellWord(program)) run \(shellWord(identifier))" + (words.isEmpty ? "" : " \(words)")
    }

    /// Replaces `hil …` in backticks in a text by the command as it was typed.
    package func worded(_ text: String) -> String { text.replacing("`hil ", with: "`\(shellWord(program)) ") }
}

extension Invocation {
    /// The name of the audit of a device on the desk, in place of a scenario's.
    static let deskName = "desk-device"

    /// The command that makes one check of an audit again.
    private func auditing(_ identifier: String, _ place: String.Index) -> String {
        let control = identifier[identifier.index(after: place)...].prefix { $0 != "[" }
        let scenario = identifier[..<place] + identifier[place...].drop { $0 != "[" }
        // Its options name the device.
        let target = scenario == Invocation.deskName ? [] : [String(scenario)]
        let words = [program, "audit"] + target + ["--only", String(control)]
        return (words + options).map(shellWord).joined(separator: " ")
    }

    /// The command that explores a case again, or only one trial of it.
    func exploring(_ identifier: String, _ trial: TrialResult? = nil) -> String {
        var words = [program, "explore", identifier]
        if let trial {
            let cells = [trial.cell, trial.second].compactMap { $0 }
            words += ["--fault", cells.map(\.fault).joined(separator: ",")]
            words += cells.flatMap { ["--at", "\($0.moment)"] }
            // Among the pairs of these faults at these moments is this one.
            if trial.second != nil { words.append("--pairs") }
        }
        return (words + options).map(shellWord).joined(separator: " ")
    }
}
