import RadioModel
import Testing

@testable import HILBluetoothHost

/// A phone with a bond, and the accessory of that bond on classic Bluetooth.
struct BridgingBench {
    static let address = DeviceAddress(bytes: [2, 0, 0, 0, 2, 0xB0])!  // six bytes
    static let key = Value128(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
    static let strength = Bond(isSecureConnections: true, isAuthenticated: true)
    static let link = ClassicLink(address: address, key: strength, keySize: 16)
    /// A port of an accessory's own.
    static let psm: UInt16 = 0x1001
    /// The commands of a bridging without a failure.
    static let order: [UInt16] = [0x0405, 0x0411, 0x040B, 0x0413, 0x1408, 0x0406]

    var air: LocalAir

    init(
        _ personality: HostPersonality = .iPhone, bond: StackBond? = bond(),
        _ change: (inout ClassicAccessory) -> Void = { _ in }
    ) {
        var accessory = ClassicAccessory(Self.address, linkKey: Self.key.leastSignificantFirst)
        change(&accessory)
        air = LocalAir([personality, .iPhone], bonds: bond.map { [$0] } ?? [], classic: accessory)
        _ = air.takeEvents(0)
    }

    static func bond(linkKey: Value128? = key, isRandom: Bool = false) -> StackBond {
        var keys = KeySet()
        keys.linkKey = linkKey
        return StackBond(
            identity: PeerAddress(address, isRandom: isRandom), keys: StoredBond(keys: keys, strength: strength))
    }

    var accessory: ClassicAccessory { air.classic! }  // every bench has one

    mutating func bridge(psm: UInt16 = psm) -> StackRequestID { air.perform(0, .bridge(Self.address, psm: psm)) }

    /// The link of a successful bridging; nil before it is over, and after a failure.
    func link(_ id: StackRequestID) -> ClassicLink? {
        if case .success(.bridged(let link))? = air.result(0, id) { link } else { nil }
    }

    /// Why a bridging failed; nil before it is over, and after a success.
    func failure(_ id: StackRequestID) -> BridgingFailure? {
        if case .failure(.bridging(let failure))? = air.result(0, id) { failure } else { nil }
    }

    mutating func hear(_ packets: [UInt8]...) { air.hearClassic(packets) }

    /// The accessory does something by itself.
    mutating func accessoryDoes(_ body: (inout L2CAPLink, Duration) -> [L2CAPLink.Output]) {
        guard var accessory = air.classic else { return }
        let packets = accessory.take(body(&accessory.l2cap, air.now), at: air.now)
        air.classic = accessory
        air.hearClassic(packets)
    }

    /// The accessory's controller loses the link.
    mutating func loseLink(_ reason: HCIError = .connectionTimeout) {
        guard let packet = air.classic?.ended(reason) else { return }
        hear(packet)
    }

    mutating func notes() -> [String] {
        air.takeEvents(0).compactMap { if case .note(_, let text) = $0 { text } else { nil } }
    }

    /// Nothing is left of the bridging: no link, no timer, and the next one succeeds.
    mutating func expectFree(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!accessory.isLinked, "a link is left", sourceLocation: sourceLocation)
        let bridging = air.devices[0].stack.bridging
        #expect(bridging.current == nil && bridging.waiting.isEmpty, sourceLocation: sourceLocation)
        air.classic?.replies = [:]
        air.classic?.isDeaf = false
        air.classic?.reaction = .closes
        air.classic?.linkKey = Self.key.leastSignificantFirst
        air.classic?.keySize = 16
        let next = bridge()
        #expect(
            link(next) == Self.link, "the next one: \(String(describing: air.result(0, next)))",
            sourceLocation: sourceLocation)
    }
}
