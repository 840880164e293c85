import BoardProtocol
import FoundationEssentials
import Glibc
import HILBlueZ
import HILPOSIX
import HILTiming

/// The state of a board before a run took it. It is recorded before any change, and lost when the board restarts,
/// because a restart gives everything back.
struct TakenBoard: Sendable, Hashable, Codable {
    static let folder = "/run/hil-keeper"
    private static let file = "\(folder)/taken.json"
    /// The folder that bluetoothd uses in place of `/var/lib/bluetooth` meanwhile.
    static let storage = "\(folder)/bluetooth"

    /// The state of the home's interface before.
    struct HomeInterface: Sendable, Hashable, Codable {
        var name: String
        var networkManager: NetworkManager.Hold?
        var isUp: Bool
    }

    var radios: BoardRadios
    /// The units that ran and must be restarted.
    var units: [String]
    var networkManager: NetworkManager.Hold?
    /// The interface of the home's router; nil for none.
    var home: HomeInterface?
    var hasDHCPClient: Bool
    var isInterfaceUp: Bool
    /// The adapter's settings, as the kernel's management interface has them.
    var settings: UInt32
    var isAdapterOn: Bool { settings & 1 == 1 }
    /// The switches of rfkill that kept a radio off, by the path of each.
    var blocks: [String]

    /// The record of a run that has not returned the board; nil if there is none.
    static var left: TakenBoard? {
        SmallFile.text(file).flatMap { try? JSONDecoder().decode(TakenBoard.self, from: Data($0.utf8)) }
    }

    /// Takes the radios from the services that have them.
    ///
    /// - Returns: The recorded state of the board before.
    /// - Throws: ``KeeperFailure``. Then ``giveBack()`` of the record undoes the changes so far.
    static func take(_ radios: BoardRadios) async throws(KeeperFailure) -> TakenBoard {
        var units: [String] = []
        for unit in ConflictingServices.units + radios.interfaces.map({ ConflictingServices.supplicant(of: $0) })
        where await ConflictingServices.isActive(unit) { units.append(unit) }
        let taken = TakenBoard(
            radios: radios, units: units,
            networkManager: try await NetworkManager.hold(of: radios.interface),
            home: try await home(radios),
            hasDHCPClient: DHCPClientDaemon.isThere && SmallFile.names(in: "/run/dhcpcd").contains("pid"),
            isInterfaceUp: isUp(radios.interface),
            settings: await information(of: radios.adapter)?.settings ?? 0,
            blocks: switches(of: radios).filter { SmallFile.text($0) == "1" })
        do {
            let text = String(decoding: try JSONEncoder().encode(taken), as: UTF8.self)
            try SmallFile.replace(file, by: text, mode: 0o600)
        } catch { throw KeeperFailure("the state of the board cannot be recorded: \(error)", remedy: fullDisk(error)) }
        for unit in units { try await ConflictingServices.stop(unit) }
        let managed = radios.interfaces.filter { taken.isManaged($0) }
        if !managed.isEmpty { try await NetworkManager.release(managed) }
        if taken.hasDHCPClient {
            for interface in radios.interfaces { try await DHCPClientDaemon.release(interface) }
        }
        for path in taken.blocks { try? SmallFile.write("0", to: path) }
        return taken
    }

    private static func home(_ radios: BoardRadios) async throws(KeeperFailure) -> HomeInterface? {
        guard let name = radios.home else { return nil }
        return HomeInterface(name: name, networkManager: try await NetworkManager.hold(of: name), isUp: isUp(name))
    }

    /// Whether NetworkManager knew an interface before.
    func isManaged(_ interface: String) -> Bool {
        (interface == home?.name ? home?.networkManager : networkManager) != nil
    }

    private static func fullDisk(_ error: any Error) -> String? {
        (error as? SystemError)?.code == ENOSPC ? "free some space in /run on the board" : nil
    }

    /// Resets the radios and gives them back. The agent has ended. A problem is reported and does not stop the other
    /// steps.
    ///
    /// - Returns: The differences from the earlier state, a sentence each.
    func giveBack() async -> [String] {
        var problems: [String] = []
        func attempt(_ what: String, _ body: () async throws(KeeperFailure) -> Void) async {
            do throws(KeeperFailure) { try await body() } catch { problems.append("\(what): \(error)") }
        }
        let (adapter, interface) = (radios.adapter, radios.interface)
        await attempt("the radios") { () throws(KeeperFailure) in
            try await RadioReset(radios: radios, storage: TakenBoard.storage).perform(.daemons)
        }
        SmallFile.remove(TakenBoard.storage)
        for path in blocks { try? SmallFile.write("1", to: path) }
        await restoreSettings(of: adapter)
        await attempt("the interface \(interface)") { () throws(KeeperFailure) in
            try await SystemProgram.require(["ip", "link", "set", interface, isInterfaceUp ? "up" : "down"])
        }
        if let home {
            await attempt("the interface \(home.name)") { () throws(KeeperFailure) in
                try await SystemProgram.require(["ip", "link", "set", home.name, home.isUp ? "up" : "down"])
            }
        }
        for unit in units {
            await attempt(unit) { () throws(KeeperFailure) in try await ConflictingServices.start(unit) }
        }
        if let networkManager {
            await attempt("NetworkManager") { () throws(KeeperFailure) in
                try await NetworkManager.giveBack(interface, as: networkManager)
            }
        }
        if let home, let hold = home.networkManager {
            await attempt("NetworkManager") { () throws(KeeperFailure) in
                try await NetworkManager.giveBack(home.name, as: hold)
            }
        }
        if hasDHCPClient {
            for interface in radios.interfaces {
                await attempt("dhcpcd") { () throws(KeeperFailure) in try await DHCPClientDaemon.giveBack(interface) }
            }
        }
        await restorePower(of: adapter)
        problems += await differences(adapter, interface)
        if problems.isEmpty { SmallFile.remove(TakenBoard.file) }
        return problems
    }

    /// Restores the settings that the run's bluetoothd has changed. The adapter is off, as some settings require.
    private func restoreSettings(of adapter: UInt16) async {
        guard let channel = try? ManagementChannel({ _, _ in }) else { return }
        defer { channel.close() }
        for (bit, command) in ManagementInformation.changeable {
            guard let now = await channel.information(of: adapter)?.settings, (now ^ settings) >> bit & 1 == 1 else {
                continue
            }
            _ = try? await channel.ask(command(settings >> bit & 1 == 1), controller: adapter, within: .seconds(5))
        }
    }

    /// Switches the adapter on or off as before. A running bluetoothd does that itself within moments.
    private func restorePower(of adapter: UInt16) async {
        let changes = EventLog<UInt16>()
        let made = try? ManagementChannel { event, controller in
            if event == .settingsChanged { changes.append(controller) }
        }
        guard let channel = made else { return }
        defer { channel.close() }
        let isOn = isAdapterOn
        try? await withDeadline(.seconds(3), waitingFor: "the adapter's power") {
            var next = 0
            while await channel.information(of: adapter)?.isPowered != isOn {
                next = try await changes.first(from: next) { $0 == adapter }.next
            }
        }
        guard await channel.information(of: adapter)?.isPowered != isOn else { return }
        _ = try? await channel.ask(.setPowered(isOn), controller: adapter, within: .seconds(5))
    }

    /// The differences from the earlier state.
    private func differences(_ adapter: UInt16, _ interface: String) async -> [String] {
        var differences: [String] = []
        for unit in units where await !ConflictingServices.isActive(unit) { differences.append("\(unit) does not run") }
        if let before = networkManager {
            let now = try? await NetworkManager.hold(of: interface)
            if now?.isManaged != before.isManaged {
                differences.append("NetworkManager \(before.isManaged ? "does not manage" : "manages") \(interface)")
            }
        } else if TakenBoard.isUp(interface) != isInterfaceUp {
            differences.append("\(interface) is \(isInterfaceUp ? "down" : "up")")
        }
        if let home, let before = home.networkManager {
            let now = try? await NetworkManager.hold(of: home.name)
            if now?.isManaged != before.isManaged {
                differences.append("NetworkManager \(before.isManaged ? "does not manage" : "manages") \(home.name)")
            }
        } else if let home, TakenBoard.isUp(home.name) != home.isUp {
            differences.append("\(home.name) is \(home.isUp ? "down" : "up")")
        }
        let changed = (await TakenBoard.information(of: adapter)?.settings ?? ~settings) ^ settings
        if changed & 1 == 1 {
            differences.append("the Bluetooth adapter is \(isAdapterOn ? "off" : "on")")
        } else if changed & ManagementInformation.comparable != 0 {
            let bits = String(changed & ManagementInformation.comparable, radix: 16)
            differences.append("the Bluetooth adapter's settings differ (bits 0x\(bits) of the management interface)")
        }
        return differences
    }

    private static func isUp(_ interface: String) -> Bool {
        // IFF_UP is the lowest bit.
        let text = SmallFile.text("/sys/class/net/\(interface)/flags")?.dropFirst(2)
        return (text.flatMap { UInt32($0, radix: 16) } ?? 0) & 1 == 1
    }

    static func information(of adapter: UInt16) async -> ManagementInformation? {
        guard let channel = try? ManagementChannel({ _, _ in }) else { return nil }
        defer { channel.close() }
        return await channel.information(of: adapter)
    }

    private static func switches(of radios: BoardRadios) -> [String] {
        let folders =
            ["/sys/class/bluetooth/hci\(radios.adapter)"] + radios.interfaces.map { "/sys/class/net/\($0)/phy80211" }
        return folders.flatMap { folder in
            SmallFile.names(in: folder).filter { $0.hasPrefix("rfkill") }.map { "\(folder)/\($0)/soft" }
        }
    }
}
