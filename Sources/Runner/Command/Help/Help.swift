/// What `hil --help` and `hil COMMAND --help` print.
enum Help {
    static let version = "0.1.0"

    /// Commands that belong together, in the order in which a newcomer meets them.
    private static let groups: [(title: String, pages: [HelpPage])] = [
        ("scenarios", [.run, .list, .explore, .audit, .play, .record, .rules]),
        ("results", [.report, .watch, .history, .compare, .parity, .learn, .capture, .open]),
        ("your app and accessory", [.initialize, .check]),
        ("boards", [.shell, .tap, .bench, .setUp, .kernel, .doctor]),
    ]

    /// The pages of all commands.
    static var pages: [HelpPage] { groups.flatMap(\.pages) }

    /// The names of all commands.
    static var commands: [String] { pages.map(\.name) }

    /// All commands, one per line.
    static var overview: String {
        let lists = groups.map { title, pages in
            "\n\(title)\n" + pages.map { "  \(column($0.name, 9))\($0.summary)\n" }.joined()
        }
        return """
            hil \(version): tests an accessory against a simulated phone, on two boards

            usage: hil COMMAND [ARGUMENT…]
            \(lists.joined())
            hil COMMAND --help explains one command; hil run --help also lists exit codes and environment.

            """
    }

    /// The page of a command; the overview for any other word.
    static func text(of command: String?) -> String {
        pages.first { $0.name == command }?.text ?? overview
    }

    /// A text padded to a width.
    fileprivate static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

/// The help of one command.
struct HelpPage {
    /// Words with an explanation each: options, exit codes, variables.
    struct List {
        var title: String
        var items: [(name: String, text: String)]
    }

    var name: String
    /// What it is for, in a few words.
    var summary: String
    /// How it is called, without `hil NAME`; one call per line.
    var usage: [String]
    /// What it does.
    var about: String
    var lists: [List] = []

    /// The width of the lines.
    private static let width = 100
    private static let indent = 18

    /// The page.
    var text: String {
        let calls = usage.map { "hil \(name) \($0)".trimmingCharacters(in: .whitespaces) }
        var lines = ["usage: \(calls[0])"] + calls.dropFirst().map { "       \($0)" }
        lines += [""] + HelpPage.wrapped(about, at: HelpPage.width)
        for list in lists {
            lines += ["", list.title]
            for item in list.items {
                let text = HelpPage.wrapped(item.text, at: HelpPage.width - HelpPage.indent)
                let isLong = item.name.count > HelpPage.indent - 4
                if isLong { lines.append("  \(item.name)") }
                for (place, line) in text.enumerated() {
                    let first = place == 0 && !isLong ? "  \(item.name)" : ""
                    lines.append(Help.column(first, HelpPage.indent) + line)
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The paragraphs of a text in lines of at most this many characters.
    static func wrapped(_ text: String, at width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
            var lines = [""]
            for word in paragraph.split(separator: " ") {
                let last = lines.count - 1
                if lines[last].isEmpty {
                    lines[last] = String(word)
                } else if lines[last].count + 1 + word.count <= width {
                    lines[last] += " \(word)"
                } else {
                    lines.append(String(word))
                }
            }
            return lines
        }
    }
}
