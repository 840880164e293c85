import Foundation
import StubRig

/// Builds packages that depend on this one, as their teams do. All are built in one folder, one after the other, so that
/// hil's own modules are built once; `RealRigTests` is serialized.
enum PackageBuild {
    static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    private static let folder = "\(checkout)/.build/examples"
    static let options = ["--quiet", "--disable-index-store", "-Xswiftc", "-gnone", "--scratch-path", folder]

    /// - Parameters:
    ///   - package: The package's folder.
    ///   - product: What to build; nil for all of it.
    static func build(_ package: String, product: String? = nil) async throws -> ProgramOutput {
        try await ProgramOutput(
            of: ["swift", "build", "--package-path", package] + options + (product.map { ["--product", $0] } ?? []),
            environment: RunnerProcess.environment, withErrors: true)
    }

    /// Copies the program `hil` of the package that was built last.
    static func copyProgram(to path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(folder)/debug/hil", toPath: path)
    }
}
