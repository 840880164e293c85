/// Writes what was learned as a personality in Swift.
package struct PersonalityText {
    /// The name of the constant.
    package let name: String
    /// The captures, for the first line.
    package let captures: [String]

    /// - Throws: If the name is no Swift name.
    package init(name: String, captures: [String]) throws(UnreadableCapture) {
        let letters = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
        guard letters, let first = name.first, first.isLetter, !PersonalityText.taken.contains(name) else {
            throw UnreadableCapture(
                "“\(name)” is not a name for a constant in Swift: letters and digits, such as myPhone")
        }
        (self.name, self.captures) = (name, captures)
    }

    /// Swift's keywords, and the personalities that exist. Source: The Swift Programming Language, “Lexical Structure”.
    private static let taken: Set = [
        "iPhone6s", "iPhone7", "iPhoneX", "iPhoneXS", "iPhone11", "iPhone14", "iPhone15", "iPhone16", "iPhone17",
        "PhonePersonality", "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]

    /// How each file begins that `hil learn` has written.
    package static let firstWords = "// Written by `hil learn`"

    package func source(_ phone: LearnedPhone) -> String {
        let files = captures.map(PersonalityText.plain).joined(separator: ", ")
        var lines = [
            "\(PersonalityText.firstWords). What a line sets was seen in the frame above it; all else is as an iPhone's.",
            "import HIL",
            "", "extension PhonePersonality {",
            "    /// The phone in \(files). Captures do not show its model.",
            "    static let \(name): PhonePersonality = {",
            "        var phone = PhonePersonality(model: \"unknown\")",
        ]
        for habit in phone.habits {
            lines += PersonalityText.comment("\(habit.source): \(habit.text)")
            let statement = "phone.bluetooth.\(habit.property) = \(habit.expression)"
            lines += statement.split(separator: "\n").map { "        \($0)" }
        }
        return (lines + ["        return phone", "    }()", "}", ""]).joined(separator: "\n")
    }

    /// The lines about what is not in the personality.
    package func remarks(_ phone: LearnedPhone) -> [String] {
        func list(_ title: String, _ lines: [String]) -> [String] {
            lines.isEmpty ? [] : ["", "\(title):"] + lines.map { "  \(PersonalityText.plain($0))" }
        }
        return list("contradictions", phone.contradictions)
            + list("seen, cannot be played", phone.unplayable.map { "\($0.text) (\($0.source))" })
            + list("not shown by these captures", phone.missing) + list("could not be read", phone.gaps)
    }

    /// The width of a line.
    private static let width = 120

    private static func comment(_ text: String) -> [String] {
        var lines = ["        //"]
        for word in plain(text).split(separator: " ") {
            let last = lines.count - 1
            if lines[last].count + 1 + word.count <= width {
                lines[last] += " \(word)"
            } else {
                lines.append("        // \(word)")
            }
        }
        return lines
    }

    /// A text in one line, without control characters.
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    $0.properties.generalCategory != .control && $0 != "\u{2028}" && $0 != "\u{2029}"
                }))
    }
}
