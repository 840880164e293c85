import Foundation
import HILExecution
import HILPOSIX
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// Runs hil on a virtual machine whose processor has virtualisation, emulated by QEMU's translator.
    @Suite(.enabled(if: ProcessInfo.processInfo.environment["HIL_KVM"] != nil))
    struct EmulatedKVMTests {

        /// The journey itself is not run: its boards would need minutes for what its steps give seconds.
        @Test("Where KVM runs the boards' kernel, the probe chooses it")
        func choice() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-kvm-\(UUID().uuidString)")
                .path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let machine = "\(checkout)/Fixtures/EmulatedKVM/machine"
            let settings = ["env", "HIL_PROBE_SECONDS=300", "timeout", "400"]
            let hil = [RunnerProcess.path(of: "hil"), "setup", "--no-build"]
            let run = try await ProgramOutput(of: [machine, folder] + settings + hil, withErrors: true)
            #expect(run.text.contains("KVM runs it"), "\(run.text)")
        }
    }
}
