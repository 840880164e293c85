import HILExecution
import HILPOSIX
import HILReports
import RigModel
import VirtualRig

/// The options of a command line.
extension Arguments {
    /// Reads patterns and the options that run and list share. Other options go to `take`, flags with an empty value.
    mutating func choice(
        flags: [String], values: [String], _ take: (String, String) throws(UsageError) -> Void
    ) throws(UsageError) -> Request.Choice {
        var choice = Request.Choice()
        var isOptions = true
        while let argument = rest.popFirst() {
            if isOptions, argument == "--" {
                isOptions = false
            } else if isOptions, argument.hasPrefix("-"), argument.count > 1 {
                let (name, value) = try option(
                    argument, flags: ["--last-failed", "--no-build"] + flags,
                    values: ["--tag", "--where", "--shard", "--out", "--format"] + values)
                switch name {
                case "--tag": choice.filter.tags.append(value)
                case "--where": choice.filter.conditions.append(value)
                case "--shard": choice.filter.shard = try shard(value)
                case "--last-failed": choice.lastFailed = true
                case "--no-build": choice.mayBuild = false
                case "--out": choice.out = value
                case "--format": choice.format = try format(value)
                default: try take(name, value)
                }
            } else {
                choice.filter.patterns.append(argument)
            }
        }
        return choice
    }

    /// Reads an option: `--flag`, `--name value` or `--name=value`.
    mutating func option(
        _ argument: String, flags: [String], values: [String]
    ) throws(UsageError) -> (String, String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        // The value of --shuffle is optional.
        if parts[0] == "--shuffle", flags.contains(parts[0]) {
            if parts.count == 2 { return (parts[0], parts[1]) }
            guard let next = rest.first, UInt64(next) != nil else { return (parts[0], "") }
            return (parts[0], rest.removeFirst())
        }
        if flags.contains(parts[0]) {
            guard parts.count == 1 else { throw UsageError(description: "the option \(parts[0]) takes no value") }
            return (parts[0], "")
        }
        guard values.contains(parts[0]) else {
            throw UsageError(
                description: "`hil \(command)` has no option “\(parts[0])”"
                    + Arguments.hint(parts[0], values + flags, of: command))
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw UsageError(description: "the option \(parts[0]) needs a value")
        }
        return (parts[0], value)
    }

    static func boards(_ text: String) throws(UsageError) -> BoardChoice {
        guard let boards = BoardChoice(rawValue: text) else {
            throw UsageError(description: "the boards are auto, native or qemu, not “\(text)”")
        }
        return boards
    }

    static func system(_ text: String) throws(UsageError) -> BoardSystem {
        guard let system = BoardSystem(named: text) else {
            let names = BoardSystem.names.joined(separator: " and ")
            throw UsageError(description: "the systems of an accessory board are \(names), not “\(text)”")
        }
        return system
    }

    static func flavor(_ text: String) throws(UsageError) -> JUnit.Flavor {
        guard let flavor = JUnit.Flavor(rawValue: text) else {
            throw UsageError(description: "the flavors of JUnit are plain and github, not “\(text)”")
        }
        return flavor
    }

    static func firmware(_ text: String) throws(UsageError) -> String {
        guard text.count <= 100, !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw UsageError(description: "the label of a firmware is one line of at most 100 characters")
        }
        return text
    }

    static func retention(_ text: String) throws(UsageError) -> Retention {
        guard let retention = Retention(text) else {
            throw UsageError(
                description: "the limit is a number of runs, a size or both, as in 20,2GiB, or all; not “\(text)”")
        }
        return retention
    }

    private func shard(_ text: String) throws(UsageError) -> Shard {
        guard let shard = Shard(text) else {
            throw UsageError(description: "a shard is a number of a count, as in 2/3, not “\(text)”")
        }
        return shard
    }

    static func number(
        _ text: String, of option: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                description: "\(option) is a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
        }
        return number
    }

    func format(_ text: String) throws(UsageError) -> ReportWriter.Format {
        guard let format = ReportWriter.Format(rawValue: text) else {
            throw UsageError(description: "the format is text or json, not “\(text)”")
        }
        return format
    }

    static func hint(_ typed: String, _ known: [String], of command: String? = nil) -> String {
        let page = "`hil \(command.map { "\($0) " } ?? "")--help`"
        // One letter is too short for a suggestion.
        if typed.wholeMatch(of: /-[A-Za-z]/) != nil {
            let pattern = typed == "-k" ? "a pattern needs no option: `hil run PATTERN`; " : ""
            return "; \(pattern)options are whole words, as \(page) shows"
        }
        let nearest = Similarity.nearest(to: typed, in: known)
        return nearest.isEmpty ? "; \(page) shows all" : "; did you mean \(nearest[0])?"
    }
}
