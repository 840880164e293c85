import Glibc
import RadioModel
import WiFi

/// What the station hears, and where it listens.
extension StationBoard {
    /// Scans, and gives what was heard now.
    func scan() async throws -> [WiFiNetwork] {
        await gate.enter()
        defer { gate.leave() }
        let (control, interface, stack) = try await powered()
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let start = UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
        var plan = ScanPlan()
        while let frequencies = plan.next(inUse: channelsInUse()) { try await listen(on: frequencies, control) }
        heard = try await stack.networks(heardBy: interface.index, since: start)
        return heard
    }

    /// Scans these channels, MHz, or all of them where none is named.
    private func listen(on frequencies: [Int], _ control: ControlSocket) async throws {
        var command = "SCAN TYPE=ONLY"
        if !frequencies.isEmpty {
            // Listening stays on a channel for 111 ms, and a beacon comes every 102: one may be missed, but an answer to a
            // probe, for which the kernel waits 30 ms, comes too late more often on a loaded machine.
            command += " passive=1 freq=" + frequencies.map { "\($0)" }.joined(separator: ",")
        }
        while true {
            let place = control.events.count
            let answer = try await control.ask(command)
            guard answer == "OK" || answer == "FAIL-BUSY" else {
                throw RadioError.rig("the supplicant cannot scan: \(answer)")
            }
            let result = try await control.events.first(
                from: place, within: .seconds(15), waitingFor: "the scan's results"
            ) { $0.name == "CTRL-EVENT-SCAN-RESULTS" || $0.name == "CTRL-EVENT-SCAN-FAILED" }
            // Busy: that was a scan of the supplicant's own, maybe of other channels.
            guard answer == "OK" else { continue }
            guard result.event.name == "CTRL-EVENT-SCAN-RESULTS" else {
                throw RadioError.rig("the scan failed: \(result.event.text)")
            }
            return
        }
    }

    /// Where to look for a network that is to be joined, MHz: where it was heard last, or else wherever something is to be
    /// heard; none is everywhere.
    func frequencies(of ssid: String) -> [Int] {
        let known = Set(heard.filter { NetworkName.areEqual($0.ssid, ssid) }.map(\.frequency))
        return known.isEmpty ? channelsInUse() ?? [] : known.sorted()
    }
}
