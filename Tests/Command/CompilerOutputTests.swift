import Testing

@testable import HILCommand

@Suite("What a build says")
struct CompilerOutputTests {
    private func shown(_ text: String) -> [String] {
        var output = CompilerOutput()
        return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { output.take(String($0)) }
    }

    @Test("Each error is shown once with its source, and no progress is")
    func once() {
        let error = """
            /app/Lamp.swift:3:9: error: cannot find 'lihgt' in scope
             1 | struct Lamp {
             3 |     lihgt()
               |     `- error: cannot find 'lihgt' in scope
             4 | }
            """
        let text = """
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
        let wanted =
            ["Building for debugging..."] + error.split(separator: "\n").map(String.init) + [
                "/app/Other.swift:1:1: warning: unused", " 1 | let x", "setup: building hil",
            ]
        #expect(shown(text) == wanted)
    }
}
