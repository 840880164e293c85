import BoardProtocol
import FoundationEssentials
import RadioModel
import WiFi

/// What the router of a home reports.
extension OpenNetwork {
    /// Reports stations that join, leave and are refused, as long as the network is open.
    static func followHome(_ control: ControlSocket, _ emit: @Sendable (BoardEvent) -> Void) async {
        var place = 0
        // A day is longer than any run. The log ends when the socket is closed.
        while let next = try? await control.events.first(
            from: place, within: .seconds(86_400), waitingFor: "an event of hostapd")
        {
            place = next.next
            guard let station = next.event.words.first.flatMap({ DeviceAddress($0) }) else { continue }
            switch next.event.name {
            case "AP-STA-CONNECTED":
                if let key = await masterKey(of: station, control) { emit(.wifiKey(key)) }
                emit(.homeNetwork(.joined(station: station)))
            case "AP-STA-DISCONNECTED": emit(.homeNetwork(.left(station: station)))
            case "AP-STA-POSSIBLE-PSK-MISMATCH": emit(.homeNetwork(.refused(station: station)))
            default: continue
            }
        }
    }

    /// Reports the addresses that the DHCP server gives, as long as it runs.
    static func followLeases(of dhcp: Daemon, _ emit: @Sendable (BoardEvent) -> Void) async {
        var place = 0
        while let next = try? await dhcp.lines.first(
            from: place, within: .seconds(86_400), waitingFor: "an address to be given")
        {
            place = next.next
            if let event = homeEvent(dnsmasq: next.event) { emit(.homeNetwork(event)) }
        }
    }

    /// Reads a line of dnsmasq: `… dnsmasq-dhcp[74]: DHCPACK(wlan0-1) 192.168.1.42 02:00:00:00:01:00 lamp`.
    ///
    /// - Returns: nil if the line does not say that an address was given.
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
