import BoardProtocol
import RadioModel

/// The Wi-Fi switch of a phone.
extension StationBoard {
    /// Switches Wi-Fi on or off.
    ///
    /// Off cancels attempts to join, leaves the network, and removes the interface from the supplicant, which brings it
    /// down.
    func setPower(_ isOn: Bool) async throws {
        await switchGate.enter()
        defer { switchGate.leave() }
        guard isOn == isSwitchedOff else { return }
        isSwitchedOff = !isOn
        if isOn { try await switchOn() } else { try await switchOff() }
        emit(.radio(.wifiPower(isOn)))
    }

    private func switchOn() async throws {
        do {
            _ = try await power()
            _ = try await powered()
        } catch {
            isSwitchedOff = true
            throw error
        }
    }

    private func switchOff() async throws {
        for attempt in attempts.values { attempt.cancel() }
        await gate.enter()
        defer { gate.leave() }
        try await leaveNow()
        guard let global, let interface else { return }
        await forgetInterface()
        try await global.order("INTERFACE_REMOVE \(interface.name)")
    }

    /// Joins a network and gets an address. If that fails, the board is on its earlier network again, or on none.
    func join(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        let attempt = Task { try await joinNow(credentials) }
        lastAttempt += 1
        let number = lastAttempt
        attempts[number] = attempt
        defer { attempts[number] = nil }
        do {
            return try await withTaskCancellationHandler {
                try await attempt.value
            } onCancel: {
                attempt.cancel()
            }
        } catch { throw isSwitchedOff ? RadioError.wifiOff : error }
    }
}
