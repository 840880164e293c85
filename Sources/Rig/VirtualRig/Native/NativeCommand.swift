import BoardProtocol
import Glibc
import HILPOSIX
import RigModel

/// The command line of one native board: Linux as a process of this machine (User Mode Linux), started by programs that
/// shut it in.
struct NativeCommand: Sendable, Equatable {
    /// Memory of a board, in MiB: as much as an emulated one has.
    static let memorySize = 192
    /// The number that virtio has for serial ports (VIRTIO 1.2, section 5).
    private static let serialDevice = 3

    /// How much of this machine a board's process sees.
    enum Isolation: String, Sendable, Codable, CaseIterable {
        /// Its own users, processes, network and files, through bubblewrap: of the machine's files it has only the C
        /// library and the board's disks, read-only. It may make only the calls of ``SystemCallFilter``.
        case sandbox
        /// Everything that this user may do, except to get more rights.
        case user
    }

    var role: BoardRole
    var boards: NativeBoards
    var image: BoardImage
    /// The path of the disk with `hil-board`.
    var agentDisk: String
    /// The disk with the files of an accessory's program; nil for none.
    var payloadDisk: String?
    /// The folder with the socket `serial.sock` of ``SerialServer``, the board's own disk, and for the process's own files.
    var folder: String
    /// The core that the board runs on; nil for any. Its processes and their kernel take turns: on one core a hand-over
    /// costs a seventh of what it costs between two.
    var core: Int?
    /// True to see whether this kernel runs: it says so, and ends.
    var isProbe = false

    /// The number under which the sandbox finds the ``SystemCallFilter``: the first after standard error.
    private static let filterNumber = 3

    /// Starts the board. All its processes end when the other end of `input` is closed, as it is when this process ends.
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
        // Without random addresses, or the gap between program and heap counts as the board's memory.
        return pinned + ["setarch", "--addr-no-randomize"] + isolated + words
    }

    /// The environment: where the board's memory is, as a file, and whose processes these are.
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

    /// What each process of a board may use at most: memory of its own beside the board's, 64 MiB; and an hour of a
    /// processor, after which the kernel ends it. An idle board takes a month for that.
    private static let limits = [
        "prlimit", "--core=0", "--nofile=\(files)", "--data=\(64 << 20)", "--cpu=3600", "--",
    ]

    /// How many files each may have open: no more than this process may grant.
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

    /// Ends all processes of the board when standard input ends, as it does with this process, or when Linux ends.
    ///
    /// Nothing else reaches them all, however early this process ends: bubblewrap's first process in the sandbox asks
    /// for a signal at its parent's end only when it already runs, and lives on if that was before. Without a sandbox
    /// Linux starts helpers that outlive it. But all that runs outside of the sandbox stays in one process group, in a
    /// session of its own.
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
            // Programs hand their calls over by themselves where this machine lets them; else Linux traces them, which
            // takes half as much time again.
            "seccomp=auto", "quiet", "panic=-1", "rcupdate.rcu_expedited=1", "mac80211_hwsim.radios=\(boards.radios)",
            "hil.role=\(role.rawValue)",
        ] + payload + ports + (isProbe ? ["hil.probe"] : [])
    }
}

/// What native boards run on.
package struct NativeBoards: Sendable, Codable, Equatable, CustomStringConvertible {
    /// The kernel.
    var kernel: NativeKernel
    /// How the boards' processes are shut in on this machine.
    var isolation: NativeCommand.Isolation
    /// The folder for the files with the boards' memory, if they see the machine's files. Programs must be allowed to
    /// run in it.
    var memoryFolder = "/dev/shm"
    /// How many Wi-Fi radios a board's kernel makes that only hear each other, in addition to the one of the air.
    package var radios = 0

    package var description: String { isolation == .sandbox ? "native, in a sandbox" : "native, without a sandbox" }
}
