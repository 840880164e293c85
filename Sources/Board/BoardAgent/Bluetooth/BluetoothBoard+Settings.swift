import BoardProtocol
import HILBlueZ
import RadioModel

/// Settings that bluetoothd reads only when it starts.
extension BluetoothBoard {
    /// Sets whether the services of phones that connect are discovered, and whether the accessory has a Device Information
    /// service of its own. If something changes, bluetoothd is restarted: bonds are kept, and everything on the air is
    /// lost.
    func setClient(_ isClient: Bool, hasDeviceInformation: Bool = false) async throws {
        var wanted = settings
        wanted.isClient = isClient
        if adapterID == .first { wanted.hasDeviceInformation = hasDeviceInformation }
        guard wanted != settings else { return }
        guard adapterID == .first else {
            throw RadioError.unsupported(
                "only the accessory of adapter 0 can be a client of phones: all adapters share one bluetoothd")
        }
        try await inTurn {
            onAir = OnAir()
            try await restart(with: wanted)
            // The new process has the board's own settings.
            (transports, ownName) = (nil, "")
        }
    }

    /// Stores the function that restarts bluetoothd.
    func onRestart(_ restart: @escaping @Sendable (BluetoothSettings) async throws -> Void) { restartDaemon = restart }

    /// Restarts bluetoothd, which then sees only its own adapters. Links end.
    func restartAsItIs() async throws {
        try await inTurn {
            try await restart(with: settings)
            try await restore()
        }
    }

    private func restart(with wanted: BluetoothSettings) async throws {
        guard let restartDaemon else { throw RadioError.rig("the board's Bluetooth was not started") }
        try await dropLinks(of: nil)
        try await restartDaemon(wanted)
        settings = wanted
        _ = try await powerAdapter()
        await registerAgent()
    }
}
