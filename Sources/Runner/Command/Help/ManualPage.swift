/// The manual page `hil(1)`, made of the pages of ``Help`` (man(7)).
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH HIL 1 \"\" \"hil \(Help.version)\"", ".SH NAME",
            "hil \\- test how an iPhone sets up a Bluetooth or Wi\\-Fi accessory, without an iPhone", ".SH SYNOPSIS",
            ".B hil", ".I COMMAND", "[\\fIARGUMENT\\fR\\&...]", ".SH DESCRIPTION",
            "Tests an accessory against a simulated phone, on two boards. In any folder hil runs the program of "
                + "the package around it.", ".SH COMMANDS",
        ]
        for page in Help.pages {
            lines.append(".SS \(escaped("hil \(page.name)")): \(escaped(page.summary))")
            for call in page.usage { lines += [".RS", ".nf", escaped("hil \(page.name) \(call)"), ".fi", ".RE"] }
            for paragraph in page.about.split(separator: "\n") { lines += [".PP", escaped(String(paragraph))] }
            for list in page.lists {
                lines += [".PP", escaped(list.title) + ":"]
                for item in list.items { lines += [".TP", ".B \(escaped(item.name))", escaped(item.text)] }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A text without requests and special characters.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
    }
}
