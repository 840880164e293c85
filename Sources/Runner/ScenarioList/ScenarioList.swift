import Foundation
import PackagePlugin

/// Generates the list of a target's scenarios, so that nobody writes it by hand.
///
/// The list is `let allScenarios: [NamedScenario]`, with every `let name = Scenario(…)` in the target's files, in the
/// order of the paths. Beside it is `let allAccessories: [NamedAccessory]`, with every accessory that these files declare by
/// a name, as `static let latch` in an extension of `AccessoryProgram`, `Peripheral` or `HostStack`. The program
/// `hil-sources` reads the files.
@main
struct ScenarioList: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let files = target.sourceFiles(withSuffix: ".swift").map(\.url).sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "AllScenarios.swift")
        let folder = target.directoryURL.path
        return [
            .buildCommand(
                displayName: "Listing the scenarios of \(files.count) files",
                executable: try context.tool(named: "hil-sources").url,
                arguments: ["list", output.path, folder.hasSuffix("/") ? String(folder.dropLast()) : folder]
                    + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
