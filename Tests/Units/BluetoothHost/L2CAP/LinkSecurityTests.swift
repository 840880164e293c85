import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("A link's protection")
struct LinkSecurityTests {
    @Test("A plain link is enough only for what needs no protection")
    func plain() {
        #expect(LinkProtection.allCases.filter(LinkSecurity.none.satisfies) == [.none])
    }

    @Test("Each property of the key opens one more level")
    func levels() {
        let unauthenticated = LinkSecurity(
            isEncrypted: true, isAuthenticated: false, isSecureConnections: true, keySize: 16)
        let legacy = LinkSecurity(isEncrypted: true, isAuthenticated: true, isSecureConnections: false, keySize: 16)
        let all = LinkSecurity(isEncrypted: true, isAuthenticated: true, isSecureConnections: true, keySize: 16)
        #expect(LinkProtection.allCases.filter(unauthenticated.satisfies) == [.none, .encrypted])
        #expect(LinkProtection.allCases.filter(legacy.satisfies) == [.none, .encrypted, .authenticated])
        #expect(LinkProtection.allCases.filter(all.satisfies) == LinkProtection.allCases)
    }

    @Test("A key that is not in use protects nothing")
    func keyNotInUse() {
        let security = LinkSecurity(isEncrypted: false, isAuthenticated: true, isSecureConnections: true, keySize: 16)
        #expect(LinkProtection.allCases.filter(security.satisfies) == [.none])
    }
}
