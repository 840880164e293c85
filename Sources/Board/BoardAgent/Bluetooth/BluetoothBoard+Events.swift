import BoardProtocol
import HILBlueZ
import HILDBus
import RadioModel
import Synchronization

/// Events from bluetoothd, on the bus's thread, and from the kernel, on the thread of its management channel.
extension BluetoothBoard {
    /// This board and those that share its bluetoothd.
    private nonisolated var sharers: [BluetoothBoard] { [self] + roster.further.filter { $0.ownController == nil } }

    /// Passes a change of bluetoothd's objects to the board whose adapter it concerns. Runs on the bus's thread.
    ///
    /// - Parameter source: The board whose connection reported it.
    nonisolated func dispatch(_ change: BusObjectTree.Change, from source: BluetoothBoard) {
        guard source.ownController == nil else { return source.observe(change) }
        roster.note(change)
        switch change {
        case .added(let path, _), .removed(let path, _), .changed(let path, _, _):
            (roster.owner(of: path) ?? self).observe(change)
        case .serviceLost, .serviceFound:
            for board in sharers { board.observe(change) }
        }
    }

    /// Passes an event of the kernel to the board whose controller it concerns. Runs on the management channel's
    /// thread.
    nonisolated func dispatch(_ event: ManagementEvent, of controller: UInt16) {
        if event == .advertisingStarted { return advertisers.append(controller) }
        if event == .controllerAdded { arrivals.append(controller) }
        (roster.owner(of: controller) ?? self).observe(event)
    }

    /// Passes a question of bluetoothd during pairing to the board that it concerns. Runs on the bus's thread.
    nonisolated func dispatch(
        _ request: PairingAgent.Request, of daemon: BluetoothDaemon, from source: BluetoothBoard
    ) {
        guard source.ownController == nil else { return source.answer(request, of: daemon) }
        switch request {
        case .authorize(let device, _), .confirm(let device, _, _), .enter(let device, _), .show(let device, _):
            (roster.owner(of: device) ?? self).answer(request, of: daemon)
        }
    }

    /// Handles a change of bluetoothd's objects for this board's adapter. Runs on the bus's thread.
    private nonisolated func observe(_ change: BusObjectTree.Change) {
        switch change {
        case .changed(_, BlueZ.Interface.adapter, let properties):
            guard let isOn = properties["Powered"]?.asBool else { return }
            if !isOn { loseLinks() }
        case .removed(_, let interfaces) where interfaces.contains(BlueZ.Interface.adapter):
            loseLinks()
        case .serviceLost: loseLinks()
        case .changed(_, BlueZ.Interface.device, let properties):
            if properties["Bonded"]?.asBool == true { keepBonds() }
        default: break
        }
    }

    /// Writes a new bond to the disk, as phones and well-made accessories do. bluetoothd leaves that to the kernel. A
    /// program may do it for its own bonds.
    private nonisolated func keepBonds() {
        if listener != nil { BoardDisk.flush() }
    }

    /// Handles an event of the kernel. Runs on the management channel's thread.
    private nonisolated func observe(_ event: ManagementEvent) {
        switch event {
        case .deviceFound(let address, let rssi, let data): heard(address, rssi, data)
        case .connected(let address):
            _ = shared.state.withLock { $0.links.insert(address) }
            listener?.take(.connected(address))
            Task { await self.endLateLink(of: address) }
        case .disconnected(let address): loseLink(to: address)
        case .bonded(let address, let bond): listener?.take(.bonded(address, bond))
        case .classicKey(let address, let bond): shared.state.withLock { $0.classicKeys[address] = bond }
        case .identified(let before, let identity): identify(before, as: identity)
        case .advertisingStarted, .controllerAdded, .settingsChanged: break
        }
    }

    /// A device with a private address sent its identity address. The kernel uses that from now on.
    private nonisolated func identify(_ before: DeviceAddress, as identity: DeviceAddress) {
        guard before != identity else { return }
        shared.state.withLock { state in
            state.identities[before] = identity
            if state.links.remove(before) != nil { state.links.insert(identity) }
            state.calls[identity] = state.calls.removeValue(forKey: before)
        }
    }

    /// The kernel does not report the end of links when the adapter is removed.
    private nonisolated func loseLinks() {
        for address in shared.state.withLock({ $0.links }) { loseLink(to: address) }
    }

    private nonisolated func loseLink(to address: DeviceAddress) {
        let (wasUp, calls) = shared.state.withLock { state in
            (state.links.remove(address) != nil, state.calls.removeValue(forKey: address) ?? [:])
        }
        for cancel in calls.values { cancel() }
        guard wasUp else { return }
        listener?.take(.disconnected(address))
    }

    private nonisolated func heard(_ address: DeviceAddress, _ rssi: Int?, _ data: AdvertisingData) {
        let advertisement: Advertisement? = shared.state.withLock { state in
            guard state.isDiscovering else { return nil }
            return state.filter.take(address, data, rssi: rssi, at: .now)
        }
        if let advertisement { found.append(advertisement) }
    }

    /// Passes a question of bluetoothd during pairing to the accessory. Runs on the bus's thread.
    private nonisolated func answer(_ request: PairingAgent.Request, of daemon: BluetoothDaemon) {
        switch request {
        case .authorize(let device, let answer): put(.authorization, of: daemon.address(ofDeviceAt: device), answer)
        case .show(let device, let passkey):
            listener?.take(.passkeyShown(daemon.address(ofDeviceAt: device), passkey))
        case .enter(let device, let answer):
            guard let listener else { return answer(nil) }
            listener.enterPasskey(of: daemon.address(ofDeviceAt: device)) { answer($0) }
        case .confirm(let device, let passkey, let answer):
            put(.comparison(passkey: passkey), of: daemon.address(ofDeviceAt: device), answer)
        }
    }

    /// Asks the accessory. Without an accessory, refuses.
    private nonisolated func put(
        _ question: PairingQuestion, of phone: DeviceAddress?, _ answer: PairingAgent.Answer
    ) {
        guard let listener else { return answer(false) }
        listener.answer(question, of: phone) { answer($0) }
    }
}
