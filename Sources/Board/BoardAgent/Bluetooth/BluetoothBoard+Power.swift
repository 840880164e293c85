import BoardProtocol
import HILBlueZ
import HILDBus
import RadioModel

/// The Bluetooth switch of a phone.
extension BluetoothBoard {
    /// Switches Bluetooth on or off. Off first ends all activity.
    ///
    /// bluetoothd 5.82 would let a pairing run to its end, or wait for the answer to a passkey until the link times
    /// out.
    package func setPower(_ isOn: Bool) async throws(RadioError) {
        await powerGate.enter()
        defer { powerGate.leave() }
        do {
            if !isOn { powerOffCount += 1 }
            shared.state.withLock { $0.isGoingOff = !isOn }
            defer { shared.state.withLock { $0.isGoingOff = false } }
            let adapter = try await adapter()
            if !isOn && adapter.isPowered { try await endAllActivity(on: adapter) }
            try await adapter.setPowered(isOn, within: Self.promptLimit)
        } catch { throw RadioError(rig: error) }
    }

    /// - Throws: ``RadioError/bluetoothOff`` while Bluetooth is being switched off.
    func requirePower() throws(RadioError) {
        if shared.state.withLock({ $0.isGoingOff }) { throw .bluetoothOff }
    }

    /// First ends pairings, so that their peers learn of it, then connection attempts, then links.
    private func endAllActivity(on adapter: Adapter) async throws {
        let (questions, entries) = shared.state.withLock { state in
            defer { (state.questions, state.entries) = ([:], [:]) }
            return (Array(state.questions.values), Array(state.entries.values))
        }
        for answer in questions { answer(false) }
        for answer in entries { answer(nil) }
        for address in pairing {
            guard let device = try started().device(shared.current(address)), !device.isPaired else { continue }
            try await device.cancelPairing(within: Self.promptLimit)
        }
        for address in pairing.union(connecting) {
            guard let device = try started().device(shared.current(address)), !device.isConnected else { continue }
            try await device.cancelConnecting(within: Self.promptLimit)
        }
        for device in try started().connectedDevices(of: adapter) { try await drop(device) }
        // For callers that wait for the result of a pairing that the peer started.
        for address in pairing { pairings.append(PairingRecord(address: shared.current(address), bond: nil)) }
    }

    /// Deletes the bond and everything known about the device. Does nothing for an unknown device.
    ///
    /// bluetoothd cannot forget devices while Bluetooth is off. In that case the device is forgotten when Bluetooth is
    /// on again.
    package func forget(_ address: DeviceAddress) async throws(RadioError) {
        guard let device = try started().device(shared.current(address)) else { return }
        if let address = device.address { _ = shared.state.withLock { $0.classicKeys.removeValue(forKey: address) } }
        guard !shared.state.withLock({ $0.isGoingOff }), isPowered else { return forgetLater(address) }
        do {
            // With a link, bluetoothd would wait two seconds before it ends the link; if only bluetoothd assumes that
            // the link exists, it would wait for ever.
            guard try await drop(device) else { return forgetLater(address) }
            try await adapter().remove(device, within: Self.promptLimit)
            BoardDisk.flush()
        } catch let error as BusError where error.name == BlueZ.ErrorName.notReady {
            forgetLater(address)
        } catch { throw RadioError(rig: error) }
    }

    private func forgetLater(_ address: DeviceAddress) {
        _ = shared.state.withLock { $0.toForget.insert(address) }
    }

    /// Bluetooth was switched on. Forgets the pending devices first, then reports that it is on.
    func forgetPendingDevices() async {
        let addresses = shared.state.withLock { state in
            defer { state.toForget = [] }
            return state.toForget
        }
        for address in addresses {
            do { try await forget(address) } catch {
                emit(.daemonLost(name: "bluetoothd", how: "it does not forget \(address): \(error)"))
            }
        }
        emit(.radio(.bluetoothPower(true)))
    }
}
