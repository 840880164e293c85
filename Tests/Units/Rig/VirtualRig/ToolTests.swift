import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Testing

@testable import VirtualRig

@Suite("Helper programs")
struct ToolTests {
    @Test("print English in any locale of the machine, and do not get Ctrl-C", .timeLimit(.minutes(1)))
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
            await #expect(throws: RigFailure.self) {
                try await Tool.run(
                    ["touch", "\(folder)/started"], package: "coreutils", for: "a test", within: .seconds(10),
                    log: "\(folder)/missing/log")
            }
            #expect(names(in: folder) == [])
        }
    }

    @Test("Building the image reports each step of mmdebstrap, and the number of steps")
    func imageSteps() async throws {
        try await withTemporaryFolder { folder in
            let lines = [
                "I: using /var/tmp/x as tempdir", "I: running apt-get update...", "I: downloading packages with apt...",
                "I: extracting archives...", "I: installing essential packages...",
                "I: installing remaining packages inside the chroot...", "W: downloading packages is slow",
                "I: running --customize-hook in shell: sh -c 'mkdir \"$1/hil-recipe\"' exec /x",
                "I: running --customize-hook in shell: sh -c 'sh \"$1\"/hil-recipe/x/finish' exec /x",
            ]
            try write(lines.joined(separator: "\n") + "\nno newline", to: "\(folder)/said")
            let seen = EventLog<String>()
            _ = try await Tool.run(
                ["cat", "\(folder)/said"], package: "coreutils", for: "testing", within: .seconds(30)
            ) { seen.append($0) }
            #expect(seen.events == lines)
            let steps = seen.events.compactMap(BoardImage.step)
            #expect(steps.map { String($0.prefix(6)) } == (1...6).map { "\($0) of 6" })
            #expect(steps.last == "6 of 6, packing kernel and root file system")
        }
    }

    @Test("A trial of an accelerator reports its result, and the doctor can repeat it")
    func trial() async throws {
        try await withTemporaryFolder { folder in
            let image = BoardImage(folder: "/nowhere")
            func trial(_ lines: String) async throws -> AccelerationProbe.Trial {
                try write("#!/bin/sh\n\(lines)\n", to: "\(folder)/qemu")
                try #require(chmod("\(folder)/qemu", 0o700) == 0)
                return try await AccelerationProbe.boots(image, with: .kvm, qemu: "\(folder)/qemu")
            }
            let up = try await trial("echo '\(AccelerationProbe.sign)'")
            #expect(up.isUp)
            #expect(up.seen.hasPrefix("the boards' kernel was up after"))
            let down = try await trial("echo 'KVM: entry failed, hardware error 0x7' >&2; exit 1")
            #expect(!down.isUp)
            #expect(down.seen.hasPrefix("QEMU exited with 1 after"))
            #expect(down.seen.hasSuffix(": KVM: entry failed, hardware error 0x7"))
            let cache = Cache(folder: folder)
            #expect(AccelerationProbe.remembered(image: image, qemuVersion: "1", cache: cache) == nil)
        }
    }

    @Test("A cancelled trial of an accelerator does not count as a failed one", .timeLimit(.minutes(1)))
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
