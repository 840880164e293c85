import BoardProtocol
import RadioModel
import RigModel

extension RigConnection {
    /// Unwraps a facet that a scenario needs. If this rig does not have it, the scenario is skipped.
    ///
    /// - Parameter capability: What the facet is for.
    /// - Throws: `RigLacks`, which is recorded already: catching it changes nothing.
    func facet<Facet>(_ facet: Facet?, _ capability: Capability, _ recorder: ScenarioRecorder) throws -> Facet {
        if let facet { return facet }
        try require(capability, recorder)
        throw RigFailure("connecting to the \(description.kind) rig", "it gave no way to \(capability)")
    }

    /// Skips the scenario if this rig does not have a capability.
    ///
    /// - Throws: `RigLacks`, which is recorded already: catching it changes nothing.
    ///   `RadioError.invalid` if the scenario uses the accessory board, and has declared that it needs none.
    func require(_ capability: Capability, _ recorder: ScenarioRecorder) throws {
        if let lack = description.lack(of: [capability]) {
            recorder.record(lack: lack)
            throw lack
        }
        if capability == .accessoryBoard, let absence { throw RadioError.invalid(absence) }
    }

    /// Plugs a radio into a board and powers it.
    ///
    /// - Returns: The radio's address.
    @discardableResult
    func plugIn(
        _ radio: AirRadio, of board: BoardRole, adapter: AdapterID = .first, _ recorder: ScenarioRecorder
    ) async throws -> DeviceAddress {
        let adapters = try facet(adapters, .adapters, recorder)
        let address = try await adapters.attach(radio, to: board, adapter: adapter)
        try await powerRadios(of: board, adapter: adapter, at: address)
        return address
    }

    /// Plugs a further Wi-Fi radio into the host board.
    ///
    /// - Returns: Its address, and that of the phone's radio, which comes first: the first one of the board is the
    ///   phone's.
    func plugInFurtherWiFi(
        _ adapter: AdapterID, by adapters: any AdapterControl
    ) async throws -> (further: DeviceAddress, phone: DeviceAddress) {
        if asleep.contains(.host) { try await host.ask { .system(.wake($0)) } }
        let phone = try await adapters.attach(.wifi, to: .host, adapter: .first)
        return (try await adapters.attach(.wifi, to: .host, adapter: adapter), phone)
    }

    /// Powers the radios of a board; for an adapter other than the first, only that adapter.
    private func powerRadios(of role: BoardRole, adapter: AdapterID, at address: DeviceAddress) async throws {
        if adapter == .first {
            try await board(role).ask { .system(.powerRadios($0)) }
        } else {
            try await board(role).ask { .accessory(.powerAdapter(adapter, address, $0)) }
        }
    }
}
