import BlueZ
import BoardAgent
import BoardProtocol
import DieControl
import DieInternet
import DieLogic
import DieProtocol
import FoundationEssentials
import InternetModel
import RadioModel
import Synchronization

/// The die as a program in the board's agent: ``DieLogic/Die`` between the radios, its networks and its maker's relay.
///
/// What phones do is answered on the thread that it comes on, at once and in order.
package final class DieProgram: AgentAccessory {
    private struct State {
        var die = Die()
        var isPairingAccepted = true
    }

    private let radio: any AccessoryRadio
    private let state = Mutex(State())
    /// Held from what happens until all that comes of it is said: phones speak by Bluetooth and by the network at once.
    private let turn = Mutex(())
    /// The phones that talk with the die over its networks.
    let connections = DieConnections()
    private let relay = DieRelayClient()

    package static var internetServices: [any InternetService] { [DieRelayService()] }

    package init(_ radio: any AccessoryRadio) { self.radio = radio }

    // MARK: The person with the die in the hand

    package func perform(_ command: Data) async throws -> Data {
        guard let command = try? JSONDecoder().decode(DieCommand.self, from: command) else {
            // No part of it: it may hold a passphrase.
            throw RadioError.invalid("unknown command for the die, of \(command.count) bytes")
        }
        return try JSONEncoder().encode(try await perform(command))
    }

    /// Does what a person does with the die: Bluetooth's half, and that of its networks.
    func perform(_ command: DieCommand) async throws -> DieAnswer {
        switch command {
        case .powerOn(let configuration):
            if !configuration.networks.isEmpty { try radio.requireWiFi() }
            try await radio.closeNetworks()
            async let bluetooth: Void = performOverBluetooth(command)
            for network in configuration.networks { try await radio.openNetwork(network) }
            try await bluetooth
            return .address(try await radio.address())
        case .powerOff:
            async let bluetooth: Void = performOverBluetooth(command)
            try await radio.closeNetworks()
            try await bluetooth
        case .openNetwork(let network):
            try radio.requireWiFi()
            try await performOverBluetooth(command)
            do { try await radio.openNetwork(network) } catch {
                try await performOverBluetooth(.closeNetwork(ssid: network.ssid))
                throw error
            }
        case .closeNetwork(let ssid):
            try await radio.closeNetwork(ssid: ssid)
            try await performOverBluetooth(command)
        case .changePassphrase(let ssid, let passphrase):
            try await radio.changePassphrase(of: ssid, to: passphrase)
            try await performOverBluetooth(command)
        case .roll, .setPairing, .rotateAddress, .setSilenced, .respond: try await performOverBluetooth(command)
        }
        return .done
    }

    /// Tells the logic, and does with Bluetooth what it wants.
    private func performOverBluetooth(_ command: DieCommand) async throws(RadioError) {
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
        for output in try result.get() { try await carryOut(output) }
    }

    private func carryOut(_ output: Die.Output) async throws(RadioError) {
        switch output {
        case .setTransports(let isDualMode, let hasPrivateAddress):
            try await radio.setTransports(
                AdapterTransports(
                    classicPort: isDualMode ? DieChannel.port : nil, hasPrivateAddress: hasPrivateAddress))
        case .setPairable(let isPairable): try await radio.setPairable(isPairable)
        case .advertise(let name, let advertising):
            try await radio.advertise(
                AdvertisedContent(
                    name: name, serviceUUIDs: advertising.serviceUUIDs ?? [DieProgram.uuid(DieGATT.service)],
                    manufacturerData: advertising.manufacturerData, serviceData: advertising.serviceData,
                    appearance: advertising.appearance, tellsTxPower: advertising.tellsTxPower))
        case .goSilent: try await radio.goSilent()
        case .tell, .notify, .send, .attend, .relay, .answerComparison: break
        }
    }

    // MARK: Phones

    package func take(_ input: AccessoryInput) {
        switch input {
        case .connected(let phone): hear(.connected(phone))
        case .disconnected(let phone): hear(.disconnected(phone))
        case .bonded(let phone, let bond): hear(.bonded(phone, bond))
        case .bridged(let link): tell(.bridged(link))
        case .stationJoined(let ssid, let station): tell(.stationJoined(ssid: ssid, station))
        case .stationLeft(let ssid, let station): tell(.stationLeft(ssid: ssid, station))
        // The agent restores what was on the air.
        case .daemonLost, .daemonBack: break
        }
    }

    package func answer(
        _ question: PairingQuestion, of phone: DeviceAddress?, _ answer: @escaping @Sendable (Bool) -> Void
    ) {
        switch question {
        case .authorization: answer(state.withLock { $0.isPairingAccepted })
        case .comparison(let passkey):
            for case .answerComparison(let isAccepted) in outputs(of: .comparison(passkey: passkey)) {
                answer(isAccepted)
            }
        }
    }

    /// Takes what a phone or the relay did.
    func hear(_ input: Die.Input) { _ = outputs(of: input) }

    /// Takes what a phone or the relay did, and gives what is left to do.
    private func outputs(of input: Die.Input) -> [Die.Output] {
        turn.withLock { _ in run(state.withLock { $0.die.take(input) }) }
    }

    /// Does what needs no waiting, and gives the rest.
    private func run(_ outputs: [Die.Output]) -> [Die.Output] {
        outputs.filter { output in
            switch output {
            case .tell(let event): tell(event)
            case .notify(let characteristic, let value):
                radio.notify(value, of: DieProgram.uuid(characteristic.uuid))
            case .send(let message, let connection): connections.send(message, to: connection)
            case .attend(let mailbox, let address):
                relay.attend(mailbox: mailbox, at: address) { [weak self] in self?.hear($0) }
            case .relay(let message):
                if !relay.send(message) { tell(.refusedMessage("a message for the relay, which is not reached")) }
            case .answerComparison, .setTransports, .advertise, .goSilent, .setPairable: return true
            }
            return false
        }
    }

    private func tell(_ event: DieEvent) {
        // Texts, numbers and Base64 always encode.
        if let data = try? JSONEncoder().encode(event) { radio.tell(data) }
    }

    // MARK: Networks

    package func serve(on address: String) throws -> any Sendable {
        let rolls = try DieRollService(on: address) { [weak self] in self?.rollAnswer }
        let messages = try DieMessageListener(on: address, connections: connections) { [weak self] in
            self?.hear(.message($0, connection: $1))
        }
        return [rolls, messages] as [any Sendable]
    }

    /// What the die answers over IP: what it would over Bluetooth.
    var rollAnswer: DieService.Answer { state.withLock { $0.die.rollAnswer } }

    // MARK: The GATT server

    package var attributes: AccessoryAttributes {
        let characteristics = DieGATT.characteristics.map { characteristic in
            LocalCharacteristic(
                uuid: DieProgram.uuid(characteristic.uuid), properties: .init(characteristic.properties),
                needsSecureConnections: characteristic.needsSecureConnections,
                // A channel for messages: a receipt for each.
                isNotifiedOften: characteristic.properties.contains(.writeWithoutResponse),
                description: characteristic.name)
        }
        let service = LocalService(uuid: DieProgram.uuid(DieGATT.service), characteristics: characteristics)
        return AccessoryAttributes(services: [service], handler: handler)
    }

    private var handler: GATTServerHandler {
        GATTServerHandler(
            read: { [weak self] access in
                guard let self, let characteristic = DieProgram.characteristic(access.characteristic),
                    let value = state.withLock({ $0.die.value(of: characteristic) })
                else { return .failure(.init(.readNotPermitted)) }
                return .success(value)
            },
            write: { [weak self] access, value, respond in self?.write(access, value, respond) },
            subscribe: { [weak self] uuid, isOn in
                guard let characteristic = DieProgram.characteristic(uuid) else { return }
                self?.hear(.subscription(characteristic, isOn))
            })
    }

    private func write(_ access: GATTServerHandler.Access, _ value: Data, _ respond: GATTServerHandler.Respond) {
        guard let characteristic = DieProgram.characteristic(access.characteristic) else {
            return respond(.failure(.init(.writeNotPermitted)))
        }
        guard access.offset == 0 else { return respond(.failure(.init(.invalidOffset))) }
        guard state.withLock({ $0.die.accepts(value, for: characteristic) }) else {
            return respond(.failure(.init(.invalidLength)))
        }
        respond(.success(()))
        hear(.written(characteristic, value, mtu: access.mtu ?? 23))
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
    /// From the words of the die's wire format, which an app on a real phone has too, where there is no radio model.
    fileprivate init(_ properties: DieGATT.Properties) {
        self = []
        if properties.contains(.read) { insert(.read) }
        if properties.contains(.write) { insert(.write) }
        if properties.contains(.writeWithoutResponse) { insert(.writeWithoutResponse) }
        if properties.contains(.notify) { insert(.notify) }
    }
}
