import Foundation
import HILPOSIX

/// This program as SwiftPM built it, and the sources that it was built from.
struct BuiltProgram {
    /// What must be as new as its sources.
    enum Part {
        /// The program itself, with the scenarios in it.
        case program
        /// Also the programs of the boards, the air and the rig.
        case rig
    }

    /// The package's folder, absolute.
    let root: String
    /// The program's file.
    let path: String

    /// - Parameter path: `ROOT/.build/…/hil`.
    /// - Returns: nil for an installed program, which is elsewhere or whose package has no sources here.
    init?(path: String) {
        guard let build = path.range(of: "/.build/", options: .backwards) else { return nil }
        root = String(path[..<build.lowerBound])
        self.path = path
        guard BuiltProgram.modified("\(root)/Package.swift") != nil else { return nil }
    }

    /// The running program; nil if it is installed.
    static var running: BuiltProgram? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).flatMap(BuiltProgram.init)
    }

    /// `debug` or `release`.
    var configuration: String { folder.hasSuffix("/release") ? "release" : "debug" }

    private var folder: String { String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)) }

    /// The script that builds all parts; nil if the package has none.
    var builder: String? {
        let builder = "\(root)/Fixtures/Setup/build"
        return access(builder, X_OK) == 0 ? builder : nil
    }

    /// A source that is newer than its program, relative to the package's folder if it is in it; nil if there is none.
    ///
    /// This is fast: it checks the times of some hundred files, and reads only the build's own notes. The times of
    /// folders count too, because they change when a file is removed or added.
    func newerSource(than part: Part) -> String? {
        let names = ["Package.swift", "Sources", "Scenarios"]
        if let source = BuiltProgram.newest(names, in: root), source.time > time { return source.path }
        if let source = newerSourceElsewhere { return source }
        guard part == .rig, builder != nil else { return nil }
        // The same list as in Fixtures/Setup/build.
        let floors = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources")) ?? []
        let parts = ["Package.swift"] + floors.filter { !["Host", "Runner"].contains($0) }.map { "Sources/\($0)" }
        let built = BuiltProgram.modified("\(root)/.build/release/.programs") ?? timespec()
        return BuiltProgram.newest(parts, in: root).flatMap { $0.time > built ? $0.path : nil }
    }

    /// A source outside of the package's usual folders that is newer than the program: one that a plugin reads, or one
    /// of another package. Its folder counts too.
    private var newerSourceElsewhere: String? {
        let folders = Set(sourcesElsewhere.map { ($0 as NSString).deletingLastPathComponent })
        let built = time
        return (inputsElsewhere + folders.sorted()).first { path in
            // A removed file shows in its folder's time.
            BuiltProgram.modified(path).map { $0 > built } ?? false
        }
    }

    /// The files outside of the package's usual folders that its build reads.
    private var inputsElsewhere: [String] {
        let known = [".build", "Sources", "Scenarios", "Tests"].map { "\(root)/\($0)/" }
        let content = FileManager.default.contents(atPath: "\(root)/.build/\(configuration).yaml")
        return content.map { BuildManifest($0, without: known).inputs.sorted() } ?? []
    }

    /// The Swift sources among them.
    var sourcesElsewhere: [String] { inputsElsewhere.filter { $0.hasSuffix(".swift") } }

    /// Notes that the program has the sources of a moment, for a build that linked nothing because their content was
    /// unchanged.
    func note(builtFrom began: Date) {
        for (name, time) in [(".hil-began", began), (".hil-ended", Date())] {
            let path = "\(folder)/\(name)"
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        }
    }

    /// The time of the build: older sources are in the program.
    ///
    /// A build by `Fixtures/Setup/build` or by ``Rebuild`` has the sources from when it began, even if the program was
    /// not linked again. For any other build only the program's own time is known.
    private var time: timespec {
        let linked = BuiltProgram.modified(path) ?? timespec()
        guard let began = BuiltProgram.modified("\(folder)/.hil-began"),
            let ended = BuiltProgram.modified("\(folder)/.hil-ended"), !(linked > ended)
        else { return linked }
        return began
    }

    private static func modified(_ path: String) -> timespec? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim : nil
    }

    /// The newest of some files and folders with everything below them; nil if none exists.
    private static func newest(_ names: [String], in root: String) -> (path: String, time: timespec)? {
        var newest: (path: String, time: timespec)?
        var waiting = names
        while let name = waiting.popLast() {
            var status = stat()
            guard lstat("\(root)/\(name)", &status) == 0 else { continue }
            if newest.map({ status.st_mtim > $0.time }) ?? true { newest = (name, status.st_mtim) }
            guard status.st_mode & S_IFMT == S_IFDIR, let folder = opendir("\(root)/\(name)") else { continue }
            defer { closedir(folder) }
            while let entry = readdir(folder) {
                // Hidden files that editors leave among the sources do not count.
                guard entry.pointee.d_name.0 != UInt8(ascii: ".") else { continue }
                let part = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                waiting.append("\(name)/\(part)")
            }
        }
        return newest
    }
}

extension timespec {
    fileprivate static func > (left: timespec, right: timespec) -> Bool {
        (left.tv_sec, left.tv_nsec) > (right.tv_sec, right.tv_nsec)
    }
}
