import RadioModel

/// The distribution of keys after the link is encrypted: the responder's keys first, then the initiator's.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.4.3 and 3.6.1.
struct KeyTransfer: Sendable {
    let role: PairingRole
    let key: AgreedKey
    /// The commands that this end has not sent.
    private var unsent: [SMPCommand] = []
    /// The commands that the peer has not sent, in their order.
    private(set) var missing: [SMPCommand.Code] = []
    private var keys = KeySet()
    /// The peer's long-term key before its EDIV and Rand arrive.
    private var peerKeyValue = Value128.zero
    /// The peer's identity resolving key before its identity address arrives.
    private var peerResolvingKey = Value128.zero

    /// - Parameter identity: What this end distributes if it announced an identity.
    init(_ key: AgreedKey, role: PairingRole, identity: DeviceIdentity?, random: RandomBytes) {
        self.role = role
        self.key = key
        let features = key.features
        if features.isSecureConnections {
            keys.localKey = key.linkEncryptionKey
            keys.peerKey = key.linkEncryptionKey
        }
        if features.derivesLinkKey {
            keys.linkKey = SecurityToolbox.linkKey(longTermKey: key.value, usesCT2: features.usesCT2)
        }
        prepare(features.distributed(role), identity: identity, random: random)
        let due = features.distributed(role.other)
        if due.contains(.encryption) { missing += [.encryptionInformation, .centralIdentification] }
        if due.contains(.identity) { missing += [.identityInformation, .identityAddressInformation] }
        if due.contains(.signing) { missing.append(.signingInformation) }
    }

    /// Whether both ends have all keys.
    var isComplete: Bool { missing.isEmpty && unsent.isEmpty }

    var result: PairingResult {
        PairingResult(
            keys: keys, strength: key.features.strength, isBonded: key.features.isBonding,
            method: key.features.method, keySize: key.features.keySize, usedDebugKey: key.usedDebugKey)
    }

    /// Starts when the link is encrypted.
    mutating func start() -> [PairingAction] { role == .responder || missing.isEmpty ? sendAll() : [] }

    mutating func receive(_ command: SMPCommand) throws(PairingRefusal) -> [PairingAction] {
        guard command.code == missing.first else { throw .unexpected(command) }
        switch command {
        case .encryptionInformation(let value): peerKeyValue = value
        case .centralIdentification(let ediv, let rand):
            keys.peerKey = LongTermKey(
                value: peerKeyValue.shortened(to: key.features.keySize), ediv: ediv, rand: rand,
                size: key.features.keySize)
        case .identityInformation(let value): peerResolvingKey = value
        case .identityAddressInformation(let address):
            guard address.isIdentity else {
                throw PairingRefusal(.invalidParameters, "its identity address \(address) is a private address")
            }
            keys.peerIdentity = DeviceIdentity(resolvingKey: peerResolvingKey, address: address)
        case .signingInformation(let value): keys.peerSigningKey = value
        default: throw .unexpected(command)
        }
        missing.removeFirst()
        return missing.isEmpty ? sendAll() : []
    }

    private mutating func sendAll() -> [PairingAction] {
        defer { unsent = [] }
        return unsent.map { .send($0) }
    }

    private mutating func prepare(_ announced: KeyDistribution, identity: DeviceIdentity?, random: RandomBytes) {
        if announced.contains(.encryption) {
            let local = LongTermKey(
                value: Value128.random(random).shortened(to: key.features.keySize),
                ediv: UInt16(truncatingIfNeeded: UInt64(mostSignificantFirst: random(2))),
                rand: UInt64(mostSignificantFirst: random(8)), size: key.features.keySize)
            keys.localKey = local
            unsent += [.encryptionInformation(local.value), .centralIdentification(ediv: local.ediv, rand: local.rand)]
        }
        if announced.contains(.identity), let identity {
            unsent += [.identityInformation(identity.resolvingKey), .identityAddressInformation(identity.address)]
        }
        if announced.contains(.signing) {
            let signingKey = Value128.random(random)
            keys.localSigningKey = signingKey
            unsent.append(.signingInformation(signingKey))
        }
    }
}

extension PeerAddress {
    /// Whether it is an identity address: public, or random and static.
    var isIdentity: Bool { !isRandom || address.bytes.first.map { $0 & 0xC0 == 0xC0 } ?? false }
}
