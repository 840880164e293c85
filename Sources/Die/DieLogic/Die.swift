import BoardProtocol
import DieControl
import DieProtocol
import FoundationEssentials
import RadioModel

/// The reference accessory, a Bluetooth die: what it makes of what happens to it.
///
/// It touches no radio. Whoever runs the board's radios hands on what a person, a phone or the radio did, and does, in
/// order, what comes back. Its networks are the access point's business; the die only tells phones of them.
package struct Die: Sendable {
    /// What a phone or the radio did.
    package enum Input: Sendable {
        /// A link came up, or went.
        case connected(DeviceAddress)
        case disconnected(DeviceAddress)
        /// Pairing ended well.
        case bonded(DeviceAddress, Bond)
        /// A phone pairs and compares this number.
        case comparison(passkey: UInt32)
        /// The first phone subscribed to a characteristic, or the last unsubscribed.
        case subscription(DieGATT.Characteristic, Bool)
        /// A phone wrote a whole value; `mtu` is the link's ATT MTU in bytes, 23 to 517.
        case written(DieGATT.Characteristic, Data, mtu: Int)
        /// A phone sent a message over this connection of ``DieProtocol/DieMessageService``.
        case message(Data, connection: Int)
        /// A message of the relay's.
        case relayed(DieRelay.Message)
        /// The relay is lost, or the die has let go of it.
        case relayLost
    }

    /// What is to be done.
    package enum Output: Sendable, Equatable {
        /// Tell the runner.
        case tell(DieEvent)
        /// Notify a value, which fits the link, to who subscribed.
        case notify(DieGATT.Characteristic, Data)
        /// Send a message over this connection of ``DieProtocol/DieMessageService``.
        case send(Data, connection: Int)
        /// Attend this mailbox on the relay at this address, in dotted form; nil: attend none.
        case attend(mailbox: UUID?, at: String)
        /// Send a message to the relay.
        case relay(DieRelay.Message)
        /// Answer the comparison.
        case answerComparison(Bool)
        /// Have classic Bluetooth beside LE or not, and a private LE address or the radio's own.
        case setTransports(isDualMode: Bool, hasPrivateAddress: Bool)
        /// Be on the air, connectable, under this name and with that beside it.
        case advertise(name: String, DieAdvertising)
        /// Be off the air, and drop every link.
        case goSilent
        /// Let strangers pair, or have the radio refuse them.
        case setPairable(Bool)
    }

    /// The longest name that an owner may give, bytes of UTF-8.
    package static let longestOwnerName = 64
    /// How many sides it has.
    package static let sides: UInt8 = 6
    private static let serialNumber = "D6-0001"

    private var configuration: DieConfiguration?
    private var networks: [NetworkConfiguration] = []
    private var pairing = DieConfiguration.Pairing.accepts
    private var roll = Roll(number: 0, sides: Die.sides, face: 0)
    private var owner = Data()
    var receiver = NotificationReceiver()
    private(set) var isSilenced = false
    /// The mailbox that it attends, or means to.
    private var mailbox: UUID?
    /// How what it has to say reaches the phone: as the last delivery came, or over Bluetooth once a phone listens there.
    var wayBack = WayBack.bluetooth

    /// A die that is switched off, without an owner's name, keys or notifications.
    package init() {}

    // MARK: - The person with the die in the hand

    /// Does what a person does with the die.
    ///
    /// - Throws: ``RadioError/invalid(_:)`` for what cannot be done to it now.
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
            roll = Roll(number: 0, sides: Die.sides, face: 0)
            return [
                .setTransports(
                    isDualMode: configuration.isDualMode, hasPrivateAddress: configuration.hasPrivateAddress),
                .setPairable(pairing == .accepts), .advertise(name: configuration.name, configuration.advertising),
            ]
        case .powerOff:
            configuration = nil
            networks = []
            return [.goSilent]
        case .roll(let face):
            try requirePower()
            guard (1...Die.sides).contains(face) else {
                throw .invalid("the die has the faces 1 to \(Die.sides), not \(face)")
            }
            roll = Roll(number: roll.number &+ 1, sides: Die.sides, face: face)
            return [.notify(DieGATT.roll, roll.encoded)]
        case .openNetwork(let network):
            try requirePower()
            guard !networks.contains(where: { $0.ssid == network.ssid }) else {
                throw .invalid("the die's network “\(network.ssid)” is open already")
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
            // Each time that a radio begins to advertise it takes a new one.
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

    /// The ways by which it can be reached now, and what of them is yet to be done.
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

    /// Takes what a phone or the radio did.
    package mutating func take(_ input: Input) -> [Output] {
        let outputs = hear(input)
        return outputs + reachable()
    }

    private mutating func hear(_ input: Input) -> [Output] {
        switch input {
        case .connected(let phone):
            receiver.linkChanged()
            return [.tell(.connected(phone))]
        case .disconnected(let phone):
            receiver.linkChanged()
            return [.tell(.disconnected(phone))]
        case .bonded(let phone, let bond):
            // A phone that pairs has no keys of ours any more.
            receiver.forgetKeys()
            return [.tell(.bonded(phone, bond))]
        case .comparison(let passkey):
            guard pairing == .accepts else { return [.answerComparison(false)] }
            return [.tell(.passkeyShown(passkey)), .answerComparison(true)]
        case .subscription(DieGATT.roll, let isOn): return [.tell(.rollSubscription(isOn))]
        case .subscription(DieGATT.security, true): return outputs { $0.securitySubscribed() }
        case .subscription(DieGATT.notifications, true):
            wayBack = .bluetooth
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

    /// Whether a value may be written at all: the answer to the phone, before ``take(_:)``.
    package func accepts(_ value: Data, for characteristic: DieGATT.Characteristic) -> Bool {
        characteristic != DieGATT.owner
            || value.count <= Die.longestOwnerName && String(validating: value, as: UTF8.self) != nil
    }

    /// What it answers over IP: the same roll as over Bluetooth.
    package var rollAnswer: DieService.Answer { DieService.Answer(roll: roll, serialNumber: Die.serialNumber) }

    /// The value of a characteristic that can be read; nil for the others.
    package func value(of characteristic: DieGATT.Characteristic) -> Data? {
        switch characteristic {
        case DieGATT.roll: roll.encoded
        case DieGATT.info: try? DieInfo(serialNumber: Die.serialNumber, firmwareVersion: "1.0").encoded()
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
            case .open: .open
            case .wpa2: .wpa2
            case .wpa3: .wpa3
            case .wpa2wpa3: .wpa2And3
            }
        self.init(ssid: network.ssid, security: security, passphrase: network.passphrase)
    }
}
