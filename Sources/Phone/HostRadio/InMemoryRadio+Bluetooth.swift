import BoardProtocol
import Foundation
import RadioModel

/// Bluetooth of the in-memory radio.
extension InMemoryRadio {
    package func setBluetoothPower(_ isOn: Bool) async throws {
        let isTold = state.withLock { $0.tellsPower }
        let (lost, answers, entries) = state.withLock { state in
            state.isPowered = isOn
            let nothing = ([CheckedContinuation<Bool, Never>](), [CheckedContinuation<UInt32?, Never>]())
            guard !isOn else { return (Set<DeviceAddress>(), nothing.0, nothing.1) }
            state.isDiscovering = false
            defer { (state.connected, state.answers, state.entries) = ([], [:], [:]) }
            return (state.connected, Array(state.answers.values), Array(state.entries.values))
        }
        for answer in answers { answer.resume(returning: false) }
        for entry in entries { entry.resume(returning: nil) }
        for device in lost { continuation.yield(.disconnected(device, reason: "adapter powered off")) }
        if isTold { continuation.yield(.bluetoothPower(isOn)) }
    }

    package func cutBluetoothPower() async throws { try await setBluetoothPower(false) }

    /// Simulates a broken rig: from now on, no event says that Bluetooth was switched.
    package func stopTellingPower() { state.withLock { $0.tellsPower = false } }

    /// Simulates a broken rig: Bluetooth is off, but no event says so.
    package func losePowerSilently() { state.withLock { $0.isPowered = false } }

    package func startDiscovery() async throws {
        let heard = try state.withLock { state in
            guard state.isPowered else { throw RadioError.bluetoothOff }
            state.isDiscovering = true
            return state.order.compactMap { state.devices[$0]?.reported }
        }
        for advertisement in heard { continuation.yield(.advertisement(advertisement)) }
    }

    package func stopDiscovery() async throws { state.withLock { $0.isDiscovering = false } }

    package func connect(_ device: DeviceAddress) async throws {
        let isNew = try state.withLock { state in
            guard state.isPowered else { throw RadioError.bluetoothOff }
            guard let peer = state.devices[device] else { throw RadioError.unknownDevice(device) }
            guard peer.isConnectable else { throw RadioError.connectionFailed("page timeout") }
            return state.connected.insert(device).inserted
        }
        if isNew { continuation.yield(.connected(device)) }
    }

    package func disconnect(_ device: DeviceAddress) async throws {
        let (wasConnected, waiting, entry) = state.withLock { state in
            state.notifying = state.notifying.filter { $0.device != device }
            return (
                state.connected.remove(device) != nil, state.answers.removeValue(forKey: device),
                state.entries.removeValue(forKey: device)
            )
        }
        waiting?.resume(returning: false)
        entry?.resume(returning: nil)
        if wasConnected { continuation.yield(.disconnected(device, reason: "terminated by this end")) }
    }

    package func pair(_ device: DeviceAddress) async throws -> Bond {
        guard let peer = state.withLock({ $0.devices[device] }) else { throw RadioError.unknownDevice(device) }
        try await connect(device)
        switch peer.pairing {
        case .refuses(let reason): throw RadioError.pairingFailed(reason)
        case .justWorks:
            guard try await answer(of: device, to: .askPairing(device)) else {
                throw RadioError.pairingFailed("the person refused")
            }
        case .compares(let passkey):
            guard try await answer(of: device, to: .confirmPasskey(device, passkey: passkey)) else {
                throw RadioError.pairingFailed("the numbers were not confirmed")
            }
        case .shows(let passkey):
            guard try await entry(of: device, asking: .enterPasskey(device)) == passkey else {
                throw RadioError.pairingFailed("Authentication Failed")
            }
        case .asks(let passkey):
            guard try await entry(of: device, asking: .showPasskey(device, passkey: passkey)) == passkey else {
                throw RadioError.pairingFailed("Authentication Failed")
            }
        }
        let bond = Bond(isSecureConnections: true, isAuthenticated: peer.pairing != .justWorks)
        let identity = peer.identity ?? device
        state.withLock { state in
            if identity != device { state.rename(device, to: identity) }
            state.bonds[identity] = bond
        }
        if identity != device { continuation.yield(.addressChanged(device, to: identity)) }
        continuation.yield(.bonded(identity, bond))
        return bond
    }

    /// Asks the person by an event, and waits for yes or no.
    private func answer(of device: DeviceAddress, to event: RadioEvent) async throws -> Bool {
        let isAccepted = await withCheckedContinuation { answer in
            state.withLock { $0.answers[device] = answer }
            continuation.yield(event)
        }
        guard state.withLock({ $0.isPowered }) else { throw RadioError.bluetoothOff }
        return isAccepted
    }

    /// Asks the person by an event, and waits for the number.
    private func entry(of device: DeviceAddress, asking event: RadioEvent) async throws -> UInt32? {
        let entered = await withCheckedContinuation { answer in
            state.withLock { $0.entries[device] = answer }
            continuation.yield(event)
        }
        guard state.withLock({ $0.isPowered }) else { throw RadioError.bluetoothOff }
        return entered
    }

    package func enterPasskey(_ device: DeviceAddress, _ passkey: UInt32?) async throws {
        guard let answer = state.withLock({ $0.entries.removeValue(forKey: device) }) else {
            throw RadioError.invalid("\(device) has not asked for a number")
        }
        answer.resume(returning: passkey)
    }

    package func bridge(_ device: DeviceAddress, port: UInt16) async throws -> ClassicLink {
        try state.withLock { state in
            let address = state.current(device)
            guard let peer = state.devices[address] else { throw RadioError.unknownDevice(address) }
            guard let bond = state.bonds[address], let keySize = peer.classicKeySize else {
                throw RadioError.pairingFailed("pairing gave no key for classic Bluetooth")
            }
            return ClassicLink(address: address, key: bond, keySize: keySize)
        }
    }

    package func answerPairing(_ device: DeviceAddress, accept: Bool) async throws {
        guard let answer = state.withLock({ $0.answers.removeValue(forKey: device) }) else {
            throw RadioError.invalid("\(device) has asked nothing")
        }
        answer.resume(returning: accept)
    }

    package func forget(_ device: DeviceAddress) async throws {
        let address = state.withLock { $0.current(device) }
        try await disconnect(address)
        state.withLock { state in
            state.bonds[address] = nil
            state.kept.forget(address)
        }
    }

    package func read(_ characteristic: CharacteristicID, of device: DeviceAddress) async throws -> Data {
        let peer = try await peer(device, touching: characteristic)
        // 0x01: invalid handle.
        guard let value = peer.values[characteristic] else { throw RadioError.attribute(code: 0x01) }
        return value
    }

    package func write(
        _ value: Data, to characteristic: CharacteristicID, of device: DeviceAddress, withResponse: Bool
    ) async throws {
        let peer = try await peer(device, touching: characteristic)
        state.withLock { $0.devices[device]?.values[characteristic] = value }
        peer.onWrite?(characteristic, value)
    }

    package func setNotifying(_ isOn: Bool, for characteristic: CharacteristicID, of device: DeviceAddress) async throws
    {
        _ = try await peer(device, touching: characteristic)
        let subscription = Subscription(device: device, characteristic: characteristic)
        state.withLock { state in
            if isOn { state.notifying.insert(subscription) } else { state.notifying.remove(subscription) }
        }
    }

    package func read(_ descriptor: DescriptorID, of device: DeviceAddress) async throws -> Data {
        // 0x01: invalid handle.
        guard let value = try peer(device).descriptorValues[descriptor] else { throw RadioError.attribute(code: 0x01) }
        return value
    }

    package func write(_ value: Data, to descriptor: DescriptorID, of device: DeviceAddress) async throws {
        _ = try peer(device)
        state.withLock { $0.devices[$0.current(device)]?.descriptorValues[descriptor] = value }
    }

    package func openChannel(to device: DeviceAddress, port: UInt16) async throws -> any RadioChannel {
        guard let accept = try peer(device).channels[port] else {
            throw RadioError.streamFailed(code: 111, reason: "the device does not listen at \(port)")
        }
        let (phone, other) = InMemoryChannel.pair()
        accept(other)
        return phone
    }

    package func mtu(of device: DeviceAddress) async throws -> Int { try peer(device).mtu }

    package func setConnectionParameters(_ parameters: ConnectionParameters, of device: DeviceAddress) async throws {
        _ = try peer(device)
        state.withLock { $0.parameters[device] = parameters }
    }

    package func answerParameters(
        _ wanted: ConnectionParameters, of device: DeviceAddress, keeping own: ConnectionParameters?
    ) async throws { try await setConnectionParameters(own ?? wanted, of: device) }

    package func signal(of device: DeviceAddress) async throws -> Int {
        guard let signal = try peer(device).advertisement.rssi else { throw RadioError.rig("the device has no signal") }
        return signal
    }

    /// A connected device. Pairs first if only a bonded phone may use the characteristic.
    private func peer(_ device: DeviceAddress, touching characteristic: CharacteristicID) async throws -> Device {
        let peer = try peer(device)
        let isBonded = state.withLock { $0.bonds[$0.current(device)] != nil }
        guard peer.protected.contains(characteristic), !isBonded else { return peer }
        do { _ = try await pair(device) } catch RadioError.pairingFailed {
            // Insufficient authentication.
            throw RadioError.attribute(code: 0x05)
        }
        return try self.peer(device)
    }

    /// A connected device. Throws if it is not connected.
    func peer(_ device: DeviceAddress) throws -> Device {
        try state.withLock { state in
            let device = state.current(device)
            guard let peer = state.devices[device], state.connected.contains(device) else {
                throw RadioError.notConnected
            }
            return peer
        }
    }
}
