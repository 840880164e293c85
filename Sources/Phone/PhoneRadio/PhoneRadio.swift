import BoardProtocol
import Foundation
import HILBluetoothHost
import HILTiming
import HostRadio
import RadioModel
import Synchronization

/// The phone's radios: Bluetooth by its own host stack on a controller, and a Wi-Fi radio such as that of a host board.
package final class PhoneRadio: HostRadio {
    package let events: AsyncStream<RadioEvent>
    let driver: StackDriver
    let server: PhoneServer
    let wifi: any WiFiRadio
    private let continuation: AsyncStream<RadioEvent>.Continuation
    private let log = EventLog<RadioEvent>(keepingAtMost: 100)
    private let pumps: [Task<Void, Never>]
    private let state: SharedState

    /// What the pumps and the calls share.
    private final class SharedState: Sendable {
        struct State {
            var identities = Identities()
            var channels: [DeviceAddress: [LocalChannel: StackChannel]] = [:]
            /// The requests for other connection parameters that wait for the phone's answer.
            var parameterRequests: [DeviceAddress: UInt8] = [:]
            var remarks = Remarks()
            var personality = RadioPersonality()
            /// Whether the controller starts again without the app's knowledge.
            var isRestarting = false
            /// Whether somebody on the phone wants to hear advertisements.
            var isDiscovering = false
            /// Whether the phone lets its controller to somebody else, without the app's knowledge.
            var isResting = false

            /// Bluetooth is switched off.
            mutating func forgetRest() {
                if isResting { isRestarting = false }
                (isDiscovering, isResting) = (false, false)
            }
        }
        let state = Mutex(State())

        /// Whether an event is part of a restart without the app's knowledge.
        func isSilent(_ event: RadioEvent) -> Bool {
            guard case .bluetoothPower(let isOn) = event else { return false }
            return state.withLock { state in
                defer { if isOn { state.isRestarting = false } }
                return state.isRestarting
            }
        }

        func current(_ address: DeviceAddress) -> DeviceAddress { state.withLock { $0.identities.current(address) } }
    }

    /// - Parameters:
    ///   - driver: Runs the phone's host stack.
    ///   - wifi: The phone's Wi-Fi.
    ///   - lost: Called with the reason, in words, when the controller can no longer be used.
    ///   - hidden: Called with each new private address of the phone.
    package init(
        _ driver: StackDriver, wifi: any WiFiRadio, lost: @escaping @Sendable (String) -> Void = { _ in },
        hidden: @escaping @Sendable (DeviceAddress) -> Void = { _ in }
    ) {
        self.driver = driver
        self.wifi = wifi
        (events, continuation) = AsyncStream<RadioEvent>.makeStream()
        state = SharedState()
        server = PhoneServer(driver)
        pumps = [
            Task { [driver, server, continuation, log, state] in
                for await event in driver.events {
                    if case .failed(let why) = event { lost(why) }
                    if case .addressChanged(let own) = event, own.isRandom { hidden(own.address) }
                    if await server.take(event) { continue }
                    for radio in await PhoneRadio.translate(event, state, driver) {
                        log.append(radio)
                        if state.isSilent(radio) { continue }
                        continuation.yield(radio)
                    }
                }
                continuation.finish()
            },
            Task { [wifi, continuation] in
                for await event in wifi.events { continuation.yield(event) }
            },
        ]
    }

    deinit { for pump in pumps { pump.cancel() } }

    /// The events of the radio for an event of the stack.
    private static func translate(
        _ event: StackEvent, _ state: SharedState, _ driver: StackDriver
    ) async -> [RadioEvent] {
        switch event {
        case .poweredOn: return [.bluetoothPower(true)]
        case .poweredOff, .failed: return [.bluetoothPower(false)]
        case .heard(let discovery): return [.advertisement(discovery.advertisement)]
        case .connected(let device, _):
            state.state.withLock { $0.remarks.begin(device) }
            return [.connected(device)]
        case .note(let device, let text):
            return state.state.withLock { $0.remarks.take(text, about: device).map { [$0] } ?? [] }
        case .disconnected(let device, let reason, let violation):
            let channels = state.state.withLock { state in
                state.parameterRequests[device] = nil
                return state.channels.removeValue(forKey: device) ?? [:]
            }
            for channel in channels.values { channel.end() }
            return [.disconnected(device, reason: violation ?? "\(reason)")]
        case .requestFailed(let device, let text): return [.requestFailed(device, reason: text)]
        case .compare(let device, let number): return [.confirmPasskey(device, passkey: number)]
        case .showPasskey(let device, let passkey): return [.showPasskey(device, passkey: passkey)]
        case .askPasskey(let device): return [.enterPasskey(device)]
        case .askConsent(let device): return [.askPairing(device)]
        case .identified(let device, let identity):
            state.state.withLock { state in
                state.identities.identify(device, as: identity)
                state.channels[identity] = state.channels.removeValue(forKey: device)
            }
            return [.addressChanged(device, to: identity)]
        case .paired(let device, let bond, let isBonded):
            return [isBonded ? .bonded(device, bond) : .pairedOnce(device, bond)]
        case .pairingFailed(let device, let end): return [.pairingFailed(device, reason: end.reason)]
        case .value(let device, let handle, let value):
            return [.valueChanged(device, CharacteristicID(handle: handle), value: Data(value))]
        case .servicesChanged(let device, _):
            return [.servicesChanged(device)]
        case .mtu(let device, let mtu): return [.mtuChanged(device, mtu)]
        case .parametersRequested(let device, let parameters, let identifier):
            state.state.withLock { $0.parameterRequests[device] = identifier }
            return [.parametersRequested(device, parameters)]
        case .channelData(let device, let channel, let packet):
            state.state.withLock { $0.channels[device]?[channel] }?.receive(Data(packet))
            return []
        case .channelClosed(let device, let channel, _):
            state.state.withLock { $0.channels[device]?.removeValue(forKey: channel) }?.end()
            return []
        default: return []
        }
    }

    /// The address that a device has in the stack now.
    func current(_ device: DeviceAddress) -> DeviceAddress { state.current(device) }

    // MARK: Bluetooth

    package func setBluetoothPower(_ isOn: Bool) async throws {
        if !isOn { state.state.withLock { $0.forgetRest() } }
        guard await driver.ask({ $0.isPowered }) != isOn else { return }
        if isOn { try await powerOn() } else { try await powerOff() }
    }

    package func cutBluetoothPower() async throws {
        state.state.withLock { $0.forgetRest() }
        guard await driver.ask({ $0.isPowered }) else { return }
        try await powerOff { $0.cutPower(at: $1) }
    }

    private func powerOff(
        _ act: @Sendable (inout BluetoothStack, Duration) -> [BluetoothStack.Output] = { $0.powerOff(at: $1) }
    ) async throws {
        let mark = log.count
        await driver.act(act)
        _ = try await log.first(from: mark, within: .seconds(10), waitingFor: "the phone's links to end") {
            $0 == .bluetoothPower(false)
        }
    }

    private func powerOn() async throws {
        let mark = log.count
        await driver.act { $0.powerOn(at: $1) }
        _ = try await log.first(from: mark, within: .seconds(10), waitingFor: "the phone's controller to start") {
            if case .bluetoothPower = $0 { true } else { false }
        }
        guard await driver.ask({ $0.isPowered }) else { throw RadioError.rig("the phone's controller did not start") }
    }

    /// Ends all links and starts the controller again with these values.
    package func setPersonality(_ personality: RadioPersonality) async throws {
        let isNew = state.state.withLock { state in
            defer { state.personality = personality }
            return state.personality != personality
        }
        guard isNew else { return }
        let isOn = await driver.ask { $0.isPowered }
        if isOn {
            state.state.withLock { $0.isRestarting = true }
            try await powerOff()
        }
        await driver.act { stack, _ in
            stack.use(.iPhone(personality))
            return []
        }
        if isOn { try await powerOn() }
    }

    package func startDiscovery() async throws {
        if !state.state.withLock({ $0.isResting }) {
            guard await driver.ask({ $0.isPowered }) else { throw RadioError.bluetoothOff }
            await driver.act { $0.scan($0.personality.foregroundScan, at: $1) }
        }
        state.state.withLock { $0.isDiscovering = true }
    }

    package func stopDiscovery() async throws {
        state.state.withLock { $0.isDiscovering = false }
        await driver.act { $0.scan(nil, at: $1) }
    }

    /// A device that was heard or is bonded, with the key of its private addresses if it has a bond and told one.
    package func known(_ device: DeviceAddress) async -> DeviceIdentity? {
        await driver.ask { stack in
            stack.device(device).map {
                DeviceIdentity(
                    resolvingKey: stack.bonds[device]?.keys.keys.peerIdentity?.resolvingKey ?? .zero, address: $0)
            }
        }
    }

    /// Lets its controller rest without the app's knowledge, so that somebody else may use it: the phone hears nothing
    /// until ``resume()``. Without power it does nothing.
    ///
    /// - Returns: Why it cannot rest, as a clause: it has work that would be lost; nil if it rests.
    package func rest() async throws -> String? {
        guard await driver.ask({ $0.isPowered }) else { return nil }
        if let work = await driver.ask({ $0.work }) { return work }
        state.state.withLock { ($0.isRestarting, $0.isResting) = (true, true) }
        try await powerOff()
        return nil
    }

    /// Uses its controller again after ``rest()``, as before. Does nothing if it does not rest.
    package func resume() async throws {
        let isResting = state.state.withLock { state in
            defer { state.isResting = false }
            return state.isResting
        }
        guard isResting else { return }
        try await powerOn()
        if state.state.withLock({ $0.isDiscovering }) { try await startDiscovery() }
    }

    package func connect(_ device: DeviceAddress) async throws {
        _ = try await perform(.connect(state.current(device)))
    }

    package func disconnect(_ device: DeviceAddress) async throws {
        _ = try await perform(.disconnect(state.current(device)))
    }

    package func pair(_ device: DeviceAddress) async throws -> Bond {
        let address = state.current(device)
        let opens = await driver.ask { $0.protection(of: address) } == nil
        do {
            if opens { _ = try await perform(.connect(address)) }
            guard case .paired(let bond, _) = try await perform(.pair(address)) else { throw PhoneRadio.surprise }
            return bond
        } catch {
            // Nobody waits for the link any more that this would still open, or has opened.
            if opens, error is CancellationError {
                let address = state.current(device)
                await driver.act { $0.cancelConnecting(address, at: $1) }
                _ = try? await perform(.disconnect(address))
            }
            throw error
        }
    }

    package func answerPairing(_ device: DeviceAddress, accept: Bool) async throws {
        let address = state.current(device)
        await driver.act { $0.confirm(address, accept, at: $1) }
    }

    package func enterPasskey(_ device: DeviceAddress, _ passkey: UInt32?) async throws {
        let address = state.current(device)
        await driver.act { $0.enterPasskey(address, passkey, at: $1) }
    }

    package func bridge(_ device: DeviceAddress, port: UInt16) async throws -> ClassicLink {
        guard case .bridged(let link) = try await perform(.bridge(state.current(device), psm: port)) else {
            throw PhoneRadio.surprise
        }
        return link
    }

    package func forget(_ device: DeviceAddress) async throws {
        let address = state.current(device)
        state.state.withLock { $0.identities.forget(address) }
        await driver.act { $0.forget(address, at: $1) }
    }

    package func read(_ characteristic: CharacteristicID, of device: DeviceAddress) async throws -> Data {
        try await read(characteristic.handle, device)
    }

    package func read(_ descriptor: DescriptorID, of device: DeviceAddress) async throws -> Data {
        try await read(descriptor.handle, device)
    }

    package func write(
        _ value: Data, to characteristic: CharacteristicID, of device: DeviceAddress, withResponse: Bool
    ) async throws {
        let address = state.current(device)
        let (handle, bytes) = (characteristic.handle, Array(value))
        _ = try await perform(
            withResponse ? .gatt(address, .write(handle, bytes)) : .writeWithoutResponse(address, handle, bytes))
    }

    package func write(_ value: Data, to descriptor: DescriptorID, of device: DeviceAddress) async throws {
        _ = try await perform(.gatt(state.current(device), .write(descriptor.handle, Array(value))))
    }

    package func setNotifying(
        _ isOn: Bool, for characteristic: CharacteristicID, of device: DeviceAddress
    ) async throws {
        let action = GATTClient.Action.setNotifying(characteristic: characteristic.handle, isOn)
        _ = try await perform(.gatt(state.current(device), action))
    }

    package func openChannel(to device: DeviceAddress, port: UInt16) async throws -> any RadioChannel {
        let address = state.current(device)
        guard case .channel(let channel, let mtu) = try await perform(.openChannel(address, psm: port)) else {
            throw PhoneRadio.surprise
        }
        let opened = StackChannel(channel, of: address, mtu: Int(mtu), on: driver)
        state.state.withLock { $0.channels[address, default: [:]][channel] = opened }
        return opened
    }

    package func mtu(of device: DeviceAddress) async throws -> Int {
        let address = state.current(device)
        guard let mtu = await driver.ask({ $0.mtu(of: address) }) else { throw RadioError.notConnected }
        return mtu
    }

    package func setConnectionParameters(
        _ parameters: ConnectionParameters, of device: DeviceAddress
    ) async throws {
        let address = state.current(device)
        await driver.act { $0.setParameters(parameters, of: address, at: $1) }
    }

    package func answerParameters(
        _ wanted: ConnectionParameters, of device: DeviceAddress, keeping own: ConnectionParameters?
    ) async throws {
        let address = state.current(device)
        guard let identifier = state.state.withLock({ $0.parameterRequests.removeValue(forKey: address) }) else {
            return
        }
        await driver.act {
            $0.answerParameters(wanted, identifier: identifier, of: address, accepted: own == nil, at: $1)
        }
    }

    package func signal(of device: DeviceAddress) async throws -> Int {
        guard case .signal(let signal) = try await perform(.signal(state.current(device))) else {
            throw PhoneRadio.surprise
        }
        return signal
    }

    private func read(_ handle: UInt16, _ device: DeviceAddress) async throws -> Data {
        guard case .gatt(.value(let value)) = try await perform(.gatt(state.current(device), .read(handle))) else {
            throw PhoneRadio.surprise
        }
        return Data(value)
    }

    func perform(_ request: StackRequest) async throws -> StackAnswer {
        do { return try await driver.perform(request) } catch let failure as StackFailure {
            throw RadioError(failure)
        }
    }

    static var surprise: RadioError { .rig("the phone's host stack answered something else") }
}

extension RadioError {
    init(_ failure: StackFailure) {
        switch failure {
        case .off: self = .bluetoothOff
        case .controllerFailed(let text): self = .rig(text)
        case .refused(let status): self = .connectionFailed("\(status)")
        case .unknownDevice(let address): self = .unknownDevice(address)
        case .notConnected: self = .notConnected
        case .notEstablished, .bondRefused, .linkEnded: self = .connectionFailed("\(failure)")
        case .pairing(let end): self = .pairingFailed(end.reason)
        case .gatt(.lost): self = .notConnected
        case .gatt(let failure):
            self = failure.error.map { .attribute(code: $0.code) } ?? .attributeProtocol("\(failure)")
        case .channel(let refusal): self = .streamFailed(code: 111, reason: "\(refusal)")
        case .bridging(let failure): self.init(failure)
        case .invalid(let text): self = .invalid(text)
        }
    }
}
