import HILBlueZ
import RadioModel

/// The role of the accessory: advertising.
extension BluetoothBoard {
    /// What an accessory has on the air. bluetoothd forgets it in a restart, and then gets it again.
    struct OnAir {
        var transports: AdapterTransports?
        var isPairable: Bool?
        var content: AdvertisedContent?
    }

    /// Passes an event of the board to the accessories of all adapters.
    nonisolated func tellAccessories(_ input: AccessoryInput) {
        for board in [self] + roster.further { board.accessory?.take(input) }
    }

    /// Sets the transports of the adapter, and forgets what was on the air.
    func applyTransports(_ transports: AdapterTransports) async throws {
        try await setTransports(transports)
        onAir = OnAir(transports: transports)
    }

    /// Sets whether unknown devices can pair.
    func setPairable(_ isPairable: Bool) async throws {
        try await adapter().setPairable(isPairable, within: Self.promptLimit)
        onAir.isPairable = isPairable
    }

    /// Advertises this content and the accessory's services. If it is already advertising, starts again.
    func advertise(_ content: AdvertisedContent) async throws {
        let adapter = try await adapter()
        try await adapter.setPowered(true, within: Self.promptLimit)
        try await offerAttributes()
        let advertiser = Advertiser(adapter, named: "\(adapterID)")
        try await advertiser.stop(within: Self.promptLimit)
        try await advertiser.start(content, within: Self.promptLimit)
        onAir.content = content
    }

    /// Offers the accessory's services.
    func offerAttributes() async throws {
        guard let current = hosted.current else { throw RadioError.invalid("this agent hosts no accessory") }
        try await current.radio.server(of: started(), offering: current.accessory.attributes)
            .register(with: adapter(), within: Self.promptLimit)
    }

    /// Withdraws the services that an accessory has on the bus.
    func withdrawAttributes(of radio: HostedRadio) async throws {
        guard let server = radio.takeServer() else { return }
        try await server.unregister(from: adapter(), within: Self.promptLimit)
        server.remove()
    }

    /// Another kind of accessory takes over: ends what this one has on the air.
    func endAccessory(_ before: HostedAccessories.Hosted) async throws {
        try await stopAdvertising()
        try await withdrawAttributes(of: before.radio)
        try await before.radio.closeNetworks()
        try await setClient(false)
        try await setName("")
        try await setConnectionParameters(nil)
    }

    /// Stops advertising. Links stay.
    func pauseAdvertising() async throws {
        onAir.content = nil
        try await Advertiser(adapter(), named: "\(adapterID)").stop(within: Self.promptLimit)
    }

    /// Ends the link of a device; nil for all.
    func dropLinks(of address: DeviceAddress?) async throws {
        for device in try started().connectedDevices(of: await adapter()) {
            if let address, device.address != shared.current(address) { continue }
            try await drop(device)
        }
    }

    /// Stops advertising and ends all links.
    func stopAdvertising() async throws {
        onAir = OnAir()
        classicService = nil
        let adapter = try await adapter()
        try await Advertiser(adapter, named: "\(adapterID)").stop(within: Self.promptLimit)
        for device in try started().connectedDevices(of: adapter) { try await drop(device) }
    }

    /// Restores what was on the air after bluetoothd was started again.
    func restoreOnAir() async throws {
        guard let wanted = onAir.transports else { return }
        let before = onAir
        _ = try await adapter()
        // bluetoothd sets up the adapter from its own configuration.
        transports = nil
        try await applyTransports(wanted)
        if let isPairable = before.isPairable { try await setPairable(isPairable) }
        if let content = before.content { try await advertise(content) }
    }
}
