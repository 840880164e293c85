import HILPhone
import RadioModel

/// What stations that did not join the home's network have sent, as far as the capture shows.
///
/// Source: IEEE 802.11-2020, 9.2.4.1.3, 9.3.3 and 9.4.1.9.
struct StationTrials {
    /// A station, and what it did on the air.
    private struct Station {
        /// The networks that it asked for by name.
        var asked: [String] = []
        /// The networks that it asked to authenticate it, by name or address.
        var strangers: [String] = []
        /// The last answer of the home's network that was not success.
        var refusal: String?
        /// How far it came with the home's network: 0 nowhere, 1 an answer to a search, 2 authenticated, 3 associated.
        var reached = 0
    }

    private let ssid: String
    /// The phone's address, which is not an accessory that failed.
    private let phone: DeviceAddress?
    private let security: WiFiSecurity
    private var stations: [DeviceAddress: Station] = [:]
    /// The networks that are heard, by their access point.
    private var networks: [DeviceAddress: String] = [:]

    /// - Parameter ssid: The home's network.
    init(of ssid: String, _ security: WiFiSecurity, except phone: DeviceAddress? = nil) {
        (self.ssid, self.security, self.phone) = (ssid, security, phone)
    }

    /// Reads the frames of a capture.
    mutating func read(_ capture: [UInt8]) {
        for frame in ManagementFrame.all(in: capture) { take(frame) }
    }

    private mutating func take(_ frame: ManagementFrame) {
        switch frame.kind {
        case .beacon, .probeResponse: if let name = frame.network(after: 12) { networks[frame.from] = name }
        case .probeRequest:
            guard let name = frame.network(after: 0) else { return }
            var station = stations[frame.from] ?? Station()
            if !name.isEmpty, !station.asked.contains(name), station.asked.count < 8 { station.asked.append(name) }
            stations[frame.from] = station
        case .authentication where frame.from == frame.network: refuse(frame, status: 4, next: 2, "authentication")
        case .authentication, .associationRequest:
            let name = networks[frame.network] ?? "\(frame.network)"
            guard !isHome(frame.network), frame.from != frame.network else { return }
            var station = stations[frame.from] ?? Station()
            if !station.strangers.contains(name), station.strangers.count < 8 { station.strangers.append(name) }
            stations[frame.from] = station
        case .associationResponse: refuse(frame, status: 2, next: 3, "association")
        case .other: break
        }
    }

    /// An answer of an access point, with its status at an offset of the body.
    private mutating func refuse(_ frame: ManagementFrame, status offset: Int, next: Int, _ what: String) {
        guard isHome(frame.from), let status = frame.word(offset) else { return }
        var station = stations[frame.to] ?? Station()
        // SAE continues with “hash to element” (status 126).
        if status == 0 || status == 126 {
            station.reached = max(station.reached, next)
            if what == "association" { station.refusal = nil }
        } else {
            station.refusal = "its \(what) was refused with status \(status)\(Self.meaning(status))"
        }
        stations[frame.to] = station
    }

    private func isHome(_ address: DeviceAddress) -> Bool { networks[address] == ssid }

    /// What kept each station from the home's network, except those that joined it.
    func nearMisses(joined: Set<DeviceAddress>, refused: Set<DeviceAddress>) -> [NearMiss] {
        // Without a radio of its own, the router has the phone's.
        let others = stations.filter { address, _ in
            !joined.contains(address) && networks[address] == nil && address != phone
        }
        return others.map { address, station in
            NearMiss(
                search: "the home's network “\(ssid)”", heard: "the station \(address)",
                reasons: [reason(address, station, isRefused: refused.contains(address))], held: station.reached)
        }
    }

    private func reason(_ address: DeviceAddress, _ station: Station, isRefused: Bool) -> String {
        if isRefused { return "it used another passphrase" }
        if let refusal = station.refusal { return refusal }
        if station.reached == 3 {
            return "it was associated, and the handshake did not end: another passphrase, or none"
        }
        if station.reached == 2 { return "it was authenticated, but asked for no association" }
        if let name = station.strangers.first { return "it went to the network “\(name)”" }
        let names = station.asked.filter { $0 != ssid }
        if let name = names.first, !station.asked.contains(ssid) {
            let alike = NearMiss.name(name, wanted: ssid) ?? "it asked for “\(name)”"
            return alike.replacing("its name is", with: "it looks for")
        }
        return station.asked.isEmpty
            ? "it looked for networks, and asked for none by name"
            : "it looked for it, but did not ask to join: perhaps it does not support \(security)"
    }

    /// The meaning of a status beyond “refused” (9.4.1.9).
    private static func meaning(_ status: UInt16) -> String {
        switch status {
        case 1: " (unspecified: with WPA3, another passphrase)"
        case 13: " (another way of authentication)"
        case 15: " (the challenge failed)"
        case 17: " (too many stations)"
        case 31: " (without protected management frames)"
        case 40: " (an element is not valid)"
        case 41: " (another group cipher)"
        case 42: " (another pairwise cipher)"
        case 43: " (another key management: WPA2 and WPA3 differ in it)"
        case 53: " (another pairwise master key)"
        default: ""
        }
    }
}
