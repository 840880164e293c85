import Foundation
import HILSwiftSource

/// For the plugin `ScenarioIndex`: `hil-sources list OUTPUT FOLDER FILE…` writes the list of the scenarios in the files, which
/// are in the folder.
enum ListCommand {
    /// - Returns: Why a scenario cannot be listed, in the form of a compiler.
    static func errors(_ words: ArraySlice<String>) -> [String] {
        let words = Array(words)
        guard words.count >= 2 else { return ["hil-sources list: expected OUTPUT FOLDER FILE…"] }
        let (output, folder) = (words[0], words[1])
        var list = ScenarioIndex()
        for path in words.dropFirst(2) {
            do {
                let file = path.hasPrefix("\(folder)/") ? String(path.dropFirst(folder.count + 1)) : path
                list.add(path: path, file: file, text: try String(contentsOfFile: path, encoding: .utf8))
            } catch { return ["\(path): error: listing its scenarios: \(error.localizedDescription)"] }
        }
        guard list.errors.isEmpty else { return list.errors }
        // An unchanged list is not written, so that nothing is compiled again.
        if (try? String(contentsOfFile: output, encoding: .utf8)) == list.source { return [] }
        do { try list.source.write(toFile: output, atomically: true, encoding: .utf8) } catch {
            return ["\(output): error: writing the list of the scenarios: \(error.localizedDescription)"]
        }
        return []
    }
}
