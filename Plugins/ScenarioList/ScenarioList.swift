import Foundation
import PackagePlugin

/// Lists the scenarios from the names of their files, so that nobody keeps a list by hand.
///
/// `Foo.swift`, in the target's folder or below it, declares `let foo`. A file with `+` in its name extends something and is
/// no scenario. The list is `let allScenarios: [NamedScenario]`, in the order of the paths.
@main
struct ScenarioList: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let folder = target.directoryURL.path
        let files = target.sourceFiles(withSuffix: ".swift").map(\.url.path).sorted()
        let scenarios = files.filter { !$0.split(separator: "/").last!.contains("+") }  // a path has a last part
        let list = context.pluginWorkDirectoryURL.appending(path: "ScenarioList.txt")
        let output = context.pluginWorkDirectoryURL.appending(path: "AllScenarios.swift")
        let text = source(scenarios.map { String($0.dropFirst(folder.count).drop { $0 == "/" }) })
        // Only a list that changed makes anything compile anew.
        if (try? String(contentsOf: list, encoding: .utf8)) != text {
            try text.write(to: list, atomically: true, encoding: .utf8)
        }
        // The plugin made the text; a build command is what makes SwiftPM compile it.
        return [
            .buildCommand(
                displayName: "Listing \(scenarios.count) scenario files", executable: URL(filePath: "/bin/cp"),
                arguments: [list.path, output.path], inputFiles: [list], outputFiles: [output])
        ]
    }

    private func source(_ files: [String]) -> String {
        let entries = files.map { file in
            let name = declaration(for: String(file.split(separator: "/").last!.dropLast(".swift".count)))
            return "    NamedScenario(\"\(name)\", file: \"\(file)\", \(name)),"
        }
        return """
            import HIL

            /// Every scenario of this folder, in the order of the paths.
            public let allScenarios: [NamedScenario] = [
            \(entries.joined(separator: "\n"))
            ]

            """
    }

    /// `NewDieIsOnboarded` is `newDieIsOnboarded`, `WPA3Join` is `wpa3Join`.
    private func declaration(for file: String) -> String {
        let characters = Array(file)
        let capitals = characters.prefix { !$0.isLowercase }.count
        // The last capital before a small letter begins the next word, unless it is the first.
        let head =
            capitals < characters.count && capitals > 1 && characters[capitals - 1].isUppercase
            ? capitals - 1 : max(1, capitals)
        return file.prefix(head).lowercased() + String(file.dropFirst(head))
    }
}
