import BoardProtocol
import RadioModel

/// Wi-Fi's switch on a phone.
extension StationBoard {
    /// Wi-Fi on or off. Off gives up an attempt to join, leaves the network, and takes the radio from the supplicant, which
    /// sets its interface down.
    func setPower(_ isOn: Bool) async throws {
        await switchGate.enter()
        defer { switchGate.leave() }
        guard isOn == isSwitchedOff else { return }
        isSwitchedOff = !isOn
        if isOn { try await comeOn() } else { try await goOff() }
        emit(.radio(.wifiPower(isOn)))
    }

    private func comeOn() async throws {
        do {
            _ = try await power()
            _ = try await powered()
        } catch {
            isSwitchedOff = true
            throw error
        }
    }

    private func goOff() async throws {
        for attempt in attempts.values { attempt.cancel() }
        await gate.enter()
        defer { gate.leave() }
        try await leaveNow()
        guard let global, let interface else { return }
        await forgetInterface()
        try await global.order("INTERFACE_REMOVE \(interface.name)")
    }

    /// Joins a network and gets an address. On failure the board is on the network that it was on, or on none.
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
