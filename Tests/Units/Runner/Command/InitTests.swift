import Foundation
import TestSupport
import Testing

@testable import HILCommand

/// `hil init`, up to the files that it writes. ``OutsidePackageTests`` builds and runs them.
struct InitTests {
    /// An empty folder that is removed at the end.
    private final class Place {
        let folder = NSTemporaryDirectory() + "hil-init-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func text(_ path: String) throws -> String { try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8) }

        func write(_ text: String, to path: String) throws {
            try text.write(toFile: "\(folder)/\(path)", atomically: true, encoding: .utf8)
        }

        @discardableResult
        func initialize(_ words: String...) throws -> [String] { try initialize(words) }

        @discardableResult
        func initialize(_ words: [String]) throws -> [String] {
            guard case .initialize(let request) = try Arguments.parse(["init"] + words) else { return [] }
            var lines: [String] = []
            try InitCommand(request: request, checkout: checkout, current: folder) { lines += $0 }.run()
            return lines
        }
    }

    @Test("A new package has no placeholder left, in no file and in no path")
    func whole() throws {
        let place = try Place()
        let lines = try place.initialize("desk-lamp")
        #expect(lines.last?.hasPrefix("next: cd desk-lamp && make hil") == true)
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(place.folder)/desk-lamp")
        #expect(files.contains("Sources/DeskLampApp/DeskLampApp.swift") && files.contains(".github/workflows/hil.yml"))
        for file in files {
            #expect(!file.contains("__"))
            if let text = try? place.text("desk-lamp/\(file)") { #expect(!text.contains("__"), "\(file)") }
        }
        let manifest = try place.text("desk-lamp/Package.swift")
        #expect(manifest.contains(".package(name: \"hil\", path: \"\(checkout)\")"))
    }

    @Test("A package inside of another one, and one that other machines cannot build, are pointed out")
    func notes() throws {
        let place = try Place()
        func notes(_ words: String...) throws -> [String] {
            try place.initialize(words).filter { $0.hasPrefix("note ") }
        }
        #expect(try notes("alone").map { $0.contains("CI needs `hil init --url URL`") } == [true])
        #expect(try notes("shared", "--url", "https://git.example.com/hil.git") == [])
        try place.write("// swift-tools-version: 6.0\nlet package = Package(name: \"lamp\")\n", to: "Package.swift")
        #expect(
            try notes("inner", "--url", "https://git.example.com/hil.git").first?.contains("is a package itself")
                == true)
    }

    @Test("Two packages have services of their own")
    func ownService() throws {
        let place = try Place()
        try place.initialize("one")
        try place.initialize("two")
        let services = try ["one", "two"].map {
            try place.text("\($0)/App/Info.plist").firstMatch(of: /[0-9A-F-]{36}/)?.0
        }
        #expect(services[0] != nil && services[0] != services[1])
    }

    @Test("A package by URL names the repository, and where SwiftPM checks it out")
    func byURL() throws {
        let place = try Place()
        try place.initialize("lamp", "--url", "https://git.example.com/tools/hil-fork.git", "--branch", "stable")
        let manifest = try place.text("lamp/Package.swift")
        #expect(manifest.contains("url: \"https://git.example.com/tools/hil-fork.git\", branch: \"stable\""))
        #expect(manifest.contains("package: \"hil-fork\""))
        #expect(try place.text("lamp/Makefile").contains("HIL := .build/checkouts/hil-fork\n"))
    }

    @Test("A folder that is not empty is refused, and left as it is")
    func notEmpty() throws {
        let place = try Place()
        try FileManager.default.createDirectory(
            atPath: "\(place.folder)/lamp", withIntermediateDirectories: false)
        try place.write("mine", to: "lamp/notes")
        let error = #expect(throws: UsageError.self) { try place.initialize("lamp") }
        #expect(error?.description.contains("--here") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/lamp") == ["notes"])
    }

    @Test("--here keeps what is there, and adds its targets to Package.swift, once")
    func here() throws {
        let place = try Place()
        let old = "// swift-tools-version: 6.0\nlet package = Package(name: \"lamp\")\n"
        try place.write(old, to: "Package.swift")
        try place.write("mine\n", to: "Makefile")
        let lines = try place.initialize("--here", "lamp")
        #expect(lines.contains("kept   Makefile, which already exists"))
        #expect(try place.text("Makefile") == "mine\n")
        let manifest = try place.text("Package.swift")
        #expect(manifest.hasPrefix(old) && manifest.contains("name: \"LampApp\""))
        let error = #expect(throws: UsageError.self) { try place.initialize("--here", "lamp") }
        #expect(error?.description.contains("“LampApp”") == true)
        #expect(try place.text("Package.swift") == manifest)
    }

    @Test(
        "Names and places that Swift, make or a shell would misread are refused before anything is written",
        arguments: [
            ["x y"], ["../x"], ["-x"], ["9lives"], ["lamp-"], ["lämp"], ["dice"], ["a", "b"], [],
            ["lamp", "--url", "https://x/$(reboot)"], ["lamp", "--url", "a\"b"], ["lamp", "--branch", "main"],
            ["lamp", "--url", "https://x/y", "--branch", "a`b`"],
        ])
    func refused(_ words: [String]) throws {
        let place = try Place()
        #expect(throws: UsageError.self) {
            guard case .initialize(let request) = try Arguments.parse(["init"] + words) else { return }
            try InitCommand(request: request, checkout: checkout, current: place.folder) { _ in }.run()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder).isEmpty)
    }
}
