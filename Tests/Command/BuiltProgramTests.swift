import Foundation
import Testing

@testable import HILCommand

@Suite struct BuiltProgramTests {
    /// Writes a file that was last changed at a time, in seconds since 1970.
    private func write(_ path: String, at time: Double) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time), .posixPermissions: 0o755], ofItemAtPath: path)
    }

    @Test(
        "The programs of boards, air and rig are old if anything changed that they are made of",
        arguments: [("Die", true), ("Board", true), ("System", true), ("Runner", false), ("Host", false)])
    func rigPrograms(floor: String, isOld: Bool) throws {
        let root = NSTemporaryDirectory() + "hil-built-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let source = "Sources/\(floor)/Part/File.swift"
        for file in ["Package.swift", "Fixtures/Setup/build"] { try write("\(root)/\(file)", at: 1000) }
        try write("\(root)/.build/release/.programs", at: 2000)
        try write("\(root)/\(source)", at: 3000)
        try write("\(root)/.build/debug/hil", at: 4000)
        for folder in ["Sources/\(floor)/Part", "Sources/\(floor)", "Sources"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: "\(root)/\(folder)")
        }
        let program = try #require(BuiltProgram(path: "\(root)/.build/debug/hil"))
        #expect(program.newerSource(than: .program) == nil)
        #expect(program.newerSource(than: .rig) == (isOld ? source : nil))
    }
}
