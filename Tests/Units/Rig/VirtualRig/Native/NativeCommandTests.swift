import BoardProtocol
import Foundation
import HILPOSIX
import TestSupport
import Testing

@testable import VirtualRig

@Suite("A native board's command line")
struct NativeCommandTests {
    private static func command(
        _ isolation: NativeCommand.Isolation, role: BoardRole = .host, payload: String? = nil, core: Int? = nil,
        isProbe: Bool = false
    ) -> [String] {
        NativeCommand(
            role: role,
            boards: NativeBoards(
                kernel: NativeKernel(folder: "/cache/native-1"), isolation: isolation, memoryFolder: "/memory"),
            image: BoardImage(folder: "/cache/image-1"), agentDisk: "/cache/agent.erofs", payloadDisk: payload,
            folder: "/rig/host/linux", core: core, isProbe: isProbe
        ).arguments
    }

    /// The pairs of words after an option.
    private static func pairs(after option: String, in words: [String]) -> [[String]] {
        words.indices.filter { words[$0] == option }.map { Array(words[$0 + 1...$0 + 2]) }
    }

    @Test(
        "In a sandbox a board has the C library and its own files, and writes only to its memory, its socket and its disk"
    )
    func sandbox() {
        let words = Self.command(.sandbox)
        #expect(words.contains("--unshare-all"))
        #expect(words.contains("--die-with-parent"))
        #expect(words.firstIndex(of: "--seccomp").map { words[$0 + 1] } == "3")
        #expect(words.contains("--data=67108864") && words.contains("--cpu=3600"))
        #expect(
            Self.pairs(after: "--ro-bind", in: words) == [
                ["/cache/native-1/linux", "/board/linux"], ["/cache/native-1/initramfs", "/board/initramfs"],
                ["/cache/image-1/root.erofs", "/board/root"], ["/cache/agent.erofs", "/board/agent"],
            ])
        #expect(Self.pairs(after: "--ro-bind-try", in: words).map { $0[0] } == ["/usr/lib", "/usr/lib64"])
        #expect(Self.pairs(after: "--bind", in: words) == [["/rig/host/linux", "/rig"]])
        #expect(words.contains("virtio_uml.device=/rig/serial.sock:3"))
        #expect(words.contains("ubd0rcd=/board/root"))
        #expect(!words[words.lastIndex(of: "/board/linux")!...].contains { $0.contains("/cache") })
    }

    @Test("A disk with a program's files is the board's fourth, and all that it sees of them")
    func payload() {
        let inside = Self.command(.sandbox, payload: "/cache/payload-1.erofs")
        #expect(Self.pairs(after: "--ro-bind", in: inside).last == ["/cache/payload-1.erofs", "/board/payload"])
        #expect(inside.contains("ubd3rcd=/board/payload"))
        #expect(Self.command(.user, payload: "/cache/payload-1.erofs").contains("ubd3rcd=/cache/payload-1.erofs"))
        #expect(!Self.command(.user).contains { $0.hasPrefix("ubd3") })
    }

    @Test("Without a sandbox a board gets no new rights, and its processes end together")
    func user() {
        let words = Self.command(.user)
        #expect(words.contains("--no-new-privs"))
        #expect(!words.contains("bwrap") && !words.contains("--seccomp"))
        #expect(words.contains("--data=67108864") && words.contains("--cpu=3600"))
        #expect(words.contains { $0.contains("kill -s KILL -- ") })
        #expect(words.contains("ubd0rcd=/cache/image-1/root.erofs"))
        #expect(words.contains("virtio_uml.device=/rig/host/linux/serial.sock:3"))
    }

    /// Starts a program as a board's Linux or sandbox, which prints the number of a process that it has started.
    private func start(_ script: String, input: Descriptor) throws -> (ChildProcess, started: pid_t) {
        let output = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            NativeCommand.endsTogether + ["sh", "-c", script],
            streams: [.descriptor(input), .descriptor(output.write), .null], ownGroup: true)
        output.write.close()
        let line = String(decoding: try output.read.read(), as: UTF8.self)
        return (child, try #require(pid_t(line.trimmingCharacters(in: .newlines))))
    }

    @Test(
        "What Linux starts in a session of its own ends with the rig's process, and with Linux",
        arguments: [true, false])
    func ends(byRig: Bool) async throws {
        // As Linux does: a new session, and a helper that goes on without its parent.
        let input = try Descriptor.pipe()
        let (child, helper) = try start("sleep 600 & echo $!; \(byRig ? "wait" : "exit 7")", input: input.read)
        if byRig { input.write.close() }
        #expect(await child.wait() == .exited(byRig ? 137 : 7))
        try await waitForEnd(of: [helper], within: .seconds(300))
        input.write.close()
    }

    @Test("What a sandbox has started and not yet tied to itself ends with the sandbox")
    func orphans() async throws {
        // As bubblewrap, killed between its first process and that one's wish to end with it.
        let input = try Descriptor.pipe()
        let (child, first) = try start(
            "sleep 600 & echo $!; [ $(ps -o sid= $$) -eq $$ ] && kill -9 $$", input: input.read)
        input.read.close()
        #expect(await child.wait() == .exited(137))
        input.write.close()
        try await waitForEnd(of: [first], within: .seconds(300))
    }

    @Test("The image is the first disk and the agent the second, read-only and shared; the third is the board's own")
    func disks() {
        func disks(_ words: [String]) -> [String] { words.filter { $0.hasPrefix("ubd") } }
        let shared = ["ubd0rcd=/board/root", "ubd1rcd=/board/agent"]
        #expect(disks(Self.command(.sandbox)) == shared + ["ubd2cd=/rig/disk"])
        #expect(Self.command(.user).contains("ubd2cd=/rig/host/linux/disk"))
        #expect(disks(Self.command(.sandbox, isProbe: true)) == shared, "a probe writes nothing")
    }

    @Test("A board runs on the core that it was given")
    func core() {
        #expect(Self.command(.sandbox, core: 3).starts(with: ["taskset", "--cpu-list", "3"]))
        #expect(!Self.command(.sandbox).contains("taskset"))
    }

    @Test("A probe has no ports, and says what it is", arguments: NativeCommand.Isolation.allCases)
    func probe(isolation: NativeCommand.Isolation) {
        let words = Self.command(isolation, isProbe: true)
        #expect(words.last == "hil.probe")
        #expect(!words.contains { $0.hasPrefix("virtio_uml") })
    }

    @Test("The board gets its role", arguments: BoardRole.allCases)
    func role(role: BoardRole) {
        #expect(Self.command(.user, role: role).contains("hil.role=\(role.rawValue)"))
    }

    @Test("Its memory is in the sandbox's own memory, or in the folder that was found for it")
    func memory() {
        func environment(_ isolation: NativeCommand.Isolation) -> [String] {
            NativeCommand(
                role: .host,
                boards: NativeBoards(
                    kernel: NativeKernel(folder: "/k"), isolation: isolation, memoryFolder: "/memory"),
                image: BoardImage(folder: "/i"), agentDisk: "/a", folder: "/r"
            ).environment
        }
        #expect(environment(.sandbox).contains("TMPDIR=/tmp"))
        #expect(environment(.user).contains("TMPDIR=/memory"))
    }
}

@Suite("The cores of native boards")
struct CoreSlotTests {
    @Test(
        "The kernel's list of cores is read",
        arguments: [
            ("0-1", [0, 1]), ("0", [0]), ("0-2,5,8-9", [0, 1, 2, 5, 8, 9]), ("", []), ("x", []), ("3-1", []),
            ("0-99999999", []),
        ])
    func list(text: String, cores: [Int]) { #expect(CoreSlot.cores(in: text) == cores) }

    @Test("Each core is taken once before one is taken twice, and a free place is taken again")
    func even() throws {
        try withTemporaryFolder { folder in
            var slots = (0..<4).map { _ in CoreSlot.take(in: folder, of: [2, 5]) }
            #expect(slots.map { $0?.core } == [2, 5, 2, 5])
            slots[1] = nil
            #expect(CoreSlot.take(in: folder, of: [2, 5])?.core == 5)
        }
    }

    @Test("With one core there is nothing to choose")
    func single() throws {
        try withTemporaryFolder { #expect(CoreSlot.take(in: $0, of: [0]) == nil) }
    }
}
