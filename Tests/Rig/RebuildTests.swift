import Foundation
import HILPOSIX
import StubRig
import Testing

/// A command never uses scenarios that are no longer in the sources.
struct RebuildTests {
    /// A package whose program `hil` was built before its sources were last edited.
    private struct Package: ~Copyable {
        let root: String
        var program: String { "\(root)/.build/debug/hil" }

        init(builder: String) throws {
            let tests = URL(fileURLWithPath: RunnerProcess.path(of: "hil")).deletingLastPathComponent().path
            root = "\(tests)/rebuild-\(UUID().uuidString)"
            for folder in [".build/debug", "Scenarios", "Fixtures/Setup", "Sources"] {
                try FileManager.default.createDirectory(
                    atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
            }
            try write("Package.swift", "")
            try write("Fixtures/Setup/build", "#!/bin/sh\ncd \(root)\necho ran >>ran\n\(builder)\n")
            chmod("\(root)/Fixtures/Setup/build", 0o755)
            // A hard link is the same program for the kernel, and needs no copy.
            try valueOrErrno("link", "linking") { link(RunnerProcess.path(of: "hil"), "\(root)/.build/debug/hil") }
            try write("Scenarios/A.swift", "")
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: "\(root)/\(name)", atomically: false, encoding: .utf8)
        }

        /// The program's own time does not change, because its file is the real program.
        func setTimes(of names: [String], secondsAfterProgram seconds: TimeInterval) throws {
            let manager = FileManager.default
            let linked = try manager.attributesOfItem(atPath: program)[.modificationDate] as? Date ?? .distantPast
            for name in names {
                try manager.setAttributes(
                    [.modificationDate: linked.addingTimeInterval(seconds)], ofItemAtPath: "\(root)/\(name)")
            }
        }

        /// How often its build script ran.
        var builds: Int {
            (try? String(contentsOfFile: "\(root)/ran", encoding: .utf8))?.split(separator: "\n").count ?? 0
        }

        func hil(_ arguments: [String], _ more: [String] = []) async throws -> (code: Int32, text: String) {
            let pipe = try Descriptor.pipe()
            let own = ProcessInfo.processInfo.environment.filter { $0.key != "HIL_NO_BUILD" }
            let child = try ChildProcess.spawn(
                [program] + arguments, environment: own.map { "\($0.key)=\($0.value)" } + more,
                streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)])
            pipe.write.close()
            var output: [UInt8] = []
            while let bytes = try? pipe.read.read(), !bytes.isEmpty { output += bytes }
            guard case .exited(let code) = await child.wait() else { return (-1, "") }
            return (code, String(decoding: output, as: UTF8.self))
        }
    }

    /// A build that succeeds: a new program, and the marker files of Fixtures/Setup/build.
    private static let works = """
        touch .build/debug/.hil-began
        printf '#!/bin/sh\\necho the new program "$@" "$HIL_NO_BUILD"\\n' >new && chmod +x new
        mv new .build/debug/hil
        touch .build/debug/.hil-ended
        """

    @Test("After a scenario is edited, the program is built, and the new one runs the command")
    func edited() async throws {
        let package = try Package(builder: RebuildTests.works)
        let (code, text) = try await package.hil(["list", "wifi"])
        #expect(code == 0)
        #expect(text.contains("Scenarios"), "what is newer is told")
        #expect(text.hasSuffix("the new program list wifi 1\n"))
        #expect(package.builds == 1)
    }

    @Test(
        "A build that fails ends the command with 2 and the compiler's words",
        arguments: [["list"], ["run"], ["rules"]])
    func broken(_ arguments: [String]) async throws {
        let package = try Package(builder: "echo 'A.swift:1: error: cannot find it' >&2\nexit 1")
        let (code, text) = try await package.hil(arguments)
        #expect(code == 2)
        #expect(text.contains("A.swift:1: error: cannot find it"))
        #expect(text.contains("--no-build"))
        #expect(!text.contains("newDieIsOnboarded"))
    }

    @Test("--no-build runs the old program with a message, the environment variable without one")
    func insisting() async throws {
        let package = try Package(builder: "exit 1")
        let (code, text) = try await package.hil(["list", "--no-build"])
        #expect(code == 0)
        #expect(text.contains("newDieIsOnboarded"))
        #expect(text.contains("is newer than"))
        #expect(try await !package.hil(["list"], ["HIL_NO_BUILD=1"]).text.contains("is newer than"))
        #expect(package.builds == 0)
    }

    @Test("A program that is newer than all sources builds nothing: after a build, and if it was linked later")
    func fresh() async throws {
        let package = try Package(builder: "exit 1")
        // A build that had nothing to link.
        for mark in [".hil-began", ".hil-ended"] { try package.write(".build/debug/\(mark)", "") }
        #expect(try await package.hil(["list"]).code == 0)
        // Edited during a build, which may have read it or not.
        try package.write("Scenarios/A.swift", "// edited")
        try package.write(".build/debug/.hil-ended", "")
        #expect(try await package.hil(["list"]).code == 2)
        #expect(package.builds == 1)
        // Linked later by a separate swift build.
        try package.setTimes(
            of: ["Package.swift", "Sources", "Scenarios", "Scenarios/A.swift"], secondsAfterProgram: -5)
        try package.setTimes(of: [".build/debug/.hil-began", ".build/debug/.hil-ended"], secondsAfterProgram: -9)
        #expect(try await package.hil(["list"]).code == 0)
        // A removed file changes the time of its folder.
        unlink("\(package.root)/Scenarios/A.swift")
        #expect(try await package.hil(["list"]).code == 2)
        #expect(package.builds == 2)
    }

    @Test("A program without its sources is an installed one, and builds nothing")
    func installed() async throws {
        let package = try Package(builder: "exit 1")
        unlink("\(package.root)/Package.swift")
        #expect(try await package.hil(["list"]).code == 0)
        #expect(package.builds == 0)
    }
}
