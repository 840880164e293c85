import BoardProtocol
import Foundation
import PeripheralModel
import RadioModel
import Synchronization

/// The radios of a host board, reached through its agent.
public final class BoardRadio: HostRadio {
    public let events: AsyncStream<RadioEvent>
    let board: BoardClient
    package let peripheralEvents: AsyncStream<PeripheralEvent>
    private let pump: Task<Void, Never>
    /// The services of devices that do not report changes of them.
    let kept: KeptServices.Shared
    /// The names that devices had when they were connected last.
    let names = Mutex<[DeviceAddress: Data]>([:])

    /// - Parameter board: A connected host board whose radios are powered.
    public init(_ board: BoardClient) {
        self.board = board
        let (events, continuation) = AsyncStream<RadioEvent>.makeStream()
        self.events = events
        let (peripheralEvents, peripheral) = AsyncStream<PeripheralEvent>.makeStream()
        self.peripheralEvents = peripheralEvents
        let kept = KeptServices.Shared()
        self.kept = kept
        pump = Task {
            // The log ends with an error when the agent is lost.
            var events = board.events.events().makeAsyncIterator()
            while let event = try? await events.next() {
                switch event {
                case .radio(let event):
                    kept.note(event)
                    continuation.yield(event)
                case .accessory(let data, PeripheralKind.name, _):
                    if let event = try? JSONDecoder().decode(PeripheralEvent.self, from: data) {
                        peripheral.yield(event)
                    }
                default: break
                }
            }
            continuation.finish()
            peripheral.finish()
        }
    }

    deinit { pump.cancel() }

    public func setBluetoothPower(_ isOn: Bool) async throws { try await perform(.setBluetoothPower(isOn)) }
    public func setWiFiPower(_ isOn: Bool) async throws { try await perform(.setWiFiPower(isOn)) }
    public func startDiscovery() async throws { try await perform(.discover(true)) }
    public func stopDiscovery() async throws { try await perform(.discover(false)) }
    public func disconnect(_ device: DeviceAddress) async throws { try await perform(.disconnect(device)) }
    public func discoverWiFiAware(_ isOn: Bool) async throws { try await perform(.discoverWiFiAware(isOn)) }
    public func leaveWiFi() async throws { try await perform(.leaveWiFi) }

    public func connect(_ device: DeviceAddress) async throws {
        try await perform(.connect(device))
        try await readNameWhenConnected(device)
    }

    public func forget(_ device: DeviceAddress) async throws {
        kept.forget(device)
        try await perform(.forget(device))
    }

    public func answerPairing(_ device: DeviceAddress, accept: Bool) async throws {
        try await perform(.answerPairing(device, accept: accept))
    }

    public func enterPasskey(_ device: DeviceAddress, _ passkey: UInt32?) async throws {
        try await perform(.enterPasskey(device, passkey))
    }

    public func pair(_ device: DeviceAddress) async throws -> Bond {
        let result = try await board.ask(.pair(device), within: .seconds(60))
        guard case .bond(let bond) = result else { throw unexpected(result, to: "pair") }
        return bond
    }

    public func bridge(_ device: DeviceAddress, port: UInt16) async throws -> ClassicLink {
        let result = try await board.ask(.bridge(device, port: port), within: .seconds(45))
        guard case .bridge(let link) = result else { throw unexpected(result, to: "bridge") }
        return link
    }

    public func read(_ characteristic: CharacteristicID, of device: DeviceAddress) async throws -> Data {
        try await value(.read(device, characteristic))
    }

    public func write(
        _ value: Data, to characteristic: CharacteristicID, of device: DeviceAddress, withResponse: Bool
    ) async throws {
        try await perform(.write(device, characteristic, value: value, withResponse: withResponse))
    }

    public func setNotifying(_ isOn: Bool, for characteristic: CharacteristicID, of device: DeviceAddress) async throws
    {
        try await perform(.setNotifying(device, characteristic, isOn))
    }

    public func read(_ descriptor: DescriptorID, of device: DeviceAddress) async throws -> Data {
        try await value(.readDescriptor(device, descriptor))
    }

    public func write(_ value: Data, to descriptor: DescriptorID, of device: DeviceAddress) async throws {
        try await perform(.writeDescriptor(device, descriptor, value: value))
    }

    public func openChannel(to device: DeviceAddress, port: UInt16) async throws -> any RadioChannel {
        let result = try await board.ask(.openChannel(device, port: port))
        guard case .channel(let number, let mtu) = result else { throw unexpected(result, to: "openChannel") }
        return BoardChannel(number, mtu: mtu, on: board)
    }

    public func mtu(of device: DeviceAddress) async throws -> Int { try await number(.mtu(device)) }
    public func setConnectionParameters(_ parameters: ConnectionParameters, of device: DeviceAddress) async throws {
        try await perform(.setConnectionParameters(device, parameters))
    }
    /// The kernel has granted the request already.
    public func answerParameters(
        _ wanted: ConnectionParameters, of device: DeviceAddress, keeping own: ConnectionParameters?
    ) async throws { if let own { try await setConnectionParameters(own, of: device) } }
    public func signal(of device: DeviceAddress) async throws -> Int { try await number(.signal(device)) }

    public func scanWiFi() async throws -> [WiFiNetwork] {
        let result = try await board.ask(.scanWiFi)
        guard case .networks(let networks) = result else { throw unexpected(result, to: "scanWiFi") }
        return networks
    }

    public func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        let result = try await board.ask(.joinWiFi(credentials), within: .seconds(45))
        guard case .link(let link) = result else { throw unexpected(result, to: "joinWiFi") }
        return link
    }

    public func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data {
        try await value(.exchange(address: address, port: port, request: request))
    }

    public func openStream(
        to address: String, port: UInt16, by transport: InternetTransport
    ) async throws -> any RadioStream {
        BoardStream(try await number(.openStream(address: address, port: port, by: transport)), on: board)
    }

    private func perform(_ command: BoardCommand) async throws {
        let result = try await board.ask(command)
        guard case .done = result else { throw unexpected(result, to: command.name) }
    }

    private func number(_ command: BoardCommand) async throws -> Int {
        let result = try await board.ask(command)
        guard case .number(let number) = result else { throw unexpected(result, to: command.name) }
        return number
    }

    func value(_ command: BoardCommand) async throws -> Data {
        let result = try await board.ask(command)
        guard case .value(let value) = result else { throw unexpected(result, to: command.name) }
        return value
    }

    func unexpected(_ result: BoardResult, to command: String) -> RadioError {
        .rig("the host board answered \(command) with \(result)")
    }
}
