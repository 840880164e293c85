import BoardAgent
import BoardProtocol
import DieProtocol
import FoundationEssentials
import HILBlueZ
import HILPOSIX
import RadioModel
import Synchronization

/// The die as a program in the board's agent. It connects ``DieLogic`` to the radios, the networks and the relay.
///
/// Events of phones are answered at once and in order, on the thread that reports them.
package final class DieProgram: AgentAccessory {
    private let radio: any AccessoryRadio
    private let logic = Mutex(DieLogic())
    /// Locked while an event and its outputs are handled: events come from Bluetooth and from the network at the same
    /// time.
    private let turn = Mutex(())
    /// The phones that are connected over the die's networks.
    let connections = DieConnections()
    private let relay = DieRelayClient()

    package typealias Call = DieCall

    package static let kind = "die"
    package static var internetServices: [any InternetService] { [DieRelayService()] }

    package init(_ radio: any AccessoryRadio) { self.radio = radio }

    // MARK: Calls

    package func perform(_ call: DieCall) async throws -> Answer {
        switch call {
        case .powerOn(let configuration, let reply):
            try await perform(.powerOn(configuration))
            return reply(try await radio.address())
        case .perform(let command, let reply):
            try await perform(command)
            return reply()
        }
    }

    /// Carries out a command: over Bluetooth, and on the die's networks.
    private func perform(_ command: DieCommand) async throws {
        switch command {
        case .powerOn(let configuration):
            if !configuration.networks.isEmpty { try radio.requireWiFi() }
            try await radio.closeNetworks()
            async let bluetooth: Void = performOverBluetooth(command)
            for network in configuration.networks { try await radio.openNetwork(network) }
            try await bluetooth
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
    }

    /// Passes a command to the die's logic, and carries out the outputs that concern Bluetooth.
    private func performOverBluetooth(_ command: DieCommand) async throws(RadioError) {
        let result: Result<[DieLogic.Output], RadioError> = turn.withLock { _ in
            let result: Result<[DieLogic.Output], RadioError> = logic.withLock { die in
                do throws(RadioError) {
                    return .success(try die.perform(command))
                } catch { return .failure(error) }
            }
            return result.map(run)
        }
        for output in try result.get() { try await carryOut(output) }
    }

    private func carryOut(_ output: DieLogic.Output) async throws(RadioError) {
        switch output {
        case .setTransports(let isDualMode, let hasPrivateAddress):
            try await radio.setTransports(
                AdapterTransports(
                    classicPort: isDualMode ? DieChannel.port : nil, hasPrivateAddress: hasPrivateAddress))
        case .setPairable(let isPairable): try await radio.setPairable(isPairable)
        case .advertise(let name, let advertising):
            try await radio.setName(name)
            try await radio.advertise(
                AdvertisedContent(
                    name: name, serviceUUIDs: advertising.serviceUUIDs ?? [DieProgram.uuid(DieGATT.service)],
                    manufacturerData: advertising.manufacturerData, serviceData: advertising.serviceData,
                    appearance: advertising.appearance, includesTxPower: advertising.includesTxPower))
        case .stopAdvertising: try await radio.stopAdvertising()
        case .tell, .notify, .send, .attend, .relay, .answerComparison: break
        }
    }

    // MARK: Phones

    package func take(_ input: AccessoryInput) {
        switch input {
        case .connected(let phone): handle(.connected(phone))
        case .disconnected(let phone): handle(.disconnected(phone))
        case .bonded(let phone, let bond): handle(.bonded(phone, bond))
        case .bridged(let link): tell(.bridged(link))
        case .stationJoined(let ssid, let station): tell(.stationJoined(ssid: ssid, station))
        case .stationLeft(let ssid, let station): tell(.stationLeft(ssid: ssid, station))
        // It shows a number only for comparison, not for entry, and makes no connections.
        case .passkeyShown, .heard: break
        // It joins no networks.
        case .joinedNetwork, .lostNetwork, .unheardNetwork: break
        // The agent restores what was on the air.
        case .daemonLost, .daemonBack: break
        }
    }

    package func answer(
        _ question: PairingQuestion, of phone: DeviceAddress?, _ answer: @escaping @Sendable (Bool) -> Void
    ) {
        switch question {
        // A die shows its number. Who cannot compare one gets no key.
        case .authorization: answer(false)
        case .comparison(let passkey):
            for case .answerComparison(let isAccepted) in outputs(of: .comparison(passkey: passkey)) {
                answer(isAccepted)
            }
        }
    }

    /// Handles an event of a phone or the relay.
    func handle(_ input: DieLogic.Input) { _ = outputs(of: input) }

    /// Handles an event of a phone or the relay, and returns the remaining outputs.
    private func outputs(of input: DieLogic.Input) -> [DieLogic.Output] {
        turn.withLock { _ in run(logic.withLock { $0.take(input) }) }
    }

    /// Carries out the outputs that need no waiting, and returns the others.
    private func run(_ outputs: [DieLogic.Output]) -> [DieLogic.Output] {
        outputs.filter { output in
            switch output {
            case .tell(let event): tell(event)
            case .notify(let characteristic, let value):
                radio.notify(value, of: DieProgram.uuid(characteristic.uuid))
            case .send(let message, let connection): connections.send(message, to: connection)
            case .attend(let mailbox, let address):
                relay.attend(mailbox: mailbox, at: address) { [weak self] in self?.handle($0) }
            case .relay(let message):
                if !relay.send(message) { tell(.refusedMessage("a message for the relay: it cannot be reached")) }
            case .answerComparison, .setTransports, .advertise, .stopAdvertising, .setPairable: return true
            }
            return false
        }
    }

    private func tell(_ event: DieEvent) {
        // Strings, numbers and Base64 can always be encoded.
        if let data = try? JSONEncoder().encode(event) { radio.tell(data) }
    }

    // MARK: Networks

    package func serve(on address: String) throws -> any Sendable {
        let rolls = try DieRollService(on: address) { [weak self] in self?.rollAnswer }
        let messages = try DieMessageListener(on: address, connections: connections) { [weak self] in
            self?.handle(.message($0, connection: $1))
        }
        return [rolls, messages] as [any Sendable]
    }

    /// The answer to a question over IP: the same as over Bluetooth.
    var rollAnswer: DieService.Answer { logic.withLock { $0.rollAnswer } }

    // MARK: The GATT server

    package var attributes: AccessoryAttributes {
        let characteristics = DieGATT.characteristics.map { characteristic in
            LocalCharacteristic(
                uuid: DieProgram.uuid(characteristic.uuid), properties: .init(characteristic.properties),
                needsSecureConnections: characteristic.needsSecureConnections,
                // This is a channel for messages, each with a receipt.
                isNotifiedOften: characteristic.properties.contains(.writeWithoutResponse),
                description: characteristic.name)
        }
        let service = LocalService(uuid: DieProgram.uuid(DieGATT.service), characteristics: characteristics)
        return AccessoryAttributes(services: [service], handler: handler)
    }

    private var handler: GATTServerHandler {
        GATTServerHandler(
            read: { [weak self] access, respond in
                guard let self, let characteristic = DieProgram.characteristic(access.characteristic),
                    let value = logic.withLock({ $0.value(of: characteristic) })
                else { return respond(.failure(.init(.readNotPermitted))) }
                respond(.success(value))
            },
            write: { [weak self] access, value, respond in self?.write(access, value, respond) },
            subscribe: { [weak self] attribute, isOn in
                guard let characteristic = DieProgram.characteristic(attribute.uuid) else { return }
                self?.handle(.subscription(characteristic, isOn))
            })
    }

    private func write(_ access: GATTServerHandler.Access, _ value: Data, _ respond: GATTServerHandler.Respond) {
        guard let characteristic = DieProgram.characteristic(access.characteristic) else {
            return respond(.failure(.init(.writeNotPermitted)))
        }
        guard access.offset == 0 else { return respond(.failure(.init(.invalidOffset))) }
        guard logic.withLock({ $0.accepts(value, for: characteristic) }) else {
            return respond(.failure(.init(.invalidLength)))
        }
        respond(.success(()))
        handle(.written(characteristic, value, mtu: access.mtu ?? 23))
    }

    /// Parses a UUID of the die's wire format.
    static func uuid(_ text: String) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text) else { preconditionFailure("the die's format spells a UUID \(text)") }
        return uuid
    }

    private static let byUUID = Dictionary(
        uniqueKeysWithValues: DieGATT.characteristics.map { (uuid($0.uuid), $0) })

    private static func characteristic(_ uuid: BluetoothUUID) -> DieGATT.Characteristic? { byUUID[uuid] }
}

extension GATTCharacteristic.Properties {
    /// Converts properties of the die's wire format. An app on a real phone also uses that format, without the radio
    /// model.
    fileprivate init(_ properties: DieGATT.Properties) {
        self = []
        if properties.contains(.read) { insert(.read) }
        if properties.contains(.write) { insert(.write) }
        if properties.contains(.writeWithoutResponse) { insert(.writeWithoutResponse) }
        if properties.contains(.notify) { insert(.notify) }
    }
}
