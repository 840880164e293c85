import Foundation
import RigModel

/// The folder of hil's own package, where its programs find what they read: recipes of board images, lists of packages.
///
/// In another package that depends on hil, this is the dependency's checkout.
public enum Checkout {
    /// What every checkout of hil has, and hardly any other folder.
    private static let mark = "Fixtures/BoardImage"

    /// The first of these that is a checkout: `$HIL_ROOT`, the program's folder or one above it, the folder that this source was
    /// compiled in, the current folder or one above it.
    ///
    /// - Parameters:
    ///   - program: The path of the program that asks.
    ///   - source: The path of a source of hil, four levels below its checkout.
    /// - Returns: An absolute path; nil if there is no checkout. `$HIL_ROOT` is taken as it is.
    public static func find(
        program: String = "/proc/self/exe", source: String = #filePath,
        current: String = FileManager.default.currentDirectoryPath,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        if let named = environment["HIL_ROOT"], !named.isEmpty {
            return URL(fileURLWithPath: named).standardizedFileURL.path
        }
        let program = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent().path
        let compiled = source.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
        return above(program) ?? (isCheckout(compiled) ? compiled : nil) ?? above(current)
    }

    /// The same, or an error that says what to do.
    public static func get() throws(RigFailure) -> String {
        guard let checkout = find(), isCheckout(checkout) else {
            throw RigFailure(
                "looking for hil's own files", "no folder with \(mark) was found",
                remedy: "name hil's checkout in the environment variable HIL_ROOT")
        }
        return checkout
    }

    private static func above(_ start: String) -> String? {
        var folder = URL(fileURLWithPath: start).standardizedFileURL
        while !isCheckout(folder.path) {
            if folder.path == "/" { return nil }
            folder.deleteLastPathComponent()
        }
        return folder.path
    }

    private static func isCheckout(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(mark)")
    }
}
