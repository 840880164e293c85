import Foundation
import ScenarioListing

/// The program of the plugin `ScenarioList`. `scenario-list OUTPUT FOLDER FILE…` writes the list of the scenarios in
/// the files.
///
/// The files are in the folder. If a scenario cannot be listed, it exits with 1 and prints errors in the form of a
/// compiler.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2 else { end("scenario-list: expected OUTPUT FOLDER FILE…") }
        let (output, folder) = (arguments[1], arguments[2])
        var list = ScenarioList()
        for path in arguments.dropFirst(2) {
            do {
                let file = path.hasPrefix("\(folder)/") ? String(path.dropFirst(folder.count + 1)) : path
                list.add(path: path, file: file, text: try String(contentsOfFile: path, encoding: .utf8))
            } catch {
                end("\(path): error: listing its scenarios: \(error.localizedDescription)")
            }
        }
        guard list.errors.isEmpty else { end(list.errors.joined(separator: "\n")) }
        // An unchanged list is not written, so that nothing is compiled again.
        if (try? String(contentsOfFile: output, encoding: .utf8)) == list.source { return }
        do { try list.source.write(toFile: output, atomically: true, encoding: .utf8) } catch {
            end("\(output): error: writing the list of the scenarios: \(error.localizedDescription)")
        }
    }

    private static func end(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(1)
    }
}
