import HILBluetoothHost
import RadioModel
import RigModel
import Testing

@testable import HIL

@MainActor
@Suite("Who is near an accessory that is attacked")
struct BystandersTests {
    private static let phone = DeviceIdentity(
        resolvingKey: Value128(high: 1, low: 2), address: PeerAddress(.neighbour(200), isRandom: false))

    @Test("Strangers leave the phone alone, behind each of its addresses, and nobody else with such addresses")
    func phone() throws {
        let lab = try TestLab().lab
        #expect(!Bystanders(near: lab).include(Self.phone.address))
        lab.phoneIdentity = Self.phone
        let bystanders = Bystanders(near: lab)
        #expect(bystanders.include(Self.phone.address))
        let bytes: RandomBytes = { [UInt8](repeating: 0x15, count: $0) }
        #expect(bystanders.include(ResolvablePrivateAddress.make(key: Self.phone.resolvingKey, random: bytes)))
        #expect(!bystanders.include(ResolvablePrivateAddress.make(key: Value128(high: 2, low: 1), random: bytes)))
        #expect(!bystanders.include(PeerAddress(.neighbour(1), isRandom: false)))
    }

    @Test("Strangers leave neighbours alone that the scenario added to the air, as long as they are there")
    func neighbours() async throws {
        let lab = try TestLab().lab
        let bystanders = Bystanders(near: lab)
        let neighbour = PeerAddress(.neighbour(1), isRandom: false)
        try await lab.air.add(.advertiser(AirAdvertiser(named: "Neighbour", address: neighbour.address)))
        #expect(bystanders.include(neighbour))
        try await lab.air.remove(neighbour.address)
        #expect(!bystanders.include(neighbour))
    }

    @Test("On real air everybody is a bystander but the one device that is attacked, behind each of its addresses")
    func target() throws {
        let lab = try TestLab().lab
        let device = PeerAddress(.neighbour(1), isRandom: false)
        let fixed = Bystanders(near: lab, target: Bystanders.Target(address: device))
        #expect(!fixed.include(device))
        #expect(fixed.include(PeerAddress(.neighbour(1), isRandom: true)))
        #expect(fixed.include(PeerAddress(.neighbour(2), isRandom: false)))
        let key = Value128(high: 3, low: 4)
        let bytes: RandomBytes = { [UInt8](repeating: 0x15, count: $0) }
        let address = ResolvablePrivateAddress.make(key: key, random: bytes)
        #expect(fixed.include(address))
        let bonded = Bystanders(near: lab, target: Bystanders.Target(address: device, resolvingKey: key))
        #expect(!bonded.include(device) && !bonded.include(address))
        #expect(bonded.include(ResolvablePrivateAddress.make(key: Value128(high: 4, low: 3), random: bytes)))
    }
}
