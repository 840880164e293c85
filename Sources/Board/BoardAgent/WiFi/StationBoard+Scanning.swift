import Glibc
import HILWiFi
import RadioModel

/// Scanning for networks.
extension StationBoard {
    /// Scans, and returns the networks that it found.
    ///
    /// - Parameter hidden: The name of a network that hides it; the scan asks for this network.
    func scan(hidden: String? = nil) async throws -> [WiFiNetwork] {
        let asked = try hidden.map {
            try WiFiRules.check(ssid: $0, security: .open, passphrase: nil)
        }
        await gate.enter()
        defer { gate.leave() }
        let (control, interface, stack) = try await powered()
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let start = UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
        var plan = ScanPlan()
        while let frequencies = plan.next(inUse: channelsInUse()) {
            try await listen(on: frequencies, askingFor: asked, control)
        }
        heard = try await stack.networks(heardBy: interface.index, since: start)
        return heard
    }

    /// Scans these channels once, whatever the radio is said to know, and returns the networks that it found.
    ///
    /// - Parameter frequencies: Centre frequencies in MHz; nil for all channels.
    func scan(on frequencies: [Int]?) async throws -> [WiFiNetwork] {
        await gate.enter()
        defer { gate.leave() }
        let (control, interface, stack) = try await powered()
        try await listen(on: frequencies ?? [], askingFor: nil, control)
        return try await stack.networks(heardBy: interface.index, since: 0)
    }

    /// Scans these centre frequencies in MHz; all channels if the list is empty.
    ///
    /// - Parameter name: The bytes of the name of a network that hides it.
    private func listen(on frequencies: [Int], askingFor name: [UInt8]?, _ control: ControlSocket) async throws {
        var command = "SCAN TYPE=ONLY"
        if !frequencies.isEmpty {
            // A passive scan stays on a channel for 111 ms, and beacons come every 102 ms, so one may be missed. But in
            // an active scan the kernel waits only 30 ms for an answer, which is missed more often on a busy machine.
            command += (name == nil ? " passive=1" : "") + " freq=" + frequencies.map { "\($0)" }.joined(separator: ",")
        }
        if let name { command += " ssid \(Hex.text(name))" }
        while true {
            let place = control.events.count
            let answer = try await control.ask(command)
            guard answer == "OK" || answer == "FAIL-BUSY" else {
                throw RadioError.rig("the supplicant cannot scan: \(answer)")
            }
            let result = try await control.events.first(
                from: place, within: .seconds(15), waitingFor: "the scan's results"
            ) { $0.name == "CTRL-EVENT-SCAN-RESULTS" || $0.name == "CTRL-EVENT-SCAN-FAILED" }
            // Busy: this was another scan of the supplicant, perhaps on other channels.
            guard answer == "OK" else { continue }
            guard result.event.name == "CTRL-EVENT-SCAN-RESULTS" else {
                throw RadioError.rig("the scan failed: \(result.event.text)")
            }
            return
        }
    }

    /// Where to look for a network that will be joined, as centre frequencies in MHz: the channel where it was last
    /// found, otherwise all channels in use. Empty for all channels.
    func frequencies(of ssid: String) -> [Int] {
        let known = Set(heard.filter { NetworkName.areEqual($0.ssid, ssid) }.map(\.frequency))
        return known.isEmpty ? channelsInUse() ?? [] : known.sorted()
    }
}
