import Foundation
import HILPOSIX
import HILTiming
import StubRig
import Testing

extension RealRigTests {
    /// `hil record` on the virtual rig.
    @Suite(.serialized)
    struct RecordTests {
        private func record(_ arguments: String..., input: Descriptor? = nil) throws -> LineProcess {
            try LineProcess(
                [RunnerProcess.path(of: "hil"), "record"] + arguments,
                environment: ProcessInfo.processInfo.environment.merging(["HIL_NO_BUILD": "1"]) { $1 }, input: input)
        }

        /// What was printed, once the program has ended well.
        private func text(of process: LineProcess) async throws -> String {
            let status = await process.process.wait()
            // The log ends with the program's output.
            _ = try? await process.lines.first(within: .seconds(10), waitingFor: "the end of the output") { _ in false }
            let text = process.lines.events.joined(separator: "\n")
            #expect(status == .exited(0), "\(text)")
            return text
        }

        @Test("A die is recorded before its scenario's app has done anything to it", arguments: RealRig.boards)
        func die(boards: String) async throws {
            let text = try await text(of: record("dieIsPairedAndRolls", "--boards", boards, "--as", "oldDie"))
            #expect(text.contains("static let oldDie = Peripheral.peripheral("))
            #expect(text.contains("\"D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47\""))
            #expect(text.contains(".needing(read: .authenticated, write: .authenticated)"))
            #expect(text.contains("pairing: .numericComparison)"))
        }

        @Test("The number that a lamp shows is typed at the terminal, or not")
        func passkey() async throws {
            for isTyped in [true, false] {
                let (read, write) = try Descriptor.pipe()
                let process = try record(
                    "wrongNumberLeavesNoAccessory", "--boards", RealRig.boards.last ?? "qemu", input: read)
                read.close()
                let shown = try await process.line(with: "the accessory shows passkey: ")
                try await process.line(with: "type the number that the accessory shows")
                let number = shown.filter(\.isNumber)
                try write.write(Array("\(isTyped ? number : "")\n".utf8))
                let text = try await text(of: process)
                write.close()
                #expect(text.contains("pairing: .showsPasskey)") == isTyped, "\(text)")
                // What only a paired phone may read is known if the number was typed.
                #expect(text.contains("value: [0x4C, 0x61, 0x6D, 0x70]") == isTyped, "\(text)")
            }
        }
    }
}
