import Foundation
import TestSupport
import Testing

@testable import HILCommand

@Suite("Building before a run")
struct RebuildTests {
    @Test("The builder and a package's build leave out the same variables, so that neither plans the other's work anew")
    func environment() throws {
        let builder = try String(contentsOfFile: fixture("Setup/build"), encoding: .utf8)
        let line = try #require(builder.split(separator: "\n").first { $0.hasPrefix("unset ") })
        #expect(line.split(separator: " ").dropFirst().map(String.init) == Rebuild.irrelevant)
    }

    @Test("A variable of the shell that has changed does not reach the compiler")
    func shell() throws {
        let folder = NSTemporaryDirectory() + "hil-rebuild-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: "\(folder)/.build/debug", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(folder)/Package.swift"))
        try Data().write(to: URL(fileURLWithPath: "\(folder)/.build/debug/hil"))
        let program = try #require(BuiltProgram(path: "\(folder)/.build/debug/hil"))
        let command = Rebuild(program: program, note: { _ in }).command(.program)
        #expect(command.prefix(3) == ["env", "-u", "_"])
        #expect(command.suffix(2) == ["--product", "hil"])
        #expect(command.contains("MAKELEVEL"))
    }
}
