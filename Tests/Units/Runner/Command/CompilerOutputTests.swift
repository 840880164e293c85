import Foundation
import StubRig
import TestSupport
import Testing

@testable import HILCommand

@Suite("What a build says")
struct CompilerOutputTests {
    private func shown(_ text: String) -> [String] {
        var output = CompilerOutput()
        return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { output.take(String($0)) }
    }

    private static let error = """
        /app/Lamp.swift:3:9: error: cannot find 'lihgt' in scope
         1 | struct Lamp {
         3 |     lihgt()
           |     `- error: cannot find 'lihgt' in scope
         4 | }
        """

    private static let text = """
        Building for debugging...
        [1/9] Emitting module LampApp
        \(error)
        error: emit-module command failed with exit code 1 (use -v to see invocation)
        [2/9] Compiling LampApp Lamp.swift
        \(error)
        /app/Other.swift:1:1: warning: unused
         1 | let x
        setup: building hil
        """

    private static let wanted =
        ["Building for debugging..."] + error.split(separator: "\n").map(String.init) + [
            "/app/Other.swift:1:1: warning: unused", " 1 | let x", "setup: building hil",
        ]

    @Test("Each error is shown once with its source, and no progress is")
    func once() { #expect(shown(Self.text) == Self.wanted) }

    @Test("The script for a package's first build, when there is no hil yet, shows the same")
    func script() async throws {
        let file = NSTemporaryDirectory() + "hil-compiler-output-\(UUID().uuidString)"
        try Self.text.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let output = try await ProgramOutput(
            of: ["\(checkout)/Fixtures/Setup/compiler-output", file])
        #expect(output.status.isSuccess)
        #expect(output.text.split(separator: "\n").map(String.init) == Self.wanted)
    }
}
