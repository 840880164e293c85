import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILDBus
import HILPOSIX
import HILTiming
import RadioModel

/// An accessory as the central of a link: it looks for a phone that advertises, and connects.
extension BluetoothBoard {
    /// How long bluetoothd may take to start or stop the discovery. First it handles the received advertisements. With
    /// many devices, on an emulated board that shares a processor, that takes more than ten seconds.
    private static let discoveryLimit = Duration.seconds(25)

    /// Looks for a device that advertises a service, and returns its address.
    func find(_ service: BluetoothUUID, within limit: Duration) async throws -> DeviceAddress {
        let place = found.count
        try await discover(true)
        let address: DeviceAddress
        do {
            address = try await found.first(
                from: place, within: limit, waitingFor: "a device that advertises \(service)"
            ) { $0.serviceUUIDs.contains(service) }.event.address
        } catch {
            try? await discover(false)
            throw error is TimedOut ? RadioError.connectionFailed("\(error)") : error
        }
        try await discover(false)
        return address
    }

    /// Starts or stops listening to advertisements.
    private func discover(_ isOn: Bool) async throws(RadioError) {
        shared.state.withLock { state in
            state.isDiscovering = isOn
            if isOn { state.filter.reset() }
        }
        do {
            let adapter = try await adapter()
            try management().setReportsDuplicates(isOn, controller: adapter.number)
            if isOn {
                try await adapter.startDiscovery(within: Self.discoveryLimit)
            } else {
                try await adapter.stopDiscovery(within: Self.discoveryLimit)
            }
        } catch {
            shared.state.withLock { $0.isDiscovering = false }
            throw RadioError(rig: error)
        }
    }

    /// Connects, and returns when the services are discovered.
    func connect(_ address: DeviceAddress) async throws(RadioError) {
        let device = try await heardDevice(address)
        let limit = Duration.seconds(25)
        let current = shared.current(address)
        let isLinked = device.isConnected && shared.state.withLock { $0.links.contains(current) }
        do { try await device.connect(isLinked: isLinked, within: limit) } catch let error as BusError {
            guard error.name == BusError.Name.noReply else { throw RadioError(connecting: error) }
            // Otherwise bluetoothd would keep trying.
            try? await device.cancelConnecting(within: Self.promptLimit)
            throw .connectionFailed("the device did not answer within \(limit.short)")
        } catch let error as TimedOut {
            throw .connectionFailed(error.description)
        } catch { throw RadioError(rig: error) }
    }

    /// A device that bluetoothd knows, or will know soon because the kernel has just reported it.
    private func heardDevice(_ address: DeviceAddress) async throws(RadioError) -> Device {
        guard shared.state.withLock({ $0.filter.remembers(address) }) else { return try device(address) }
        let daemon = try started()
        do { return try await daemon.device(shared.current(address), within: .seconds(2)) } catch {
            throw .unknownDevice(address)
        }
    }

    /// Opens an L2CAP channel over the LE link to a device.
    func openLEChannel(to address: DeviceAddress, port: UInt16) async throws(RadioError) -> LEChannel {
        let device = try device(address)
        guard device.isConnected, let current = device.address else { throw .notConnected }
        do {
            let own = try await self.address()
            return try await withDeadline(Self.promptLimit, waitingFor: "\(address) to open L2CAP channel \(port)") {
                try await LEChannel.connect(to: current, isRandom: device.isRandom, port: port, from: own)
            }
        } catch let error as SystemError {
            throw .streamFailed(code: error.code, reason: "\(error)")
        } catch let error as TimedOut {
            throw .connectionFailed("\(error)")
        } catch { throw RadioError(rig: error) }
    }

    func device(_ address: DeviceAddress) throws(RadioError) -> Device {
        guard let device = try started().device(shared.current(address)) else { throw .unknownDevice(address) }
        return device
    }
}
