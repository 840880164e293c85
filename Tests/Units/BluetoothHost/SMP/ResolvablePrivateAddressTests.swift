import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Resolvable private addresses")
struct ResolvablePrivateAddressTests {
    private let key = SMPTest.value("ec0234a357c8ad05341010a60a397d9b")

    @Test("The address of the specification's sample data belongs to its key")
    func sample() throws {
        let address = try #require(ResolvablePrivateAddress(SMPTest.address("70:81:94:0D:FB:AA", isRandom: true)))
        #expect(address.isMade(with: key))
        #expect(!address.isMade(with: SMPTest.value("ec0234a357c8ad05341010a60a397d9c")))
    }

    @Test("New addresses are resolvable, with their own key only")
    func made() throws {
        let random = SMPTest.random(seed: 3)
        for _ in 0..<200 {
            let peer = ResolvablePrivateAddress.make(key: key, random: random)
            #expect(peer.isResolvablePrivate)
            let address = try #require(ResolvablePrivateAddress(peer))
            #expect(address.isMade(with: key))
            #expect(!address.isMade(with: Value128(high: key.high, low: key.low ^ 1)))
        }
    }

    @Test("A key of zeros resolves no address, because it stands for a device without private addresses")
    func zeroKey() throws {
        let peer = ResolvablePrivateAddress.make(key: .zero, random: SMPTest.random(seed: 5))
        #expect(try !#require(ResolvablePrivateAddress(peer)).isMade(with: .zero))
    }

    @Test("The random part never has 22 equal bits")
    func equalBits() {
        for byte: UInt8 in [0x00, 0xFF] {
            let peer = ResolvablePrivateAddress.make(key: key) { [UInt8](repeating: byte, count: $0) }
            let part = peer.address.bytes.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(part >> 22 == 0b01)
            #expect(![0, 0x3F_FFFF].contains(part & 0x3F_FFFF))
        }
    }

    @Test(
        "Other kinds of addresses are not resolvable",
        arguments: [("70:81:94:0D:FB:AA", false), ("30:81:94:0D:FB:AA", true), ("F0:81:94:0D:FB:AA", true)])
    func otherKinds(text: String, isRandom: Bool) {
        #expect(ResolvablePrivateAddress(SMPTest.address(text, isRandom: isRandom)) == nil)
    }

    @Test("An address with a changed hash does not belong to the key")
    func changed() throws {
        let peer = ResolvablePrivateAddress.make(key: key, random: SMPTest.random(seed: 4))
        for bit in 0..<24 {
            var bytes = peer.address.bytes
            bytes[3 + bit / 8] ^= 1 << UInt8(bit % 8)
            let address = try #require(DeviceAddress(bytes: bytes))
            let changed = try #require(ResolvablePrivateAddress(PeerAddress(address, isRandom: true)))
            #expect(!changed.isMade(with: key))
        }
    }
}
