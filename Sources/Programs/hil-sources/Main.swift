import Foundation

/// The program of the plugins `ScenarioIndex` and `AppleSources`. It prints errors in the form of a compiler, and then exits
/// with 1.
@main
enum Main {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        let errors =
            switch words.first {
            case "list": ListCommand.errors(words.dropFirst())
            case "copy": CopyCommand.errors(words.dropFirst())
            default: ["hil-sources: expected list or copy"]
            }
        guard !errors.isEmpty else { return }
        FileHandle.standardError.write(Data("\(errors.joined(separator: "\n"))\n".utf8))
        exit(1)
    }
}
