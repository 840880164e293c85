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
}
