import Foundation
import PackagePlugin

/// Makes a copy of an app's sources that Swift on Linux can compile, for a target that has a file `AppleSources.txt`.
///
/// Each line of the file names a Swift file or a folder, relative to the list's folder; a line that begins with `!`
/// leaves one out, and one with `#` is a comment. `import CoreBluetooth` imports a module into every file, as the app's
/// Objective-C bridging header does. The program `hil-sources` copies them. The target also needs one
/// other Swift file, even one with only a comment: SwiftPM leaves out a target without one.
@main
struct AppleSources: BuildToolPlugin {
    /// A list that cannot be read.
    struct ListError: Error, CustomStringConvertible {
        let description: String
    }

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let list = target.directoryURL.appending(path: "AppleSources.txt")
        let files = try sources(in: list)
        let output = context.pluginWorkDirectoryURL
        return [
            .buildCommand(
                displayName: "Copying \(files.count) sources of an app",
                executable: try context.tool(named: "hil-sources").url,
                arguments: ["copy", output.path, list.path] + files.map(\.path),
                inputFiles: [list] + files,
                outputFiles: files.map {
                    output.appending(path: "\($0.deletingPathExtension().lastPathComponent).copied.swift")
                })
        ]
    }

    /// The Swift files that a list names, in the order of their paths. The program reads the modules that it imports.
    private func sources(in list: URL) throws -> [URL] {
        guard let text = try? String(contentsOf: list, encoding: .utf8) else {
            throw ListError(
                description: "\(list.path): not found: name the app's files and folders there, one a line")
        }
        var files: Set<String> = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.isEmpty || words.hasPrefix("#") || words.hasPrefix("import ") { continue }
            let isLeftOut = words.hasPrefix("!")
            let path = isLeftOut ? String(words.dropFirst()) : words
            let found = swiftFiles(at: URL(fileURLWithPath: path, relativeTo: list.deletingLastPathComponent()))
            guard !found.isEmpty else {
                throw ListError(description: "\(list.path):\(number + 1): there are no Swift files in \(path)")
            }
            if isLeftOut { files.subtract(found) } else { files.formUnion(found) }
        }
        return files.sorted().map { URL(fileURLWithPath: $0) }
    }

    private func swiftFiles(at place: URL) -> [String] {
        let path = place.standardizedFileURL.path
        guard let names = FileManager.default.enumerator(atPath: path) else { return [] }
        let within = names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "\(path)/\($0)" }
        return path.hasSuffix(".swift") && FileManager.default.fileExists(atPath: path) ? [path] : within
    }
}
