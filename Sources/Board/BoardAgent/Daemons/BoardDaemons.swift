import BoardProtocol
import CryptoKit
import Glibc
import HILBlueZ
import HILPOSIX
import RadioModel
import Synchronization

/// The bluetoothd of an accessory board, and the versions of all programs of a board.
package final class BoardDaemons: Sendable {
    private let journal: Journal
    private let emit: @Sendable (BoardEvent) -> Void
    private let bluetoothd = Mutex<Daemon?>(nil)
    /// The controllers that bluetoothd must not see.
    private let hidden = Mutex<Set<UInt16>>([])
    private let overhearing = Mutex<BluetoothOverhearing?>(nil)

    init(journal: Journal, emit: @escaping @Sendable (BoardEvent) -> Void) {
        self.journal = journal
        self.emit = emit
    }

    /// Where Debian and other systems install bluetoothd, which is not in `PATH`.
    private static let bluetoothdPaths = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd",
    ]

    /// Plugins that an accessory does not need that is a client of phones, because its own code uses their services.
    /// Probing an adapter with them takes a third of a second on an emulated board.
    private static let pluginsLeftOut = [
        "a2dp", "asha", "autopair", "avrcp", "bap", "bass", "battery", "ccp", "csip", "deviceinfo", "gap", "health",
        "hog", "hostname", "input", "mcp", "micp", "midi", "neard", "network", "sap", "scanparam", "sixaxis", "vcp",
        "wiimote",
    ]

    static func bluetoothdCommand(
        with settings: BluetoothSettings = BluetoothSettings()
    ) throws(SystemError) -> [String] {
        try [bluetoothdPath, "-n"] + (settings.write().map { ["--configfile=" + $0] } ?? [])
            + (settings.isClient ? ["--noplugin=" + pluginsLeftOut.joined(separator: ",")] : [])
    }

    private static var bluetoothdPath: String { bluetoothdPaths.first { access($0, X_OK) == 0 } ?? "bluetoothd" }

    /// Starts bluetoothd, unless the board's own init has started it. Returns when it is on the bus.
    func startBluetooth(with settings: BluetoothSettings = BluetoothSettings()) async throws {
        let started = try await BusService.start(BlueZ.service) { [journal, emit] in
            var command = try BoardDaemons.bluetoothdCommand(with: settings)
            let supervisor = try hidden.withLock { hidden in
                hidden.isEmpty ? nil : try BindSupervisor(.init(view: .without(hidden)))
            }
            if supervisor != nil { command = try BindSupervisor.supervised(command) }
            let daemon = try await Daemon(
                "bluetoothd", command, descriptors: supervisor.map { [$0.socket] } ?? [], journal: journal
            ) { [weak self] name, how in
                emit(.daemonLost(name: name, how: how, after: self?.overhearing.withLock { $0 }?.latest))
            }
            bluetoothd.withLock { $0 = daemon }
            return daemon
        }
        if started == nil { journal.write("bluetoothd is already running", from: "agent") }
        guard overhearing.withLock({ $0 }) == nil else { return }
        do {
            let new = try await BluetoothOverhearing()
            overhearing.withLock { $0 = new }
        } catch { journal.write("answers to bluetoothd cannot be overheard: \(error)", from: "agent") }
    }

    /// Hides controllers from a bluetoothd that starts later. The running one does not see new controllers.
    func hide(_ controllers: Set<UInt16>) { hidden.withLock { $0 = controllers } }

    /// Kills bluetoothd if this agent started it.
    func killBluetooth(by signal: Int32) async throws(RadioError) {
        guard let daemon = bluetoothd.withLock({ $0 }), daemon.isRunning else {
            throw .invalid("bluetoothd was not started by this agent, or has already ended")
        }
        await daemon.kill(by: signal)
    }

    /// Ends bluetoothd, for a program that runs it itself.
    ///
    /// - Throws: ``RadioModel/RadioError/rig(_:)`` if the board's own init runs it, which would start it again.
    func stopBluetooth() async throws(RadioError) {
        guard let daemon = bluetoothd.withLock({ $0 }) else {
            throw .rig(
                "the program must run bluetoothd, but the board's own init runs it: "
                    + "`systemctl disable --now bluetooth` on the board leaves it to others")
        }
        await daemon.stop()
    }

    /// Ends the daemons that this agent started.
    func stop() async {
        await bluetoothd.withLock { $0 }?.stop()
    }

    /// The versions of the kernel, BlueZ, hostapd, wpa_supplicant, dnsmasq and Avahi. Missing programs are left out.
    package static func versions() async -> [String: String] {
        let programs = [
            ("bluez", [bluetoothdPath, "--version"]), ("hostapd", ["hostapd", "-v"]),
            ("wpa_supplicant", ["wpa_supplicant", "-v"]), ("dnsmasq", ["dnsmasq", "--version"]),
            ("avahi", ["avahi-daemon", "--version"]),
        ]
        var versions = await withTaskGroup(of: (String, String?).self) { group in
            for (name, command) in programs {
                group.addTask {
                    let text = try? await Spawner.output(of: command, within: .seconds(10))
                    return (name, text.flatMap { version(in: $0) })
                }
            }
            var found: [String: String] = [:]
            for await (name, version) in group { found[name] = version }
            return found
        }
        var system = utsname()
        if uname(&system) == 0 {
            versions["kernel"] = withUnsafeBytes(of: &system.release) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        versions["openssl"] = Backend.description
        versions["agent"] = "protocol \(BoardProtocol.version)"
        return versions
    }

    /// The first version number in a program's output: a word that starts with a digit, or with `v` and a digit:
    /// `5.82`.
    static func version(in text: String) -> String? {
        for line in text.split(separator: "\n") {
            for word in line.split(separator: " ") {
                let bare = word.first == "v" ? word.dropFirst() : word
                if bare.first?.isNumber == true, bare.contains(".") { return String(bare) }
            }
        }
        return nil
    }
}
