import CoreBluetooth
import CryptoKit
import NetworkExtension
import Testing

// What Apple's types do not conform to, apps write themselves, there with `@retroactive`. If a type here conformed
// already, a conformance below would be an error: “redundant conformance”, or a warning, which is an error in this
// package.
extension CBUUID: @unchecked Sendable {}
extension CBPeer: @unchecked Sendable {}
extension CBAttribute: @unchecked Sendable {}
extension CBManager: @unchecked Sendable {}
extension P256.KeyAgreement.PublicKey: Equatable {
    public static func == (one: Self, other: Self) -> Bool { one.rawRepresentation == other.rawRepresentation }
}
extension Curve25519.KeyAgreement.PublicKey: Equatable {
    public static func == (one: Self, other: Self) -> Bool { one.rawRepresentation == other.rawRepresentation }
}
extension XWingMLKEM768X25519.PublicKey: Equatable {
    public static func == (one: Self, other: Self) -> Bool { one.rawRepresentation == other.rawRepresentation }
}
extension MLKEM768.PublicKey: Equatable {
    public static func == (one: Self, other: Self) -> Bool { one.rawRepresentation == other.rawRepresentation }
}

@Suite("Apps state what Apple's types do not conform to")
struct ConformanceTests {
    @Test("An app may make public keys comparable")
    func keys() throws {
        let (one, other) = (P256.KeyAgreement.PrivateKey().publicKey, P256.KeyAgreement.PrivateKey().publicKey)
        #expect(one == one && one != other)
    }

    @Test("An app may send a UUID to a task of its own")
    func uuids() async {
        let uuid = CBUUID(string: "180F")
        let text = await Task { uuid.uuidString }.value
        #expect(text == uuid.uuidString)
    }
}
