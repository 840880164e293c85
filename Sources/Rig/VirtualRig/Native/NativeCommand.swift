import BoardProtocol
import Glibc
import HILPOSIX
import RigModel

/// The command line of one native board: Linux as a process of this machine (User Mode Linux), started by programs that
/// isolate it.
struct NativeCommand: Sendable, Equatable {
    /// Memory of a board, in MiB: as much as an emulated one has.
    static let memorySize = 192
    /// The number that virtio has for serial ports (VIRTIO 1.2, section 5).
    private static let serialDevice = 3

    /// How much of this machine a board's process sees.
    enum Isolation: String, Sendable, Codable, CaseIterable {
        /// Its own users, processes, network and files, through bubblewrap. Of the machine's files, it sees only the C
        /// library and the board's disks, read-only. It may make only the calls of ``SystemCallFilter``.
        case sandbox
        /// All rights of this user, without privilege escalation.
        case user
    }

    var role: BoardRole
    var boards: NativeBoards
    var image: BoardImage
    /// The path of the disk with `hil-board`.
    var agentDisk: String
    /// The disk with the files of an accessory's program; nil for none.
    var payloadDisk: String?
    /// The folder with the socket `serial.sock` of ``SerialServer``, the board's own disk and the process's own files.
    var folder: String
    /// The core of the board; nil for any. Its processes and their kernel take turns. On one core, a switch between
    /// them costs a seventh of a switch between two cores.
    var core: Int?
    /// True to check whether this kernel runs: it reports that, and ends.
    var isProbe = false

    /// The descriptor of the ``SystemCallFilter`` in the sandbox: the first after standard error.
    private static let filterNumber = 3

    /// Starts the board. All its processes end when the other end of `input` is closed, at the latest when this process
    /// ends.
    func spawn(input: Descriptor, output: Descriptor, errors: Descriptor) throws -> ChildProcess {
        var streams = [input, output, errors].map { ChildProcess.Stream.descriptor($0) }
        if boards.isolation == .sandbox { streams.append(.descriptor(try SystemCallFilter.pipe())) }
        return try ChildProcess.spawn(arguments, environment: environment, streams: streams, ownGroup: true)
    }

    /// The name of the socket in ``folder``.
    static let socket = "serial.sock"

    /// The program and its arguments.
    var arguments: [String] {
        let pinned = core.map { ["taskset", "--cpu-list", "\($0)"] } ?? []
        // Without random addresses: otherwise the gap between program and heap counts as the board's memory.
        return pinned + ["setarch", "--addr-no-randomize"] + isolated + words
    }

    /// The environment: the file of the board's memory, and the owner of these processes.
    var environment: [String] {
        let temporary = boards.isolation == .sandbox ? "/tmp" : boards.memoryFolder
        return ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR=\(temporary)", RigFolder.mark(folder)]
    }

    /// The files of a board as its process sees them.
    private var files: (kernel: String, initramfs: String, root: String, agent: String, folder: String) {
        switch boards.isolation {
        case .sandbox: ("/board/linux", "/board/initramfs", "/board/root", "/board/agent", "/rig")
        case .user: (boards.kernel.linux, boards.kernel.initramfs, image.root, agentDisk, folder)
        }
    }

    /// The limits of each process of a board: 64 MiB of memory beside the board's, and an hour of processor time, after
    /// which the kernel ends it. An idle board takes a month for that.
    private static let limits = [
        "prlimit", "--core=0", "--nofile=\(files)", "--data=\(64 << 20)", "--cpu=3600", "--",
    ]

    /// How many files each may have open, within the limit of this process.
    private static let files: UInt64 = {
        var own = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &own) == 0 ? min(256, UInt64(own.rlim_max)) : 256
    }()

    private var isolated: [String] {
        let limits = NativeCommand.limits
        switch boards.isolation {
        case .user: return NativeCommand.endsTogether + ["setpriv", "--no-new-privs", "--"] + limits
        case .sandbox:
            let library = ["/usr/lib", "/usr/lib64"].flatMap { ["--ro-bind-try", $0, $0] }
            let links = ["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"]
            let disks =
                [
                    (boards.kernel.linux, files.kernel), (boards.kernel.initramfs, files.initramfs),
                    (image.root, files.root), (agentDisk, files.agent),
                ].flatMap { ["--ro-bind", $0, $1] } + (payloadDisk.map { ["--ro-bind", $0, "/board/payload"] } ?? [])
            // The memory's file, and a little more.
            let memory = ["--size", "\((NativeCommand.memorySize + 16) << 20)", "--tmpfs", "/tmp"]
            // Without --new-session: the sandbox stays in the process group that `endsTogether` has made.
            return NativeCommand.endsTogether + limits
                + ["bwrap", "--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
                + ["--seccomp", "\(NativeCommand.filterNumber)"]
                + library + links + disks + memory + ["--bind", folder, files.folder, "--chdir", "/", "--"]
        }
    }

    /// Ends all processes of the board when standard input ends, at the latest with this process, or when Linux ends.
    ///
    /// No other method reaches them all if this process ends very early. Bubblewrap's first process in the sandbox
    /// requests a signal at its parent's end only when it already runs, and survives if the parent ended before.
    /// Without a sandbox, Linux starts helpers that outlive it. But all processes outside the sandbox stay in one
    /// process group, in a separate session.
    static let endsTogether = [
        "sh", "-c",
        """
        exec 4<&0
        setsid "$@" </dev/null 4<&- &
        board=$!
        exec 3<&-
        end() { kill -s KILL -- "-$board" "$board" "-$board"; }
        (read -r _; end) <&4 2>/dev/null &
        reader=$!
        wait "$board"
        code=$?
        kill -s KILL "$reader"
        end 2>/dev/null
        exit $code
        """, "sh",
    ]

    private var payload: [String] {
        guard let payloadDisk else { return [] }
        return ["ubd3rcd=\(boards.isolation == .sandbox ? "/board/payload" : payloadDisk)"]
    }

    /// Linux and the words of its command line.
    private var words: [String] {
        let ports =
            isProbe
            ? []
            : [
                "ubd2cd=\(files.folder)/\(DiskFile.name)",
                "virtio_uml.device=\(files.folder)/\(NativeCommand.socket):\(Self.serialDevice)",
            ]
        return [
            files.kernel, "mem=\(NativeCommand.memorySize)M", "initrd=\(files.initramfs)", "ubd0rcd=\(files.root)",
            "ubd1rcd=\(files.agent)", "con0=null,fd:1", "con=null", "uml_dir=\(files.folder)",
            // Any plausible number: measuring it takes a tenth of a second.
            "lpj=20000000",
            // Where this machine allows it, programs pass their calls on themselves. Otherwise Linux traces them, which
            // takes 1.5 times as long.
            "seccomp=auto", "quiet", "panic=-1", "rcupdate.rcu_expedited=1", "mac80211_hwsim.radios=\(boards.radios)",
            "hil.role=\(role.rawValue)",
        ] + payload + ports + (isProbe ? ["hil.probe"] : [])
    }
}

/// The base of native boards.
package struct NativeBoards: Sendable, Codable, Equatable, CustomStringConvertible {
    /// The kernel.
    var kernel: NativeKernel
    /// How the boards' processes are isolated on this machine.
    var isolation: NativeCommand.Isolation
    /// The folder for the files of the boards' memory, if the boards see the machine's files. It must allow running
    /// programs.
    var memoryFolder = "/dev/shm"
    /// How many Wi-Fi radios, which only hear each other, a board's kernel makes in addition to the one of the air.
    package var radios = 0

    package var description: String { isolation == .sandbox ? "native, in a sandbox" : "native, without a sandbox" }
}
