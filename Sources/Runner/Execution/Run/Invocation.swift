/// How somebody called `hil`, so that what it proposes can be typed as it stands.
package struct Invocation: Sendable, Hashable {
    /// The command, as it was typed: `.build/debug/hil`.
    package var program: String
    /// It was make that called it: `make hil`.
    package var isByMake: Bool

    package init(program: String = "hil", isByMake: Bool = false) {
        self.program = program
        self.isByMake = isByMake
    }

    /// The command that runs one case again, and nothing else.
    ///
    /// - Parameter identifier: Its ``PlannedScenario/caseIdentifier``.
    package func again(_ identifier: String) -> String {
        // make and the shell that it starts take such a name as it is.
        let isPlain = identifier.allSatisfy { character in
            character.isASCII && (character.isLetter || character.isNumber || "_-.=,:@%+[]".contains(character))
        }
        if isByMake, isPlain { return "make hil SCENARIOS=\(shellWord(identifier))" }
        return "\(shellWord(program)) run \(shellWord(identifier))"
    }

    /// A text in which `hil …` stands in backticks, with the command as it was typed.
    package func worded(_ text: String) -> String { text.replacing("`hil ", with: "`\(shellWord(program)) ") }
}
