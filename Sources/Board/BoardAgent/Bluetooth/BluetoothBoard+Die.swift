import BlueZ
import BoardProtocol
import DBus
import DieProtocol
import FoundationEssentials
import RadioModel
import DieLogic
import Synchronization

/// The accessory's role: the reference die's Bluetooth.
extension BluetoothBoard {
    /// Does the Bluetooth half of what a person does with the die; returns when it is done.
    public func perform(_ command: DieCommand) async throws(RadioError) {
        for output in try die.perform(command) {
            do { try await apply(output) } catch { throw RadioError(rig: error) }
        }
    }

    func apply(_ output: Die.Output) async throws {
        let adapter = try await adapter()
        switch output {
        case .setTransports(let isDualMode, let hasPrivateAddress):
            try await setTransports(Transports(isDualMode: isDualMode, hasPrivateAddress: hasPrivateAddress))
            onAir = [output]
        case .setPairable(let isPairable): try await adapter.setPairable(isPairable, within: Self.promptLimit)
        case .advertise(let name, let advertising):
            try await adapter.setPowered(true, within: Self.promptLimit)
            let daemon = try started()
            try await die.server(of: daemon).register(with: adapter, within: Self.promptLimit)
            let content = AdvertisedContent(
                name: name, serviceUUIDs: advertising.serviceUUIDs ?? [DieEdge.uuid(DieGATT.service)],
                manufacturerData: advertising.manufacturerData, serviceData: advertising.serviceData,
                appearance: advertising.appearance, tellsTxPower: advertising.tellsTxPower)
            try await Advertiser(adapter, named: "\(adapterID)").stop(within: Self.promptLimit)
            try await Advertiser(adapter, named: "\(adapterID)").start(content, within: Self.promptLimit)
            onAir = onAir.prefix(1) + [output]
        case .goSilent:
            onAir = []
            classicService = nil
            try await Advertiser(adapter, named: "\(adapterID)").stop(within: Self.promptLimit)
            for device in try started().connectedDevices(of: adapter) { try await drop(device) }
        case .tell, .notify, .send, .attend, .relay, .answerComparison: break
        }
    }
}

/// The die between its logic, bluetoothd and its networks. What phones do is answered on the thread that it comes on, at once
/// and in order.
final class DieEdge: Sendable {
    private struct State {
        var die = Die()
        var server: GATTServer?
        var isPairingAccepted = true
    }

    private let state = Mutex(State())
    /// Held from what happens until all that comes of it is said: phones speak by Bluetooth and by the network at once.
    private let turn = Mutex(())
    private let adapterID: AdapterID
    private let tell: @Sendable (DieEvent) -> Void
    /// The phones that talk with the die over its networks.
    let connections = DieConnections()
    private let relay = DieRelayClient()

    init(adapter: AdapterID, tell: @escaping @Sendable (DieEvent) -> Void) {
        adapterID = adapter
        self.tell = tell
    }

    /// Whether the die agrees to be paired with.
    var acceptsPairing: Bool { state.withLock { $0.isPairingAccepted } }

    /// Does what a person does with the die, and gives what is left to do with the radio.
    func perform(_ command: DieCommand) throws(RadioError) -> [Die.Output] {
        let result: Result<[Die.Output], RadioError> = turn.withLock { _ in
            let result: Result<[Die.Output], RadioError> = state.withLock { state in
                do throws(RadioError) {
                    let outputs = try state.die.perform(command)
                    for case .setPairable(let isPairable) in outputs { state.isPairingAccepted = isPairable }
                    return .success(outputs)
                } catch { return .failure(error) }
            }
            return result.map(run)
        }
        return try result.get()
    }

    /// Takes what the radio did.
    func take(_ input: Die.Input) { _ = outputs(of: input) }

    /// Takes what the radio did, and gives what is left to do with the radio.
    private func outputs(of input: Die.Input) -> [Die.Output] {
        turn.withLock { _ in run(state.withLock { $0.die.take(input) }) }
    }

    /// Has the die answer a comparison.
    func compare(_ passkey: UInt32, _ answer: PairingAgent.Answer) {
        for case .answerComparison(let isAccepted) in outputs(of: .comparison(passkey: passkey)) { answer(isAccepted) }
    }

    /// Does what needs no waiting, and gives the rest.
    private func run(_ outputs: [Die.Output]) -> [Die.Output] {
        let server = state.withLock { $0.server }
        return outputs.filter { output in
            switch output {
            case .tell(let event): tell(event)
            case .notify(let characteristic, let value): server?.notify(value, of: DieEdge.uuid(characteristic.uuid))
            case .send(let message, let connection): connections.send(message, to: connection)
            case .attend(let mailbox, let address):
                relay.attend(mailbox: mailbox, at: address) { [weak self] in self?.take($0) }
            case .relay(let message):
                if !relay.send(message) { tell(.refusedMessage("a message for the relay, which is not reached")) }
            case .answerComparison, .setTransports, .advertise, .goSilent, .setPairable: return true
            }
            return false
        }
    }

    // MARK: - The GATT server

    /// The die's services on the bus; made once.
    func server(of daemon: BluetoothDaemon) -> GATTServer {
        if let server = state.withLock({ $0.server }) { return server }
        let characteristics = DieGATT.characteristics.map { characteristic in
            LocalCharacteristic(
                uuid: DieEdge.uuid(characteristic.uuid), properties: .init(characteristic.properties),
                needsSecureConnections: characteristic.needsSecureConnections,
                // A channel for messages: a receipt for each.
                isNotifiedOften: characteristic.properties.contains(.writeWithoutResponse),
                description: characteristic.name)
        }
        let service = LocalService(uuid: DieEdge.uuid(DieGATT.service), characteristics: characteristics)
        let server = GATTServer([service], of: daemon, named: "\(adapterID)", handler: handler)
        state.withLock { $0.server = server }
        return server
    }

    private var handler: GATTServerHandler {
        GATTServerHandler(
            read: { [weak self] access in
                guard let self, let characteristic = DieEdge.characteristic(access.characteristic),
                    let value = state.withLock({ $0.die.value(of: characteristic) })
                else { return .failure(.init(.readNotPermitted)) }
                return .success(value)
            },
            write: { [weak self] access, value, respond in self?.write(access, value, respond) },
            subscribe: { [weak self] uuid, isOn in
                guard let characteristic = DieEdge.characteristic(uuid) else { return }
                self?.take(.subscription(characteristic, isOn))
            })
    }

    private func write(_ access: GATTServerHandler.Access, _ value: Data, _ respond: GATTServerHandler.Respond) {
        guard let characteristic = DieEdge.characteristic(access.characteristic) else {
            return respond(.failure(.init(.writeNotPermitted)))
        }
        guard access.offset == 0 else { return respond(.failure(.init(.invalidOffset))) }
        guard state.withLock({ $0.die.accepts(value, for: characteristic) }) else {
            return respond(.failure(.init(.invalidLength)))
        }
        respond(.success(()))
        take(.written(characteristic, value, mtu: access.mtu ?? 23))
    }

    /// From the text of a UUID in the die's wire format.
    static func uuid(_ text: String) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else { preconditionFailure("the die's format spells a UUID \(text)") }
        return uuid
    }

    private static let byUUID = Dictionary(
        uniqueKeysWithValues: DieGATT.characteristics.map { (uuid($0.uuid), $0) })

    private static func characteristic(_ uuid: BluetoothUUID) -> DieGATT.Characteristic? { byUUID[uuid] }
}

extension GATTCharacteristic.Properties {
    /// From the words of the die's wire format.
    fileprivate init(_ properties: DieGATT.Properties) {
        self = []
        if properties.contains(.read) { insert(.read) }
        if properties.contains(.write) { insert(.write) }
        if properties.contains(.writeWithoutResponse) { insert(.writeWithoutResponse) }
        if properties.contains(.notify) { insert(.notify) }
    }
}
