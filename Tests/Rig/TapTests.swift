import Foundation
import HILPOSIX
import StubRig
import Testing

extension RealRigTests {
    /// `hil tap` on a running rig.
    @Suite(.serialized)
    struct TapTests {
        /// Starts `hil tap`. Returns the process, and the read end of the pipe with its output.
        private func tap(_ filter: String) throws -> (process: ChildProcess, output: Descriptor) {
            let pipe = try Descriptor.pipe()
            let process = try ChildProcess.spawn(
                [RunnerProcess.path(of: "hil"), "tap", filter],
                streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)])
            pipe.write.close()
            return (process, pipe.read)
        }

        private func text(_ output: Descriptor) -> String {
            var bytes: [UInt8] = []
            while let more = try? output.read(), !more.isEmpty { bytes += more }
            return String(decoding: bytes, as: UTF8.self)
        }

        @Test("A tap shows the pairing of a run at the same time")
        func pairing() async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RealRig.run(["dieIsPairedAndRolls"], out: results)
            let good = try tap("btsmp")
            let (status, _) = await runner.end()
            #expect(status == .exited(0))
            good.process.signal(SIGTERM)
            let lines = text(good.output).split(separator: "\n")
            #expect(lines.contains { $0.contains("host → controller       SMP       Pairing Public Key") }, "\(lines)")
            #expect(lines.contains { $0.contains("accessory ← controller  SMP       Pairing Public Key") }, "\(lines)")
        }
    }
}
