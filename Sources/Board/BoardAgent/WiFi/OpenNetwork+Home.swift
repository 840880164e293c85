import BoardProtocol
import FoundationEssentials
import HILWiFi
import RadioModel

/// The reports of a home router.
extension OpenNetwork {
    /// Reports stations that join, leave or are refused, while the network is open.
    static func followHome(_ control: ControlSocket, _ emit: @Sendable (BoardEvent) -> Void) async {
        await followStations(control, emit) { station, change in
            switch change {
            case .joined: emit(.homeNetwork(.joined(station: station)))
            case .left: emit(.homeNetwork(.left(station: station)))
            case .refused: emit(.homeNetwork(.refused(station: station)))
            }
        }
    }

    /// Reports the addresses that the DHCP server gives, as long as it runs.
    static func followLeases(of dhcp: Daemon, _ emit: @Sendable (BoardEvent) -> Void) async {
        var lines = dhcp.lines.events().makeAsyncIterator()
        while let line = try? await lines.next() {
            if let event = homeEvent(dnsmasq: line) { emit(.homeNetwork(event)) }
        }
    }

    /// Reads a line of dnsmasq: `… dnsmasq-dhcp[74]: DHCPACK(wlan0-1) 192.168.1.42 02:00:00:00:01:00 lamp`.
    ///
    /// - Returns: Nil if the line does not report a new address.
    static func homeEvent(dnsmasq line: String) -> HomeNetworkEvent? {
        let words = line.split(separator: " ")
        // The first one: words after the address come from the station.
        guard let name = words.firstIndex(where: { $0.hasPrefix("dnsmasq-dhcp") }), words.count >= name + 4,
            words[name + 1].hasPrefix("DHCPACK("), (try? internetAddress(String(words[name + 2]), port: 0)) != nil,
            let station = DeviceAddress(String(words[name + 3]))
        else { return nil }
        return .gaveAddress(String(words[name + 2]), station: station)
    }
}
