import Foundation
import HILPOSIX
import RigModel

/// `hil init`: writes a package with an app, an accessory program, a scenario, and what runs them.
struct InitCommand {
    let request: Request.Initializing
    /// hil's own checkout.
    let checkout: String
    /// The folder in which the command was given.
    let current: String
    /// Called with the lines to print.
    let say: ([String]) -> Void

    /// Writes the files.
    ///
    /// - Throws: ``UsageError`` for a name, place or folder that cannot be used; ``RigFailure`` if the template cannot
    ///   be read or a file cannot be written.
    func run() throws {
        let name = try PackageName(request.name ?? URL(fileURLWithPath: current).lastPathComponent)
        let folder = request.isHere ? current : "\(current)/\(name.text)"
        let hil = request.url.map { HilDependency.url($0, branch: request.branch ?? "main") } ?? .path(checkout)
        try hil.check()
        if !request.isHere { try requireEmpty(folder) }
        let files = try PackageTemplate(folder: "\(checkout)/Fixtures/NewPackage").files(named: name, hil: hil)
        let manifest = try request.isHere ? Manifest(in: folder) : nil
        try manifest?.check(for: name)

        var kept: [String] = []
        for file in files where !(manifest != nil && file.path == "Package.swift") {
            if try !write(file, to: folder) { kept.append(file.path) }
        }
        try manifest?.add(name, hil)
        let around = request.isHere ? nil : packageAround
        report(files.map(\.path).filter { !kept.contains($0) }, kept, name, isExtended: manifest != nil, in: around)
    }

    /// The folder of the package in which the command was given; nil outside a package.
    private var packageAround: String? {
        var folder = URL(fileURLWithPath: current).standardizedFileURL
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: "\(folder.path)/Package.swift") { return folder.path }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    private func requireEmpty(_ folder: String) throws(UsageError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else { return }
        let contents = isFolder.boolValue ? try? FileManager.default.contentsOfDirectory(atPath: folder) : nil
        if contents?.isEmpty == true { return }
        throw UsageError(
            description: "\(folder) exists and is not an empty folder; to add what is missing to an existing package,"
                + " run `hil init --here` in it")
    }

    /// Writes a file unless it exists.
    ///
    /// - Returns: Whether it was written.
    private func write(_ file: PackageTemplate.File, to folder: String) throws(RigFailure) -> Bool {
        let path = "\(folder)/\(file.path)"
        guard !FileManager.default.fileExists(atPath: path) else { return false }
        do {
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try replaceFile(path, with: file.contents, mode: file.isExecutable ? 0o755 : 0o644)
        } catch {
            throw RigFailure(
                "writing a new package", "\(path): \(error)", remedy: "fix that, then run `hil init --here`")
        }
        return true
    }

    private func report(
        _ written: [String], _ kept: [String], _ name: PackageName, isExtended: Bool, in around: String?
    ) {
        var lines = written.filter { !(isExtended && $0 == "Package.swift") }.map { "wrote  \($0)" }
        lines += kept.map { "kept   \($0), which already exists" }
        if isExtended { lines.append("added  hil and its targets at the end of Package.swift") }
        if let around {
            lines.append("note   \(around) is a package itself; to add to it instead, run `hil init --here` there")
        }
        if request.url == nil {
            lines.append("note   Package.swift names hil by its path on this machine; CI needs `hil init --url URL`")
        }
        let enter = request.isHere ? "" : "cd \(name.text) && "
        lines.append("next: \(enter)make hil, which builds it and runs its scenarios: a minute or two")
        say(lines)
    }
}

/// The Package.swift of an existing package.
struct Manifest {
    private let path: String
    private let text: String

    /// Returns nil if the folder has none.
    init?(in folder: String) throws(RigFailure) {
        path = "\(folder)/Package.swift"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw RigFailure("reading a package", "\(path): \(error.localizedDescription)")
        }
    }

    /// Checks that targets can be added.
    func check(for name: PackageName) throws(UsageError) {
        guard text.contains(/\blet\s+package\s*=/) else {
            throw UsageError(description: "\(path) declares no `let package =`, so nothing can be added to it")
        }
        let taken = ["hil", "Scenarios", "\(name.type)App", "\(name.type)AppTests"].filter { target in
            text.contains("\"\(target)\"")
        }
        guard taken.isEmpty else {
            throw UsageError(
                description: "\(path) already has \(taken.map { "“\($0)”" }.joined(separator: ", ")): "
                    + "hil would add targets of these names; choose another name with `hil init --here NAME`")
        }
    }

    /// Appends the dependency and the targets.
    func add(_ name: PackageName, _ hil: HilDependency) throws(RigFailure) {
        let app = "\(name.type)App"
        let product = ".product(name: \"HIL\", package: \"\(hil.identity)\")"
        let block = """

            // hil: scenarios for the app and its accessory.
            package.dependencies.append(\(hil.declaration))
            package.targets += [
                .target(
                    name: "\(app)",
                    dependencies: [
                        .product(
                            name: "PhoneFrameworks", package: "\(hil.identity)", condition: .when(platforms: [.linux]))
                    ]),
                .testTarget(name: "\(app)Tests", dependencies: ["\(app)"]),
                .target(
                    name: "Scenarios", dependencies: ["\(app)", \(product)], path: "Scenarios",
                    plugins: [.plugin(name: "ScenarioList", package: "\(hil.identity)")]),
                .executableTarget(name: "hil", dependencies: ["Scenarios", \(product)]),
            ]

            """
        do { try replaceFile(path, with: Data((text + block).utf8)) } catch {
            throw RigFailure("adding hil to a package", "\(path): \(error)")
        }
    }
}
