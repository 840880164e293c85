import Foundation
import HILPOSIX
import Testing

@testable import HILCommand

@Suite struct KernelCommandTests {
    @Test("What is built beside a run is idle to the kernel, and so is its session")
    func idly() throws {
        let pipe = try Descriptor.pipe()
        let script = "chrt --pid $$; cat /proc/self/autogroup"
        let child = try ChildProcess.spawn(
            KernelCommand.idly(["sh", "-c", script]), environment: ["PATH=/usr/bin:/bin"],
            streams: [.null, .descriptor(pipe.write), .null], ownGroup: true)
        pipe.write.close()
        var output: [UInt8] = []
        while let bytes = try? pipe.read.read(), !bytes.isEmpty { output += bytes }
        withExtendedLifetime(child) {}
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("SCHED_IDLE"))
        // Not every kernel has groups of sessions.
        if FileManager.default.fileExists(atPath: "/proc/self/autogroup") {
            #expect(text.contains("/autogroup-") && text.contains(" nice 19"), "\(text)")
        }
    }
}
