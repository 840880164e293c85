import Foundation
import RigModel
import VirtualRig

/// The package's folder, where fixtures and scenarios are.
enum Root {
    private static let sign = "Fixtures/BoardImage"

    /// `$HIL_ROOT`, else the nearest folder from the current one upwards that has the fixtures, else the same from this
    /// program's own folder; nil when there is none.
    static func find() -> String? {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["HIL_ROOT"], !named.isEmpty {
            return URL(fileURLWithPath: named).standardizedFileURL.path
        }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let starts = [FileManager.default.currentDirectoryPath, program.deletingLastPathComponent().path]
        return starts.lazy.compactMap(nearest).first
    }

    /// The same, or an error that says what to do.
    static func get() throws -> String {
        guard let root = find(), isRoot(root) else {
            throw RigFailure(
                "looking for the fixtures", "there is no \(sign) here or above",
                remedy: "run hil in its checkout, or name that in HIL_ROOT")
        }
        return root
    }

    private static func nearest(to start: String) -> String? {
        var folder = URL(fileURLWithPath: start).standardizedFileURL
        while !isRoot(folder.path) {
            if folder.path == "/" { return nil }
            folder.deleteLastPathComponent()
        }
        return folder.path
    }

    private static func isRoot(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/\(sign)")
    }
}
