import BoardProtocol

/// The services of a board that hold its radios, and how each releases them until they are returned or the board
/// restarts. No change here outlives a restart.
enum ConflictingServices {
    /// Units that are stopped while a run has the board, and started again if they ran.
    static let units = ["bluetooth.service", "hostapd.service", "iwd.service"]

    static var hasSystemd: Bool { SmallFile.names(in: "/run/systemd").contains("system") }

    static func isActive(_ unit: String) async -> Bool {
        guard hasSystemd else { return false }
        let outcome = try? await SystemProgram.run(["systemctl", "is-active", "--quiet", unit])
        return outcome?.status.isSuccess == true
    }

    /// The unit of wpa_supplicant for one interface.
    static func supplicant(of interface: String) -> String { "wpa_supplicant@\(interface).service" }

    static func stop(_ unit: String) async throws(KeeperFailure) {
        try await SystemProgram.require(["systemctl", "stop", unit])
        // D-Bus and udev would start it again.
        try await SystemProgram.require(["systemctl", "mask", "--runtime", "--quiet", unit])
    }

    static func start(_ unit: String) async throws(KeeperFailure) {
        try await unmask(unit)
        try await SystemProgram.require(["systemctl", "start", unit])
    }

    static func unmask(_ unit: String) async throws(KeeperFailure) {
        try await SystemProgram.require(["systemctl", "unmask", "--runtime", "--quiet", unit])
    }
}

/// NetworkManager, which would use the interface for its own networks.
enum NetworkManager {
    private static let folder = "/run/NetworkManager/conf.d"
    private static let file = "\(folder)/90-hil.conf"

    /// How NetworkManager holds an interface.
    struct Hold: Sendable, Hashable, Codable {
        /// Whether it manages the interface.
        var isManaged: Bool
        /// The connection that is up on it; nil for none.
        var connection: String?
    }

    /// How it holds an interface; nil if it does not run.
    static func hold(of interface: String) async throws(KeeperFailure) -> Hold? {
        guard await ConflictingServices.isActive("NetworkManager.service") else { return nil }
        let fields = ["GENERAL.STATE", "GENERAL.CON-UUID", "GENERAL.NM-MANAGED"].joined(separator: ",")
        let outcome = try await SystemProgram.run(["nmcli", "--get-values", fields, "device", "show", interface])
        guard outcome.status.isSuccess else { return nil }
        // Empty values are empty lines.
        let values = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // 10 is unmanaged.
        let isManaged = values.first.map { !$0.hasPrefix("10 ") } ?? false
        let connection = values.count > 1 && !values[1].isEmpty ? values[1] : nil
        return Hold(isManaged: isManaged, connection: connection)
    }

    /// Makes it release interfaces, and ignore those that a run makes on the same radios.
    static func release(_ interfaces: [String]) async throws(KeeperFailure) {
        let names = interfaces.map { "interface-name:\($0);interface-name:\($0)-*" }.joined(separator: ";")
        do {
            try SmallFile.make(folder)
            try SmallFile.replace(file, by: "[keyfile]\nunmanaged-devices=\(names)\n")
        } catch {
            throw KeeperFailure("NetworkManager does not release \(interfaces.joined(separator: ", ")): \(error)")
        }
        try await SystemProgram.require(["nmcli", "general", "reload", "conf"])
        for interface in interfaces {
            try await SystemProgram.require(["nmcli", "device", "set", interface, "managed", "no"])
        }
    }

    /// Gives an interface back.
    static func giveBack(_ interface: String, as hold: Hold) async throws(KeeperFailure) {
        SmallFile.remove(file)
        try await SystemProgram.require(["nmcli", "general", "reload", "conf"])
        guard hold.isManaged else { return }
        try await SystemProgram.require(["nmcli", "device", "set", interface, "managed", "yes"])
        if let connection = hold.connection {
            try await SystemProgram.require(
                ["nmcli", "--wait", "30", "connection", "up", "uuid", connection, "ifname", interface],
                within: .seconds(40))
        }
    }
}

/// dhcpcd, which requests an address on each interface (Raspberry Pi OS until 2023).
enum DHCPClientDaemon {
    static var isThere: Bool { SystemProgram.isInstalled("dhcpcd") }

    static func release(_ interface: String) async throws(KeeperFailure) {
        try await SystemProgram.require(["dhcpcd", "--release", interface])
    }

    static func giveBack(_ interface: String) async throws(KeeperFailure) {
        try await SystemProgram.require(["dhcpcd", "--rebind", interface])
    }
}
