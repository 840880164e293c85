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
        case .cancelled:
            for board in sharers { board.answer(request, of: daemon) }
        }
    }

    /// Handles a change of bluetoothd's objects for this board's adapter. Runs on the bus's thread.
    private nonisolated func observe(_ change: BusObjectTree.Change) {
        switch change {
        case .added(_, let interfaces) where interfaces[BlueZ.Interface.adapter]?["Powered"]?.asBool == true:
            // bluetoothd has restarted, and the adapter is on.
            tellPower(true)
        case .changed(_, BlueZ.Interface.adapter, let properties):
            guard let isOn = properties["Powered"]?.asBool else { return }
            if !isOn { loseLinks("Bluetooth was switched off") }
            tellPower(isOn)
        case .removed(_, let interfaces) where interfaces.contains(BlueZ.Interface.adapter):
            loseLinks("the adapter was removed")
            tellPower(false)
        case .serviceLost:
            loseLinks("bluetoothd is gone")
            tellPower(false)
        case .changed(let path, BlueZ.Interface.device, let properties):
            if properties["Bonded"]?.asBool == true { keepBonds() }
            noteDiscovery(of: path, properties)
        case .added(let path, let interfaces)
        where interfaces[BlueZ.Interface.service] != nil || interfaces[BlueZ.Interface.characteristic] != nil:
            noteServiceChange(at: path, isNew: true)
        case .removed(let path, let interfaces) where interfaces.contains(BlueZ.Interface.service):
            noteServiceChange(at: path, isNew: false)
        default: break
        }
    }

    /// Writes a new bond to the disk, as phones and well-made accessories do. bluetoothd leaves that to the kernel. A
    /// program may do it for its own bonds.
    private nonisolated func keepBonds() {
        if role == .host || listener != nil { BoardDisk.flush() }
    }

    private nonisolated func noteDiscovery(of device: String, _ properties: [String: BusValue]) {
        shared.state.withLock { state in
            if properties["ServicesResolved"]?.asBool == true { state.resolved.insert(device) }
            if properties["ServicesResolved"]?.asBool == false || properties["Connected"]?.asBool == false {
                state.resolved.remove(device)
            }
        }
    }

    /// An attribute of a device came or went after its services were discovered: the device may have changed its table.
    private nonisolated func noteServiceChange(at path: String, isNew: Bool) {
        guard let end = path.firstRange(of: "/service")?.lowerBound else { return }
        let device = String(path[..<end])
        guard role == .host, shared.state.withLock({ $0.resolved.contains(device) }) else { return }
        Task { await self.awaitServices(of: device, isNew: isNew) }
    }

    private nonisolated func tellPower(_ isOn: Bool) {
        guard role == .host, shared.state.withLock({ !$0.isRestarting }) else { return }
        guard isOn, shared.state.withLock({ !$0.toForget.isEmpty }) else {
            return emit(.radio(.bluetoothPower(isOn)))
        }
        Task { await self.forgetPendingDevices() }
    }

    /// Handles an event of the kernel. Runs on the management channel's thread.
    private nonisolated func observe(_ event: ManagementEvent) {
        switch event {
        case .deviceFound(let address, let rssi, let data): heard(address, rssi, data)
        case .connected(let address):
            _ = shared.state.withLock { $0.links.insert(address) }
            if role == .host { emit(.radio(.connected(address))) }
            listener?.take(.connected(address))
        case .disconnected(let address, let reason): loseLink(to: address, reason.text)
        case .bonded(let address, let bond):
            pairings.append(PairingRecord(address: address, bond: bond))
            if role == .host { emit(.radio(.bonded(address, bond))) }
            listener?.take(.bonded(address, bond))
        case .classicKey(let address, let bond): shared.state.withLock { $0.classicKeys[address] = bond }
        case .identified(let before, let identity): identify(before, as: identity)
        case .authenticationFailed(let address, _): pairings.append(PairingRecord(address: address, bond: nil))
        case .parametersRequested(let address, let parameters):
            if role == .host { emit(.radio(.parametersRequested(address, parameters))) }
        case .connectsByItself(let address): additions.append(address)
        case .connectFailed, .advertisingStarted, .controllerAdded, .settingsChanged: break
        }
    }

    /// A device with a private address sent its identity address. The kernel uses that from now on.
    private nonisolated func identify(_ before: DeviceAddress, as identity: DeviceAddress) {
        guard before != identity else { return }
        shared.state.withLock { state in
            state.identities[before] = identity
            if state.links.remove(before) != nil { state.links.insert(identity) }
            state.questions[identity] = state.questions.removeValue(forKey: before)
            state.entries[identity] = state.entries.removeValue(forKey: before)
            state.calls[identity] = state.calls.removeValue(forKey: before)
        }
        if role == .host { emit(.radio(.addressChanged(before, to: identity))) }
    }

    /// The kernel does not report the end of links when the adapter is removed.
    private nonisolated func loseLinks(_ reason: String) {
        for address in shared.state.withLock({ $0.links }) { loseLink(to: address, reason) }
    }

    private nonisolated func loseLink(to address: DeviceAddress, _ reason: String) {
        let (wasUp, calls) = shared.state.withLock { state in
            state.questions[address] = nil
            state.entries[address] = nil
            return (state.links.remove(address) != nil, state.calls.removeValue(forKey: address) ?? [:])
        }
        for cancel in calls.values { cancel() }
        guard wasUp else { return }
        if role == .host { emit(.radio(.disconnected(address, reason: reason))) }
        listener?.take(.disconnected(address))
    }

    private nonisolated func heard(_ address: DeviceAddress, _ rssi: Int?, _ data: AdvertisingData) {
        let advertisement: Advertisement? = shared.state.withLock { state in
            guard state.isDiscovering else { return nil }
            return state.filter.take(address, data, rssi: rssi, at: .now)
        }
        guard let advertisement else { return }
        role == .host ? emit(.radio(.advertisement(advertisement))) : found.append(advertisement)
    }

    /// Answers a question of bluetoothd during pairing, or passes it on. Runs on the bus's thread.
    private nonisolated func answer(_ request: PairingAgent.Request, of daemon: BluetoothDaemon) {
        switch request {
        case .authorize(let device, let answer):
            if role == .host { return answer(true) }
            put(.authorization, of: daemon.address(ofDeviceAt: device), answer)
        case .cancelled:
            shared.state.withLock { state in
                state.questions = [:]
                state.entries = [:]
            }
        case .show(let device, let passkey):
            let address = daemon.address(ofDeviceAt: device)
            guard role == .host else { return listener?.take(.passkeyShown(address, passkey)) ?? () }
            if let address { emit(.radio(.showPasskey(address, passkey: passkey))) }
        case .enter(let device, let answer):
            let address = daemon.address(ofDeviceAt: device)
            guard role == .host else {
                guard let listener else { return answer(nil) }
                return listener.enterPasskey(of: address) { answer($0) }
            }
            guard let address, shared.ask(address, answer) else { return answer(nil) }
            emit(.radio(.enterPasskey(address)))
        case .confirm(let device, let passkey, let answer):
            if role == .accessory {
                return put(.comparison(passkey: passkey), of: daemon.address(ofDeviceAt: device), answer)
            }
            guard let address = daemon.address(ofDeviceAt: device), shared.ask(address, answer) else {
                return answer(false)
            }
            emit(.radio(.confirmPasskey(address, passkey: passkey)))
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
