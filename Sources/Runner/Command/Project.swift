import Foundation

/// Finds the package whose scenarios this program runs. Results go there, and reports name files relative to it.
enum Project {
    /// The folder of the package that SwiftPM built this program for.
    ///
    /// If the program is somewhere else, it is the package around the current folder. Without one, it is the current
    /// folder.
    ///
    /// - Parameter program: The path of this program: `PACKAGE/.build/debug/hil`.
    static func find(
        program: String = "/proc/self/exe", current: String = FileManager.default.currentDirectoryPath
    ) -> String {
        let program = URL(fileURLWithPath: program).resolvingSymlinksInPath().path
        if let build = program.range(of: "/.build/", options: .backwards) {
            let package = String(program[..<build.lowerBound])
            if isPackage(package) { return package }
        }
        var folder = URL(fileURLWithPath: current).standardizedFileURL
        while !isPackage(folder.path) {
            if folder.path == "/" { return current }
            folder.deleteLastPathComponent()
        }
        return folder.path
    }

    private static func isPackage(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/Package.swift")
    }
}
