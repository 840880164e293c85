import Execution
import Reports

/// What the command line asks for.
enum Request: Equatable {
    /// Which scenarios.
    struct Choice: Equatable {
        var patterns: [String] = []
        var tags: [String] = []
        var format = ReportWriter.Format.text
    }

    /// `out` is the folder of the runs' folders; nil is `results` in the package's folder.
    case run(Choice, out: String?)
    case list(Choice)
    case setUp
    case doctor
    case help
    case version
    /// Hidden: a worker of the runner's.
    case worker([String])
}

/// A command line that asks for nothing that there is.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// Reads a command line.
struct Arguments {
    private var rest: ArraySlice<String>
    private let command: String

    /// - Parameter arguments: Without the program's name.
    static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        guard let command = arguments.first else { return .help }
        var parser = Arguments(rest: arguments.dropFirst(), command: command)
        switch command {
        case "-h", "--help", "help": return .help
        case "--version", "version": return .version
        case WorkerProcesses.subcommand: return .worker(Array(arguments.dropFirst()))
        case _ where parser.rest.contains("--help") || parser.rest.contains("-h"): return .help
        case "run": return try parser.run()
        case "list": return try parser.list()
        case "setup": return try parser.nothingMore(.setUp)
        case "doctor": return try parser.nothingMore(.doctor)
        default:
            throw UsageError(
                description: "there is no command “\(command)”" + hint(command, ["run", "list", "setup", "doctor"]))
        }
    }

    private mutating func run() throws(UsageError) -> Request {
        var out: String?
        let choice = try choice(["--out"]) { (_, value) in out = value }
        return .run(choice, out: out)
    }

    private mutating func list() throws(UsageError) -> Request { .list(try choice([]) { (_, _) in }) }

    private mutating func nothingMore(_ request: Request) throws(UsageError) -> Request {
        guard let extra = rest.first else { return request }
        throw UsageError(description: "`hil \(command)` takes no “\(extra)”")
    }

    /// Patterns, and the options that run and list share.
    private mutating func choice(
        _ more: [String], _ take: (String, String) -> Void
    ) throws(UsageError) -> Request.Choice {
        var choice = Request.Choice()
        var isOptions = true
        while let argument = rest.popFirst() {
            if isOptions, argument == "--" {
                isOptions = false
            } else if isOptions, argument.hasPrefix("-"), argument.count > 1 {
                let (name, value) = try option(argument, ["--tag", "--format"] + more)
                switch name {
                case "--tag": choice.tags.append(value)
                case "--format": choice.format = try format(value)
                default: take(name, value)
                }
            } else {
                choice.patterns.append(argument)
            }
        }
        return choice
    }

    /// `--name value` or `--name=value`.
    private mutating func option(_ argument: String, _ known: [String]) throws(UsageError) -> (String, String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard known.contains(parts[0]) else {
            throw UsageError(
                description: "`hil \(command)` has no option “\(parts[0])”" + Arguments.hint(parts[0], known))
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw UsageError(description: "the option \(parts[0]) needs a value")
        }
        return (parts[0], value)
    }

    private func format(_ text: String) throws(UsageError) -> ReportWriter.Format {
        guard let format = ReportWriter.Format(rawValue: text) else {
            throw UsageError(description: "the format is text or json, not “\(text)”")
        }
        return format
    }

    private static func hint(_ typed: String, _ known: [String]) -> String {
        let nearest = Similarity.nearest(to: typed, in: known)
        return nearest.isEmpty ? "; `hil --help` shows what there is" : "; did you mean \(nearest[0])?"
    }
}
