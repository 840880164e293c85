import BoardProtocol
import Glibc
import HILBlueZ
import HILPOSIX
import RadioModel
import Synchronization

/// A part of an accessory board for one further adapter. It has its own message bus and bluetoothd, which know no other
/// adapter, and its own files. So two programs of one firmware run side by side without noticing each other.
///
/// It shares the kernel, the processes and the IP network with the board. It must not use the shared Wi-Fi radio.
final class Compartment: Sendable {
    let adapter: AdapterID
    /// The number of its controller in the kernel: 1 for `hci1`.
    let controller: UInt16
    let entrance: CompartmentEntrance
    /// The program that runs in it.
    let programs: ProgramHost
    private let bus: Daemon
    private let fence: ProcessFence?
    private let folder: AgentFolder
    private let journal: Journal
    private let lost: Daemon.LossHandler
    private let bluetoothd = Mutex<Daemon?>(nil)

    /// How long the bus may take to listen.
    private static let busLimit: Duration = .seconds(20)

    /// The name of the folder for a compartment's own files on the board's disk.
    static func folderName(of adapter: AdapterID) -> String { "compartment-\(adapter)" }

    /// Whether an adapter has had a compartment since the board was new.
    static func wasMade(for adapter: AdapterID) -> Bool {
        access("\(BoardDisk.mountPoint)/\(folderName(of: adapter))", F_OK) == 0
    }

    /// Mounts its own files, which start as those of a new board, and becomes the bus: IMAGE DISK RUN FENCE COMMAND…
    private static let script = """
        set -e
        image=$1 disk=$2 run=$3
        [ -z "$4" ] || echo 0 >"$4"
        shift 4
        mkdir -p "$run/dbus" "$run/image"
        mount -t erofs -o ro "$image" "$run/image"
        for folder in etc var root home srv; do
            mkdir -p "$disk/$folder/upper" "$disk/$folder/work"
            layers=lowerdir=$run/image/$folder,upperdir=$disk/$folder/upper,workdir=$disk/$folder/work
            mount -t overlay -o "noatime,$layers" own "/$folder"
        done
        umount "$run/image"
        ln -sf accessory.conf /etc/bluetooth/main.conf
        [ -s /etc/machine-id ] || { tr -d - </proc/sys/kernel/random/uuid >/etc/machine-id; sync; }
        mount -t tmpfs -o mode=1777 own /tmp
        mount --bind "$run" /run
        exec "$@"
        """

    /// Starts its bus. ``startBluetooth()`` is next.
    ///
    /// - Parameters:
    ///   - controller: The number of its controller in the kernel.
    ///   - address: The address of the adapter.
    ///   - payloads: The files that runners have sent to this board.
    ///   - lost: Called when one of its daemons ends unexpectedly.
    ///   - emit: Called from any thread.
    init(
        for adapter: AdapterID, controller: UInt16, address: DeviceAddress, in runFolder: AgentFolder,
        payloads: PayloadStore, journal: Journal, lost: @escaping Daemon.LossHandler,
        emit: @escaping @Sendable (BoardEvent) -> Void
    ) async throws {
        self.adapter = adapter
        self.controller = controller
        self.journal = journal
        self.lost = lost
        let name = Compartment.folderName(of: adapter)
        folder = try AgentFolder(path: runFolder.file(name))
        guard let disk = try BoardDisk.makeFolder(name), let image = BoardDisk.image else {
            throw RadioError.unsupported("this board has no disk of its own for a second accessory's files")
        }
        // The program's files are mounted later, from outside.
        try valueOrErrno("mount", "showing \(BoardDisk.mountPoint) in the compartment of adapter \(adapter)") {
            mount(nil, BoardDisk.mountPoint, nil, UInt(MS_SHARED), nil)
        }
        // Ends the processes that a killed agent has left there.
        fence = await ProcessFence.make(named: "hil-\(name)", mountPoint: runFolder.file("cgroup"))
        let run = folder.file("run")
        try AgentFolder.make(run, mode: 0o755)
        unlink("\(run)/dbus/system_bus_socket")
        bus = try await Daemon(
            "dbus-\(adapter)",
            ["unshare", "--mount", "--propagation", "slave", "sh", "-c", Self.script, "sh", image, disk, run]
                + [fence?.entrance ?? "", "dbus-daemon", "--system", "--nofork", "--nopidfile", "--print-address"],
            journal: journal, lost: lost)
        try await bus.waitForLine(containing: "unix:path=", within: Self.busLimit)
        let scope = BindSupervisor.Scope(view: .alone(controller), own: (controller, address))
        entrance = CompartmentEntrance(process: bus.process, scope: scope)
        programs = ProgramHost(
            of: adapter, through: entrance, folder: runFolder.path, filesFolder: disk,
            fenceName: "hil-program-\(adapter)",
            payloads: payloads, journal: journal, emit: emit)
    }

    /// The address of its bus, for programs of the board.
    var busAddress: String { "unix:path=\(folder.file("run"))/dbus/system_bus_socket" }

    /// Starts its bluetoothd, unless it runs. Returns when it is on its bus.
    func startBluetooth() async throws {
        guard bluetoothd.withLock({ $0?.isRunning }) != true else { return }
        let started = try await BusService.start(BlueZ.service, onBusAt: busAddress) { [adapter, journal, lost] in
            let command = try entrance.supervised(BoardDaemons.bluetoothdCommand())
            return try await Daemon(
                "bluetoothd-\(adapter)", command, descriptors: [entrance.makeSupervisor().socket], journal: journal,
                lost: lost)
        }
        bluetoothd.withLock { $0 = started }
    }

    /// Ends its bluetoothd, for a program that runs it itself.
    func stopBluetooth() async {
        let daemon = bluetoothd.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        await daemon?.stop()
    }

    /// Ends the program and the daemons.
    func end() async {
        await programs.end()
        await stopBluetooth()
        await bus.stop()
        await fence?.killAll()
    }
}
