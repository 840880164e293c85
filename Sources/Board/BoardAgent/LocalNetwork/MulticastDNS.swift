import BoardProtocol
import HILAvahi
import HILTiming
import RadioModel

/// avahi-daemon, which finds and offers services on the networks of the board. It is started on first use.
actor MulticastDNS {
    private let folder: AgentFolder
    private let journal: Journal
    private let hostName: String?
    private let lost: Daemon.LossHandler
    private let gate = Gate()
    private var daemon: Daemon?
    private var isThere = false

    /// - Parameters:
    ///   - hostName: The name of the board on its networks, without `.local`; nil for the system's own name.
    ///   - lost: Called when the daemon ends unexpectedly.
    init(folder: AgentFolder, journal: Journal, hostName: String?, lost: @escaping Daemon.LossHandler) {
        self.folder = folder
        self.journal = journal
        self.hostName = hostName
        self.lost = lost
    }

    /// Starts the daemon, if it does not run. Returns when it is on the bus.
    ///
    /// - Parameter interfaces: The only network interfaces that it uses: services on a board's other networks must not
    ///   be seen, and nothing may be announced there.
    func start(on interfaces: [String]) async throws {
        await gate.enter()
        defer { gate.leave() }
        guard daemon?.isRunning ?? isThere == false else { return }
        let name = hostName.map { "host-name=\($0)\n" } ?? ""
        try folder.write(
            """
            [server]
            \(name)use-ipv4=yes
            use-ipv6=no
            allow-interfaces=\(interfaces.joined(separator: ","))
            enable-dbus=yes
            [wide-area]
            enable-wide-area=no
            [publish]
            publish-hinfo=no
            publish-workstation=no

            """, to: "avahi.conf")
        do {
            daemon = try await BusService.start(Avahi.service) { [folder, journal, lost] in
                try await Daemon(
                    "avahi-daemon",
                    [
                        "avahi-daemon", "--file=\(folder.file("avahi.conf"))", "--no-drop-root", "--no-chroot",
                        "--no-rlimits", "--no-proc-title",
                    ], journal: journal, lost: lost)
            }
        } catch {
            throw RadioError.rig("avahi-daemon, which finds and offers services, cannot be started: \(error)")
        }
        isThere = true
        if daemon == nil { journal.write("avahi-daemon is already running", from: "agent") }
    }

    /// Ends the daemon, if this agent started it.
    func stop() async { await daemon?.stop() }
}
