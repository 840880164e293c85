import Foundation
import HILSwiftSource

/// For the plugin `AppleSources`: `hil-sources copy FOLDER [LIST.txt] FILE…` writes a copy of each file into the
/// folder: `Lamp.copied.swift` of `Lamp.swift`, because a file with the original's own name could not be distinguished from
/// it in `#fileID`. Each copy imports the modules that the list imports.
enum CopyCommand {
    /// - Returns: What cannot be copied, for all files, in the form of a compiler.
    static func errors(_ words: ArraySlice<String>) -> [String] {
        var arguments = words
        let folder = arguments.popFirst()
        let list = arguments.first.flatMap { $0.hasSuffix(".txt") ? $0 : nil }
        if list != nil { arguments.removeFirst() }
        guard let folder, !arguments.isEmpty else {
            return ["hil-sources copy: expected FOLDER [LIST.txt] FILE…"]
        }
        // Not by the plugin, which does not run for each change of the list.
        let text = list.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        let (modules, problems) = AppleSourceCopy.BridgedModule.read(fromList: text)
        var errors = problems.map { "\(list ?? ""):\($0.line):\($0.column): error: \($0.text)" }
        var sources: [String: String] = [:]
        for path in arguments {
            let name = URL(fileURLWithPath: path).lastPathComponent
            if let other = sources.updateValue(path, forKey: name) {
                errors.append("\(path):1:1: error: \(other) has the same name, which one module cannot have twice")
                continue
            }
            let output = "\(folder)/\(name.hasSuffix(".swift") ? String(name.dropLast(6)) : name).copied.swift"
            do { errors += try copy(path, to: output, modules, list ?? "") } catch {
                errors.append("\(path):1:1: error: copying it to \(folder): \(error.localizedDescription)")
            }
        }
        return errors
    }

    /// Copies a file, and returns an error for each thing that cannot be copied.
    private static func copy(
        _ path: String, to output: String, _ modules: [AppleSourceCopy.BridgedModule], _ list: String
    ) throws -> [String] {
        let copy = AppleSourceCopy(
            of: try String(contentsOfFile: path, encoding: .utf8), path: path, bridged: modules, list: list)
        // An unchanged copy is not written, so that nothing is compiled again.
        if (try? String(contentsOfFile: output, encoding: .utf8)) != copy.text {
            try copy.text.write(toFile: output, atomically: true, encoding: .utf8)
        }
        return copy.problems.map { "\(path):\($0.line):\($0.column): error: \($0.text)" }
    }
}
