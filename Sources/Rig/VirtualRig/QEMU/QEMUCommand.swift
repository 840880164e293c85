import BoardProtocol
import HILPOSIX

/// QEMU's command line for one board.
struct QEMUCommand: Sendable, Equatable {
    static let program = "qemu-system-x86_64"
    /// Memory of a board, in MiB. Together with the translator's cache, QEMU stays below 300 MiB of resident memory.
    static let memorySize = 192
    /// The translator's cache, in MiB: for a board with its own memory, and for a board that shares most of its memory
    /// with others. With the smaller cache, a whole scenario takes a sixth longer, and the journey a third longer.
    static let cacheSizes = (own: 48, shared: 128)
    /// The descriptor on which QEMU speaks QMP with its parent process: the one after standard error.
    static let qmpDescriptor = 3

    var role: BoardRole
    var parts: RigParts
    /// The folder of the board's sockets.
    var sockets: String
    /// The path of the board's own disk, from ``DiskFile``.
    var disk: String
    /// The folder of the board's logs.
    var logs: String
    /// The source of the board's memory.
    var memory: Memory

    /// The source of a board's memory.
    enum Memory: Sendable, Equatable {
        /// Empty memory: the board boots.
        case empty
        /// Empty memory that is this file, which becomes part of a snapshot.
        case kept(file: String)
        /// The content of this file, a copy of a snapshot's memory that becomes part of another snapshot. The board
        /// waits for the rest of its state.
        case continued(file: String)
        /// The content of this file. The board waits for the rest of its state. Pages that it writes become its own;
        /// all others are shared with every board that is restored from the file.
        case copied(file: String)
        /// Empty memory that is filled with the rest of the state, for which the board waits.
        case received
    }

    /// The program and its arguments.
    var arguments: [String] {
        [QEMUCommand.program, "-name", "hil-\(role.rawValue)"] + QEMUCommand.machine(memory: QEMUCommand.memorySize)
            + memoryBackend + parts.accelerator.arguments(cache: cacheSize) + kernel + ports + disks
            + consoleAndMonitors
            + (isRestored ? ["-incoming", "defer"] : [])
    }

    private var isRestored: Bool {
        switch memory {
        case .empty, .kept: false
        case .copied, .continued, .received: true
        }
    }

    private var cacheSize: Int {
        if case .copied = memory { QEMUCommand.cacheSizes.shared } else { QEMUCommand.cacheSizes.own }
    }

    /// All kinds of memory have the same name, because snapshots contain it.
    private var memoryBackend: [String] {
        let size = "id=ram,size=\(QEMUCommand.memorySize)M"
        let backend =
            switch memory {
            case .empty, .received: "memory-backend-ram,\(size)"
            case .kept(let file), .continued(let file):
                "memory-backend-file,\(size),share=on,mem-path=\(QEMUCommand.escaped(file))"
            case .copied(let file): "memory-backend-file,\(size),share=off,mem-path=\(QEMUCommand.escaped(file))"
            }
        return ["-object", backend, "-machine", "memory-backend=ram"]
    }

    /// The options that every start of this kernel has, without devices that a board does not need.
    static func machine(memory: Int) -> [String] {
        [
            "-nodefaults", "-no-user-config", "-M", "q35,usb=off,sata=off,smbus=off", "-smp", "1", "-m", "\(memory)",
            "-display", "none", "-no-reboot",
        ]
    }

    /// A text that is equal for two command lines if a snapshot of one can be restored with the other: everything but
    /// paths.
    static func layout(role: BoardRole, accelerator: Accelerator) -> String {
        let withoutPaths = RigParts(
            image: BoardImage(folder: ""), agentDisk: "", rootCanal: "", air: "", accelerator: accelerator,
            qemuVersion: "")
        return QEMUCommand(role: role, parts: withoutPaths, sockets: "", disk: "", logs: "", memory: .empty).arguments
            .joined(separator: " ")
    }

    private var image: BoardImage { parts.image(of: role) }

    private var kernel: [String] {
        // The boards run only our programs, so mitigations are not needed; without them a translated kernel starts a
        // fifth faster. Keys to check modules and names for tracing cost a tenth of its start.
        let words =
            [
                "console=ttyS0", "quiet", "panic=-1", "hil.role=\(role.rawValue)", "mitigations=off", "nokaslr",
                "init_on_alloc=0", "audit=0", "no_timer_check", "cryptomgr.notests",
                "rcupdate.rcu_expedited=1", "initcall_blacklist=load_system_certificate_list,trace_eval_init",
                "8250.nr_uarts=1", "i8042.nopnp", "i8042.dumbkbd",
            ] + parts.accelerator.kernelWords
        return [
            "-kernel", image.kernel, "-initrd", image.initramfs, "-append", words.joined(separator: " "),
        ]
    }

    private var ports: [String] {
        // It must come first on the bus, because the kernel numbers /dev/vportNpM by the order of all virtio devices.
        var arguments = ["-device", "virtio-serial-pci,id=ports"]
        for (name, number) in [("agent", 1), ("bluetooth", 2), ("wifi", 3), ("shell", 5)] {
            let path = QEMUCommand.escaped("\(sockets)/\(name).sock")
            arguments += [
                "-chardev", "socket,id=\(name),path=\(path),server=on,wait=off",
                "-device", "virtserialport,bus=ports.0,nr=\(number),chardev=\(name),name=\(name)",
            ]
        }
        return arguments + [
            "-chardev", "file,id=journal,path=\(QEMUCommand.escaped("\(logs)/journal.jsonl"))",
            "-device", "virtserialport,bus=ports.0,nr=4,chardev=journal,name=journal",
        ]
    }

    private var disks: [String] {
        func file(_ path: String) -> String { "file=\(QEMUCommand.escaped(path)),format=raw" }
        var disks = [
            ("vda", "\(file(image.root)),readonly=on"), ("vdb", "\(file(parts.agentDisk)),readonly=on"),
            // Flushes end at once: data that QEMU has received outlives the board.
            ("vdc", "\(file(disk)),cache=unsafe"),
        ]
        // A snapshot has this disk with any content, so its size is fixed.
        let none = "driver=null-co,size=\(PayloadImage.size),read-zeroes=on"
        if role == .accessory { disks.append(("vdd", "\(parts.payloadDisk.map(file) ?? none),readonly=on")) }
        return disks.flatMap { name, source in
            ["-drive", "if=none,id=\(name),\(source)", "-device", "virtio-blk-pci,drive=\(name)"]
        }
    }

    private var consoleAndMonitors: [String] {
        [
            "-chardev", "file,id=console,path=\(QEMUCommand.escaped("\(logs)/kernel.log"))",
            "-serial", "chardev:console",
            // After a restore it informs the guest that it is a new copy, and the kernel gets fresh entropy.
            "-device", "vmgenid,guid=auto",
            "-chardev", "socket,id=owner,fd=\(QEMUCommand.qmpDescriptor)", "-mon", "chardev=owner,mode=control",
            "-chardev", "socket,id=people,path=\(QEMUCommand.escaped("\(sockets)/qmp.sock")),server=on,wait=off",
            "-mon", "chardev=people,mode=control",
        ]
    }

    /// Escapes commas in a value, because a comma ends an option of QEMU.
    static func escaped(_ value: String) -> String { value.replacing(",", with: ",,") }
}
