import Foundation
import HILPOSIX
import RigModel

/// The second disk of a board, with `hil-board` and the C libraries that it was built with.
///
/// It is separate from the image, so that a changed agent needs no new image. It includes its libraries, because it
/// runs on systems with older ones or none.
package struct AgentDisk: Sendable {
    /// The mount point on a board. Programs look for their libraries in its folder `lib`: see Fixtures/Setup/build.
    private static let mountPoint = "/opt/hil"
    private static let linker = "ld.so"

    /// Returns a disk with this program, and makes it if it is not in the cache.
    ///
    /// - Parameter program: The path of `hil-board`, linked with the static Swift runtime.
    /// - Returns: The disk's path.
    package static func prepare(
        program: String, cache: Cache, progress: @escaping @Sendable (String) -> Void
    ) async throws(RigFailure) -> String {
        let action = "packing the boards' agent"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw RigFailure(action, "\(program) does not exist", remedy: "run `make setup`, which builds it")
        }
        let libraries = try await libraries(of: program, for: action)
        var fingerprint = Fingerprint()
        fingerprint.add(try await cache.digest(of: program, for: action))
        for path in libraries.values.sorted() { fingerprint.add(stamp(of: path)) }
        return try await cache.keep("agent-\(fingerprint.name).erofs", action: action, megabytes: DiskNeed.agent) {
            partial in
            progress("packing the boards' agent")
            let folder = "\(partial).tree.partial"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try? FileManager.default.removeItem(atPath: folder)
            try fill(folder, program, libraries)
            let outcome = try await Tool.run(
                ["mkfs.erofs", "--quiet", "-x-1", "--all-root", "-T0", partial, folder], package: "erofs-utils",
                for: action, within: .seconds(120))
            guard outcome.status.isSuccess else {
                throw RigFailure(action, "mkfs.erofs \(outcome.status): \(outcome.tail())")
            }
        }
    }

    /// Fills a folder with the content of `/opt/hil` on a board of a bench: the program, its libraries and bluetoothd's
    /// configuration for each role.
    ///
    /// - Parameters:
    ///   - folder: It must not exist.
    ///   - configuration: The folder of bluetoothd's configuration files.
    package static func fill(_ folder: String, programs: RigPrograms, configuration: String) async throws {
        let action = "packing the boards' agent"
        guard FileManager.default.isExecutableFile(atPath: programs.board) else {
            throw RigFailure(action, "\(programs.board) does not exist", remedy: "run `make setup`, which builds it")
        }
        try fill(folder, programs.board, try await libraries(of: programs.board, for: action))
        try FileManager.default.copyItem(atPath: configuration, toPath: "\(folder)/bluetooth")
    }

    private static func fill(_ folder: String, _ program: String, _ libraries: [String: String]) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/lib", withIntermediateDirectories: true)
        for (name, path) in libraries {
            // A copy of a symbolic link would be a link, whose target does not exist on a board.
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            try FileManager.default.copyItem(atPath: file, toPath: "\(folder)/lib/\(name)")
        }
        let original = try Data(contentsOf: URL(fileURLWithPath: program))
        // A statically linked program, as in a test, stays unchanged.
        let bytes = ProgramInterpreter.replaced(in: original, by: "\(mountPoint)/lib/\(linker)") ?? original
        try replaceFile("\(folder)/hil-board", with: bytes, mode: 0o755)
    }

    /// The libraries with which a program starts on this machine: paths by the requested names, with its dynamic linker
    /// as ``linker``.
    private static func libraries(of program: String, for action: String) async throws(RigFailure) -> [String: String] {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: program), options: .alwaysMapped),
            let own = ProgramInterpreter.path(in: bytes)
        else { return [:] }
        let outcome = try await Tool.run([own, "--list", program], package: "libc6", for: action, within: .seconds(30))
        let libraries = libraries(listed: outcome.output)
        guard outcome.status.isSuccess, let libraries else {
            throw RigFailure(
                action, "\(own) --list \(program) \(outcome.status): \(outcome.tail())",
                remedy: "run `make setup`, which installs the libraries and builds \(program)")
        }
        return libraries.merging([linker: own]) { $1 }
    }

    /// A text that changes when a system package installs another version of a file. It is needed at each run, so the
    /// file is not read.
    private static func stamp(of path: String) -> String {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        let date = attributes?[.modificationDate] as? Date
        return "\(file) \(attributes?[.size] ?? 0) \(date?.timeIntervalSince1970 ?? 0)"
    }

    /// Reads the list of a dynamic linker, one library per line: `libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x…)`.
    ///
    /// - Returns: Paths by name; nil if a library was not found.
    static func libraries(listed text: String) -> [String: String]? {
        var libraries: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let match = line.wholeMatch(of: /\s*([^\s\/]+) => (.+?)(?: \(0x[0-9a-f]+\))?/) else { continue }
            guard match.2.hasPrefix("/") else { return nil }
            libraries[String(match.1)] = String(match.2)
        }
        return libraries
    }
}
