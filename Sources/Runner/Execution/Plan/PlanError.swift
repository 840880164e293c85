/// An error in the scenarios or in the filter of a run.
package enum PlanError: Error, Sendable, Hashable, CustomStringConvertible {
    case duplicateTitle(String, files: [String])
    case duplicateCase(String)
    case unknownPattern(String, nearest: [String])
    case unknownTag(String, nearest: [String])
    case unreadableTags(String, why: String)
    case unreadableCondition(String)
    case unknownCondition(String, nearest: [String])
    case nothingChosen
    case unreadableDay(String, file: String)
    case unknownRule(String, file: String)
    case duplicateRule(String)
    case boardAndNone(String, file: String)

    package var description: String {
        switch self {
        case .duplicateTitle(let title, let files):
            "two scenarios are called “\(title)”: \(files.joined(separator: " and "))"
        case .duplicateCase(let identifier):
            "two cases are called \(identifier): give the values of the axis different labels, as in "
                + "Axis(\"size\", sizes) { $0.label }"
        case .unknownPattern(let pattern, let nearest):
            "no scenario matches “\(pattern)”" + PlanError.hint(nearest)
        case .unknownTag(let tag, let nearest): "no scenario has the tag “\(tag)”" + PlanError.hint(nearest)
        case .unreadableTags(let text, let why):
            "“\(text)” is not a valid choice of tags: \(why); tags are joined by and, or, not and parentheses"
        case .unreadableCondition(let text): "“\(text)” is not a condition; write NAME=VALUE, as in security=wpa3"
        case .unknownCondition(let text, let nearest): "no scenario has the case \(text)" + PlanError.hint(nearest)
        case .unreadableDay(let text, let file):
            "the quarantine in \(file) ends on “\(text)”, which is not a day; write it as 2026-12-31"
        case .unknownRule(let rule, let file):
            "\(file) covers the rule \(rule), which does not exist; `hil rules` lists them all"
        case .duplicateRule(let name): "two rules are called \(name); those of the phone have one letter and a number"
        case .boardAndNone(let title, let file):
            "“\(title)” in \(file) is declared .withoutAccessoryBoard, and also needs the board or runs a program there: "
                + "remove one of the two"
        case .nothingChosen: "no scenario matches all these filters together; `hil list` shows all"
        }
    }

    private static func hint(_ nearest: [String]) -> String {
        nearest.isEmpty ? "; `hil list` shows all" : "; nearest: \(nearest.joined(separator: ", "))"
    }
}
