import Foundation
import Testing

@testable import HILCommand

/// Finding the package whose scenarios the program runs.
final class ProjectTests {
    private let folder = NSTemporaryDirectory() + "hil-project-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Makes an empty file, and returns its path.
    @discardableResult
    private func make(_ file: String) throws -> String {
        let path = "\(folder)/\(file)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        return path
    }

    @Test("It is the package that SwiftPM built the program for, in whatever folder the program is started")
    func built() throws {
        try make("hil/Package.swift")
        try make("other/Package.swift")
        let program = try make("hil/.build/x86_64-unknown-linux-gnu/debug/hil")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/hil/.build/debug",
            withDestinationPath: "\(folder)/hil/.build/x86_64-unknown-linux-gnu/debug")
        #expect(Project.find(program: program, current: "\(folder)/other") == "\(folder)/hil")
        #expect(Project.find(program: "\(folder)/hil/.build/debug/hil", current: "/") == "\(folder)/hil")
    }

    @Test("In a package that depends on hil, it is that package and not the checkout of hil below it")
    func dependency() throws {
        try make("team/Package.swift")
        try make("team/.build/checkouts/hil/Package.swift")
        let program = try make("team/.build/debug/hil-team")
        #expect(
            Project.find(program: program, current: "\(folder)/team/.build/checkouts/hil") == "\(folder)/team")
        // A checkout that was built by itself is a package of its own.
        let own = try make("team/.build/checkouts/hil/.build/debug/hil")
        #expect(Project.find(program: own, current: "/") == "\(folder)/team/.build/checkouts/hil")
    }

    @Test("For a program that was moved, it is the package around the current folder")
    func moved() throws {
        try make("team/Package.swift")
        try make("team/Scenarios/Lamp/On.swift")
        let program = try make("bin/hil")
        #expect(Project.find(program: program, current: "\(folder)/team/Scenarios/Lamp") == "\(folder)/team")
        let copied = try make("gone/.build/debug/hil")
        #expect(Project.find(program: copied, current: "\(folder)/team") == "\(folder)/team")
    }

    @Test("Without a package, it is the current folder")
    func missing() throws {
        let program = try make("bin/hil")
        #expect(Project.find(program: program, current: "\(folder)/bin") == "\(folder)/bin")
    }
}
