import BlueZ
import RadioModel

/// The accessory's role: what is on the air.
extension BluetoothBoard {
    /// How an accessory is on the air, for a bluetoothd that comes back and knows nothing of it.
    struct OnAir {
        var transports: AdapterTransports?
        var isPairable: Bool?
        var content: AdvertisedContent?
    }

    /// Tells the accessories of all adapters what became of the board.
    nonisolated func tellAccessories(_ input: AccessoryInput) {
        for board in [self] + roster.further { board.accessory?.take(input) }
    }

    /// Makes the adapter be this, from now on.
    func haveTransports(_ transports: AdapterTransports) async throws {
        try await setTransports(transports)
        onAir = OnAir(transports: transports)
    }

    /// Lets strangers pair, or refuses them.
    func setPairable(_ isPairable: Bool) async throws {
        try await adapter().setPairable(isPairable, within: Self.promptLimit)
        onAir.isPairable = isPairable
    }

    /// Is on the air with this and the accessory's services; starts anew where it is already.
    func advertise(_ content: AdvertisedContent) async throws {
        guard let accessory else { throw RadioError.invalid("this agent hosts no accessory") }
        let adapter = try await adapter()
        try await adapter.setPowered(true, within: Self.promptLimit)
        try await radio.server(of: started(), offering: accessory.attributes)
            .register(with: adapter, within: Self.promptLimit)
        let advertiser = Advertiser(adapter, named: "\(adapterID)")
        try await advertiser.stop(within: Self.promptLimit)
        try await advertiser.start(content, within: Self.promptLimit)
        onAir.content = content
    }

    /// Is off the air, without a link.
    func goSilent() async throws {
        onAir = OnAir()
        classicService = nil
        let adapter = try await adapter()
        try await Advertiser(adapter, named: "\(adapterID)").stop(within: Self.promptLimit)
        for device in try started().connectedDevices(of: adapter) { try await drop(device) }
    }

    /// Puts on the air again, by a bluetoothd that was started again, what was on it before.
    func comeBack() async throws {
        guard let wanted = onAir.transports else { return }
        let before = onAir
        _ = try await adapter()
        // bluetoothd makes of the adapter what its own configuration says.
        transports = nil
        try await haveTransports(wanted)
        if let isPairable = before.isPairable { try await setPairable(isPairable) }
        if let content = before.content { try await advertise(content) }
    }
}
