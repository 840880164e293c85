import HILBlueZ
import RadioModel

/// The role of the accessory: advertising.
extension BluetoothBoard {
    /// What an accessory should have on the air. bluetoothd forgets it in a restart, and then gets it again.
    struct OnAir {
        var transports: AdapterTransports?
        var isPairable: Bool?
        var content: AdvertisedContent?
    }

    /// Passes an event of the board to the accessories of all adapters.
    nonisolated func tellAccessories(_ input: AccessoryInput) {
        for board in [self] + roster.further { board.accessory?.take(input) }
    }

    /// Makes one change of what is on the air, after those that were asked for before.
    ///
    /// While ``restoreOnAir()`` sets up the adapter of a new bluetoothd, it is off, and nothing can be advertised.
    func inTurn(_ change: () async throws -> Void) async rethrows {
        await airGate.enter()
        defer { airGate.leave() }
        try await change()
    }

    /// Sets the transports of the adapter, and forgets what was on the air.
    func applyTransports(_ transports: AdapterTransports) async throws {
        try await inTurn {
            try await setTransports(transports)
            onAir = OnAir(transports: transports)
        }
    }

    /// Sets whether unknown devices can pair.
    func setPairable(_ isPairable: Bool) async throws {
        try await inTurn {
            try await adapter().setPairable(isPairable, within: Self.promptLimit)
            onAir.isPairable = isPairable
        }
    }

    /// Advertises this content and the accessory's services. If it is already advertising, starts again.
    func advertise(_ content: AdvertisedContent) async throws {
        try await inTurn {
            try await putOnAir(content)
            onAir.content = content
        }
    }

    /// Advertises this content and the accessory's services.
    func putOnAir(_ content: AdvertisedContent) async throws {
        let adapter = try await adapter()
        try await adapter.setPowered(true, within: Self.promptLimit)
        try await offerAttributes()
        let advertiser = BoardAdvertiser(adapter, named: "\(adapterID)")
        try await advertiser.stop(within: Self.promptLimit)
        try await advertiser.start(content, within: Self.promptLimit)
    }

    /// Advertises nothing for a while.
    func takeOffAir() async throws {
        try await BoardAdvertiser(adapter(), named: "\(adapterID)").stop(within: Self.promptLimit)
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
        try await inTurn {
            onAir.content = nil
            try await takeOffAir()
        }
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
        try await inTurn {
            onAir = OnAir()
            await endClassicService()
            try await takeOffAir()
            var unknown = shared.state.withLock { $0.links }
            for device in try started().connectedDevices(of: await adapter()) {
                if let address = device.address { unknown.remove(shared.current(address)) }
                try await drop(device)
            }
            for address in unknown { await endLateLink(of: address) }
        }
    }

    /// Ends a link that came up although the accessory has been switched off: the other end knew of it earlier.
    func endLateLink(of address: DeviceAddress) async {
        guard onAir.transports == nil, hosted.current != nil, listener != nil else { return }
        // Without the link there is nothing to do.
        try? await dropLateLink(of: address)
    }

    /// Ends a link that the kernel knows of; bluetoothd will know of it soon.
    private func dropLateLink(of address: DeviceAddress) async throws {
        let device = try await started().device(shared.current(address), within: Self.promptLimit)
        let path = device.path
        let isUp = try await started().objects.first(
            within: Self.promptLimit, waitingFor: "bluetoothd to know of the link"
        ) { [shared] objects in
            if objects[path]?[BlueZ.Interface.device]?["Connected"]?.asBool == true { return true }
            let current = shared.current(address)
            return shared.state.withLock { $0.links.contains(current) } ? nil : false
        }
        if isUp { try await drop(device) }
    }

    /// Restores what was on the air after bluetoothd was started again.
    func restoreOnAir() async throws { try await inTurn { try await restore() } }

    /// Restores what is not on the air, but should be.
    func restore() async throws {
        guard let wanted = onAir.transports else { return }
        // bluetoothd sets up the adapter from its own configuration.
        transports = nil
        try await setTransports(wanted)
        if let isPairable = onAir.isPairable {
            try await adapter().setPairable(isPairable, within: Self.promptLimit)
        }
        if let content = onAir.content { try await putOnAir(content) } else { try await offerAttributes() }
    }
}
