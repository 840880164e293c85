import Foundation
import POSIX
import Testing

@testable import VirtualRig

@Suite("Helper programs")
struct ToolTests {
    @Test("speak English, whatever the machine speaks, and are out of reach of a Ctrl-C", .timeLimit(.minutes(1)))
    func surroundings() async throws {
        // The fifth field is the process group (proc_pid_stat(5)).
        let script =
            "read -r pid name state parent group rest </proc/$$/stat; echo $LC_ALL; [ $group = $$ ] && echo own"
        let outcome = try await Tool.run(["sh", "-c", script], package: "dash", for: "a test", within: .seconds(10))
        #expect(outcome.output == "C.UTF-8\nown\n")
    }

    @Test("are not started when their log cannot be written", .timeLimit(.minutes(1)))
    func log() async throws {
        try await withTemporaryFolder { folder in
            await #expect(throws: VirtualRigError.self) {
                try await Tool.run(
                    ["touch", "\(folder)/started"], package: "coreutils", for: "a test", within: .seconds(10),
                    log: "\(folder)/missing/log")
            }
            #expect(names(in: folder) == [])
        }
    }

    @Test("An accelerator whose trial was broken off is not taken for one that does not work", .timeLimit(.minutes(1)))
    func brokenOffTrial() async throws {
        try await withTemporaryFolder { folder in
            let (fifo, program) = ("\(folder)/started", "\(folder)/qemu")
            try #require(mkfifo(fifo, 0o600) == 0)
            try write("#!/bin/sh\necho >\(fifo)\nexec sleep 100\n", to: program)
            try #require(chmod(program, 0o700) == 0)
            let started = try Descriptor.open(fifo, O_RDWR | O_NONBLOCK)
            let trial = Task {
                try await AccelerationProbe.boots(BoardImage(folder: "/nowhere"), with: .kvm, qemu: program)
            }
            // Until QEMU's stand-in runs.
            try await waitUntilReady(started)
            trial.cancel()
            await #expect(throws: CancellationError.self) { try await trial.value }
        }
    }
}
