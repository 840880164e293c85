import Foundation
import Testing

@testable import VirtualRig

@Suite("The agent's disk")
struct AgentDiskTests {
    /// A program of this machine that is linked dynamically.
    private static let program = "/bin/cat"

    @Test("A program gets another dynamic linker in the place of its own, and nothing else changes")
    func interpreter() throws {
        let original = try Data(contentsOf: URL(fileURLWithPath: Self.program))
        #expect(ProgramInterpreter.path(in: original)?.hasPrefix("/lib64/ld-linux") == true)
        let copy = try #require(ProgramInterpreter.replaced(in: original, by: "/opt/hil/lib/ld.so"))
        #expect(ProgramInterpreter.path(in: copy) == "/opt/hil/lib/ld.so")
        #expect(copy.count == original.count)
        #expect(zip(copy, original).count(where: !=) <= 28)
    }

    @Test("A longer path than the present one does not fit")
    func tooLong() throws {
        let original = try Data(contentsOf: URL(fileURLWithPath: Self.program))
        #expect(ProgramInterpreter.replaced(in: original, by: "/a/path/that/is/too/long/ld.so") == nil)
    }

    @Test("What is no program, or a broken one, has no interpreter")
    func hostile() throws {
        let original = try Data(contentsOf: URL(fileURLWithPath: Self.program))
        for length in [0, 4, 16, 63, 64, 200] { #expect(ProgramInterpreter.path(in: original.prefix(length)) == nil) }
        #expect(ProgramInterpreter.path(in: Data("#!/bin/sh\n".utf8)) == nil)
        // Every byte of the file's header and of its program headers, altered.
        for place in 0..<1024 {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var broken = original
                broken[place] = value
                _ = ProgramInterpreter.replaced(in: broken, by: "/x")
            }
        }
    }

    @Test("Libraries are read from what a dynamic linker lists; one that was not found is noticed")
    func libraries() {
        let list = """
            \tlinux-vdso.so.1 (0x00007f02)
            \tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f02970ce000)
            \t/lib64/ld-linux-x86-64.so.2 (0x00007f029840e000)
            """
        #expect(AgentDisk.libraries(listed: list) == ["libm.so.6": "/lib/x86_64-linux-gnu/libm.so.6"])
        #expect(AgentDisk.libraries(listed: "\tlibnl-3.so.200 => not found\n") == nil)
        #expect(AgentDisk.libraries(listed: "anything\n") == [:])
    }
}
