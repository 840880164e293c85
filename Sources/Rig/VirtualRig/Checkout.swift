import Foundation
import RigModel

/// Finds the folder of hil's own package. It contains files that hil's programs read: recipes of board images, lists of
/// packages.
///
/// For a package that depends on hil, this is the checkout of that dependency.
package enum Checkout {
    /// A folder that every checkout of hil has, and hardly any other folder.
    private static let mark = "Fixtures/BoardImage"

    /// This file when it was compiled. As a default argument, `#filePath` would be the file of the caller.
    static let source = #filePath

    /// The path of the checkout.
    ///
    /// If `$HIL_ROOT` is set, it is the result, without a check. Otherwise the result is the first checkout among
    /// these: the program's folder and those above it, the folder in which this source was compiled, the current folder
    /// and those above it.
    ///
    /// - Parameters:
    ///   - program: The path of the running program.
    ///   - source: The path of a source file of hil, four levels below its checkout.
    /// - Returns: An absolute path; nil if there is no checkout.
    package static func find(
        program: String = "/proc/self/exe", source: String = Checkout.source,
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

    /// The path of the checkout; an error if there is none.
    ///
    /// - Parameter found: The result of ``find(program:source:current:environment:)``.
    package static func get(_ found: String? = find()) throws(RigFailure) -> String {
        guard let found, isCheckout(found) else {
            throw RigFailure(
                "looking for hil's own files",
                found.map { "\($0) has no \(mark)" } ?? "no folder with \(mark) was found",
                remedy: "name hil's checkout in the environment variable HIL_ROOT")
        }
        return found
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
