import BoardAgent
import BoardProtocol
import Glibc
import HILBlueZ
import HILPOSIX
import HILTiming
import HILWiFi

/// Brings the radios of a board into the initial state of a scenario, and checks that.
struct RadioReset: Sendable {
    let radios: BoardRadios
    /// The folder that the agent's bluetoothd uses in place of `/var/lib/bluetooth`.
    let storage: String

    /// Resets both radios. The daemons that used them have ended.
    func perform(_ depth: ResetDepth) async throws(KeeperFailure) {
        let wasTaken = access(HostController.marker, F_OK) == 0
        // The agent's own folder: sockets, leases, files of programs.
        SmallFile.remove("/run/hil")
        do throws(SystemError) { try SmallFile.empty(storage) } catch {
            throw KeeperFailure("the bonds of the previous scenario cannot be removed: \(error)")
        }
        if depth == .adapter { try await reattachAdapter() }
        do {
            let channel = try ManagementChannel { _, _ in }
            defer { channel.close() }
            // The kernel resets a controller that it switches on; off alone would do nothing now.
            if wasTaken {
                _ = try await channel.ask(.setPowered(true), controller: radios.adapter, within: .seconds(10))
            }
            // Off ends links and advertisements, in the kernel as well as in the controller.
            _ = try await channel.ask(.removeAdvertisements, controller: radios.adapter, within: .seconds(5))
            let reply = try await channel.ask(.setPowered(false), controller: radios.adapter, within: .seconds(10))
            guard reply.status == 0 else {
                throw KeeperFailure(
                    "the Bluetooth adapter cannot be switched off (status \(reply.status))",
                    remedy: reply.status == ManagementReply.invalidIndex
                        ? "another program has it for itself; end that program, or plug the adapter in again" : nil)
            }
        } catch {
            throw error as? KeeperFailure ?? KeeperFailure("the Bluetooth adapter cannot be reset: \(error)")
        }
        for interface in radios.interfaces { try await resetWiFi(interface) }
    }

    /// Detaches the adapter from its bus and attaches it again. A kernel cannot do more for a hanging adapter.
    private func reattachAdapter() async throws(KeeperFailure) {
        let device = "/sys/class/bluetooth/hci\(radios.adapter)/device"
        var resolved = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard realpath(device, &resolved) != nil, let driver = SmallFile.target(of: "\(device)/driver"),
            let bus = SmallFile.target(of: "\(device)/subsystem")
        else { return }
        let path = String(decoding: resolved.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let place = "/sys/bus/\(bus)/drivers/\(driver)"
        let news = EventLog<UInt16>()
        do {
            let channel = try ManagementChannel { event, controller in
                if event == .controllerAdded { news.append(controller) }
            }
            defer { channel.close() }
            try SmallFile.write(name, to: "\(place)/unbind")
            try SmallFile.write(name, to: "\(place)/bind")
            let radios = radios
            try await withDeadline(.seconds(10), waitingFor: "the Bluetooth adapter to come back") {
                var next = 0
                while await channel.information(of: radios.adapter)?.address != radios.address {
                    next = try await news.first(from: next) { $0 == radios.adapter }.next
                }
            }
        } catch {
            throw KeeperFailure(
                "the Bluetooth adapter cannot be detached from its bus and attached again: \(error)",
                remedy: "switch the board off and on")
        }
    }

    /// How long a Wi-Fi interface may take to come back. The kernel gives the radio of a home's router back some time after
    /// the end of the router's network.
    static let returnLimit = Duration.seconds(10)

    private func resetWiFi(_ interface: String) async throws(KeeperFailure) {
        do {
            let stack = try WirelessStack()
            guard let own = try? await stack.interface(named: interface, within: RadioReset.returnLimit) else {
                throw KeeperFailure("the Wi-Fi interface \(interface) is gone", remedy: "plug it in again")
            }
            for other in try await stack.interfaces() where other.radio == own.radio && other.name != own.name {
                try await stack.removeInterface(other.index)
            }
        } catch {
            throw error as? KeeperFailure ?? KeeperFailure("the Wi-Fi radio cannot be reset: \(error)")
        }
        try await run(
            """
            ip address flush dev "$1"
            ip link set "$1" down
            # NetworkManager may have given it another address to look for networks.
            [ "$(cat "/sys/class/net/$1/address")" = "$(cat "/sys/class/net/$1/phy80211/macaddress")" ] ||
                ip link set "$1" address "$(cat "/sys/class/net/$1/phy80211/macaddress")"
            iw dev "$1" set type managed
            ip link set "$1" up
            """, interface)
        // A driver that is still busy with a search refuses. The check afterwards finds the remaining state.
        if let stack = try? WirelessStack(),
            let index = try? await stack.interfaces().first(where: { $0.name == interface })?.index
        {
            try? await stack.forgetNetworks(heardBy: index, within: .seconds(3))
        }
        try await run("ip link set \"$1\" down", interface)
    }

    /// Runs a shell script whose first parameter is a Wi-Fi interface.
    private func run(_ script: String, _ interface: String) async throws(KeeperFailure) {
        try await SystemProgram.require(["sh", "-ec", script, "sh", interface])
    }

    /// The remains of an earlier scenario, a sentence each.
    ///
    /// - Parameter began: When the reset began, in nanoseconds since the board's boot (`CLOCK_BOOTTIME`).
    func leftOver(since began: UInt64) async -> [String] {
        var left: [String] = []
        for adapter in SmallFile.names(in: storage) {
            let kept = SmallFile.names(in: "\(storage)/\(adapter)").filter { $0 != "settings" }
            for name in kept { left.append("bluetoothd remembers \(adapter)/\(name)") }
        }
        if let channel = try? ManagementChannel({ _, _ in }) {
            defer { channel.close() }
            switch await channel.information(of: radios.adapter) {
            case nil: left.append("the Bluetooth adapter does not answer")
            case let information? where information.address != radios.address:
                left.append("the Bluetooth adapter is \(information.address), not \(radios.address)")
            case let information? where information.isPowered: left.append("the Bluetooth adapter is on")
            default: break
            }
            let links = try? await channel.ask(.connections, controller: radios.adapter, within: .seconds(5))
            if let count = links?.connections, count > 0, links?.status == 0 {
                left.append("the Bluetooth adapter has \(count) links")
            }
        }
        let links = SmallFile.names(in: "/sys/class/bluetooth").filter { $0.hasPrefix("hci\(radios.adapter):") }
        if !links.isEmpty { left.append("the kernel has links: \(links.joined(separator: ", "))") }
        if let stack = try? WirelessStack(), let all = try? await stack.interfaces(),
            let own = all.first(where: { $0.name == radios.interface })
        {
            if (try? await stack.knowsNetworks(heardBy: own.index, before: began)) == true {
                left.append("the kernel remembers Wi-Fi networks")
            }
            for other in all where other.radio == own.radio && other.name != own.name {
                left.append("the radio has another interface, \(other.name)")
            }
        } else {
            left.append("there is no Wi-Fi interface \(radios.interface)")
        }
        if SmallFile.text("/sys/class/net/\(radios.interface)/operstate") == "up" {
            left.append("\(radios.interface) is on a network")
        }
        return left
    }
}
