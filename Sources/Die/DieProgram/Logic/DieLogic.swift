import BoardProtocol
import DieProtocol
import FoundationEssentials
import RadioModel

/// The logic of the reference accessory, a Bluetooth die: events in, outputs out.
///
/// It uses no radio. Its owner passes on events of a person, a phone or the radio, and carries out the outputs in
/// order. The access point runs its networks; the die only informs phones about them.
package struct DieLogic: Sendable {
    /// An event of a phone or the radio.
    package enum Input: Sendable {
        /// A link was connected or disconnected.
        case connected(DeviceAddress)
        case disconnected(DeviceAddress)
        /// Pairing has succeeded.
        case bonded(DeviceAddress, Bond)
        /// A phone pairs and compares this number.
        case comparison(passkey: UInt32)
        /// The first phone subscribed to a characteristic, or the last unsubscribed.
        case subscription(DieGATT.Characteristic, Bool)
        /// A phone wrote a complete value. `mtu` is the ATT MTU of the link in bytes, 23 to 517.
        case written(DieGATT.Characteristic, Data, mtu: Int)
        /// A phone sent a message over this connection of ``DieProtocol/DieMessageService``.
        case message(Data, connection: Int)
        /// A message from the relay.
        case relayed(DieRelay.Message)
        /// The connection to the relay was lost or closed.
        case relayLost
    }

    /// Something for the die's owner to do.
    package enum Output: Sendable, Equatable {
        /// Send an event to the runner.
        case tell(DieEvent)
        /// Notify a value to subscribed phones. It fits the link.
        case notify(DieGATT.Characteristic, Data)
        /// Send a message over this connection of ``DieProtocol/DieMessageService``.
        case send(Data, connection: Int)
        /// Receive this mailbox from the relay at this IPv4 address; nil to receive none.
        case attend(mailbox: UUID?, at: String)
        /// Send a message to the relay.
        case relay(DieRelay.Message)
        /// Answer the number comparison.
        case answerComparison(Bool)
        /// Switch classic Bluetooth on or off, and use a private LE address or not.
        case setTransports(isDualMode: Bool, hasPrivateAddress: Bool)
        /// Start connectable advertising with this name and content.
        case advertise(name: String, DieAdvertising)
        /// Stop advertising, and end all links.
        case stopAdvertising
        /// Set whether unknown phones can pair.
        case setPairable(Bool)
    }

    /// The longest owner's name, in bytes of UTF-8.
    package static let longestOwnerName = 64
    /// The number of sides.
    package static let sides: UInt8 = 6
    private static let serialNumber = "D6-0001"

    private var configuration: DieConfiguration?
    private var networks: [NetworkConfiguration] = []
    private var pairing = DieConfiguration.Pairing.accepts
    private var roll = Roll(number: 0, sides: DieLogic.sides, face: 0)
    private var owner = Data()
    var receiver = NotificationReceiver()
    private(set) var isSilenced = false
    /// The mailbox that it receives or tries to receive.
    private var mailbox: UUID?
    /// The transport for its messages: that of the last delivery, or Bluetooth after a phone has subscribed there.
    var returnTransport = ReturnTransport.bluetooth

    /// A die that is switched off, without an owner's name, keys or notifications.
    package init() {}

    // MARK: - Commands

    /// Carries out a command.
    ///
    /// - Throws: ``RadioError/invalid(_:)`` if the command is not possible now.
    package mutating func perform(_ command: DieCommand) throws(RadioError) -> [Output] {
        let outputs = try carryOut(command)
        return outputs + reachable()
    }

    private mutating func carryOut(_ command: DieCommand) throws(RadioError) -> [Output] {
        switch command {
        case .powerOn(let configuration):
            guard configuration.networks.count <= 2 else {
                throw .invalid("the die opens at most 2 networks, not \(configuration.networks.count)")
            }
            self.configuration = configuration
            receiver.misbehaviour = configuration.misbehaviour
            receiver.suites = configuration.cipherSuites
            pairing = configuration.pairing
            networks = configuration.networks
            roll = Roll(number: 0, sides: DieLogic.sides, face: 0)
            return [
                .setTransports(
                    isDualMode: configuration.isDualMode, hasPrivateAddress: configuration.hasPrivateAddress),
                .setPairable(pairing == .accepts), .advertise(name: configuration.name, configuration.advertising),
            ]
        case .powerOff:
            configuration = nil
            networks = []
            return [.stopAdvertising]
        case .roll(let face):
            try requirePower()
            guard (1...DieLogic.sides).contains(face) else {
                throw .invalid("the die has the faces 1 to \(DieLogic.sides), not \(face)")
            }
            roll = Roll(number: roll.number &+ 1, sides: DieLogic.sides, face: face)
            return [.notify(DieGATT.roll, roll.encoded)]
        case .openNetwork(let network):
            try requirePower()
            guard !networks.contains(where: { $0.ssid == network.ssid }) else {
                throw .invalid("the die's network “\(network.ssid)” is already open")
            }
            networks.append(network)
            return []
        case .closeNetwork(let ssid):
            try requirePower()
            networks.removeAll { $0.ssid == ssid }
            return []
        case .changePassphrase(let ssid, let passphrase):
            try requirePower()
            guard let index = networks.firstIndex(where: { $0.ssid == ssid }) else {
                throw .invalid("the die's network “\(ssid)” is not open")
            }
            networks[index].passphrase = passphrase
            return []
        case .setPairing(let pairing):
            self.pairing = pairing
            return [.setPairable(pairing == .accepts)]
        case .rotateAddress:
            guard let configuration, configuration.hasPrivateAddress else {
                throw .invalid("the die has no private address to change; power it on with one")
            }
            // A radio chooses a new private address each time that it starts advertising.
            return [.advertise(name: configuration.name, configuration.advertising)]
        case .setSilenced(let isSilenced):
            self.isSilenced = isSilenced
            return []
        case .respond(let response):
            try requirePower()
            return try respond(response)
        }
    }

    private func requirePower() throws(RadioError) {
        if configuration == nil { throw .invalid("the die is switched off; power it on first") }
    }

    /// Updates the transports by which it can be reached, and returns outputs for changed ones.
    private mutating func reachable() -> [Output] {
        receiver.transports = .bluetooth
        if !networks.isEmpty { receiver.transports.insert(.localNetwork) }
        if configuration?.relay != nil { receiver.transports.insert(.internet) }
        let wanted = configuration?.relay == nil ? nil : receiver.mailbox
        guard wanted != mailbox else { return [] }
        mailbox = wanted
        return [.attend(mailbox: wanted, at: configuration?.relay ?? "")]
    }

    // MARK: - Phones

    /// Handles an event.
    package mutating func take(_ input: Input) -> [Output] {
        let outputs = handle(input)
        return outputs + reachable()
    }

    private mutating func handle(_ input: Input) -> [Output] {
        switch input {
        case .connected(let phone):
            receiver.linkChanged()
            return [.tell(.connected(phone))]
        case .disconnected(let phone):
            receiver.linkChanged()
            return [.tell(.disconnected(phone))]
        case .bonded(let phone, let bond):
            // A phone that pairs again has none of our keys, and may be its next owner's.
            return [.tell(.bonded(phone, bond))] + outputs { $0.forgetPhone() }
        case .comparison(let passkey):
            guard pairing == .accepts else { return [.answerComparison(false)] }
            return [.tell(.passkeyShown(passkey)), .answerComparison(true)]
        case .subscription(DieGATT.roll, let isOn): return [.tell(.rollSubscription(isOn))]
        case .subscription(DieGATT.security, true): return outputs { $0.securitySubscribed() }
        case .subscription(DieGATT.notifications, true):
            returnTransport = .bluetooth
            return []
        case .subscription: return []
        case .written(DieGATT.owner, let name, _):
            owner = name
            return []
        case .written(DieGATT.security, let segment, let mtu):
            return outputs { $0.receiveSecurity(segment, mtu: mtu) }
        case .written(DieGATT.notifications, let segment, let mtu):
            return outputs(by: .bluetooth) { $0.receiveNotification(segment, mtu: mtu) }
        case .written: return []
        case .message(let message, let connection):
            return outputs(by: .network(connection)) { $0.receiveNotification(overNetwork: message, isInternet: false) }
        case .relayed(let message): return relayed(message)
        case .relayLost: return [.tell(.reachedRelay(false))]
        }
    }

    /// Whether this value may be written. Ask before ``take(_:)``; it decides the answer to the phone.
    package func accepts(_ value: Data, for characteristic: DieGATT.Characteristic) -> Bool {
        characteristic != DieGATT.owner
            || value.count <= DieLogic.longestOwnerName && String(validating: value, as: UTF8.self) != nil
    }

    /// The answer to a question over IP: the same roll as over Bluetooth.
    package var rollAnswer: DieService.Answer { DieService.Answer(roll: roll, serialNumber: DieLogic.serialNumber) }

    /// The value of a readable characteristic; nil for others.
    package func value(of characteristic: DieGATT.Characteristic) -> Data? {
        switch characteristic {
        case DieGATT.roll: roll.encoded
        case DieGATT.info: try? DieInfo(serialNumber: DieLogic.serialNumber, firmwareVersion: "1.0").encoded()
        case DieGATT.owner: owner
        case DieGATT.networks: try? DieNetworks(networks: networks.map(DieNetworks.Network.init)).encoded()
        default: nil
        }
    }
}

extension DieNetworks.Network {
    fileprivate init(_ network: NetworkConfiguration) {
        let security: DieNetworks.Security =
            switch network.security {
            case .open, .enhancedOpen: .open
            // A die's protocol knows no login and no older WPA: a phone joins by what the network offers.
            case .wpa2, .wpa1, .wpa1wpa2, .wpa2Enterprise: .wpa2
            case .wpa3: .wpa3
            case .wpa2wpa3: .wpa2And3
            }
        self.init(ssid: network.ssid, security: security, passphrase: network.passphrase)
    }
}
