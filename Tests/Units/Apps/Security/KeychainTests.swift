import Foundation
import HILPhone
import HostRadio
import Security
import TestSupport
import Testing

/// The keychain as apps use it.
@Suite("Keychain")
struct KeychainTests {
    final class Lamp: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.lamp", folder: fixture("DiceApp"))
        init() {}
    }

    final class Other: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.other", folder: fixture("DiceApp"))
        init() {}
    }

    private let phone = Phone(radio: InMemoryRadio(), clock: ContinuousClock())
    private let token: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "lamp",
        kSecAttrAccount as String: "token",
    ]

    private func adding(_ more: [CFString: Any]) -> CFDictionary { token.merging(more) { $1 } as CFDictionary }

    private func read() -> String? {
        var result: CFTypeRef?
        let query = adding([kSecReturnData: kCFBooleanTrue!, kSecMatchLimit: kSecMatchLimitOne])
        guard SecItemCopyMatching(query, &result) == errSecSuccess else { return nil }
        return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("An app that is launched again finds its item, and another app does not", .covers("P8"))
    func belongsToThePhone() async throws {
        _ = try await phone.launch(Lamp.self)
        phone.asCurrent { #expect(SecItemAdd(adding([kSecValueData: Data("one".utf8)]), nil) == errSecSuccess) }
        _ = try await phone.launch(Other.self)
        phone.asCurrent { #expect(read() == nil) }
        _ = try await phone.launch(Lamp.self)
        phone.asCurrent { #expect(read() == "one") }
    }

    @Test("The keychain keeps the items of a deleted app, unless the policy says otherwise", .covers("P10"))
    func deletedApp() async throws {
        for outlives in [true, false] {
            phone.policy.keychainOutlivesApps = outlives
            _ = try await phone.launch(Other.self)
            phone.asCurrent { _ = SecItemAdd(adding([kSecValueData: Data("other".utf8)]), nil) }
            _ = try await phone.launch(Lamp.self)
            phone.asCurrent { _ = SecItemAdd(adding([kSecValueData: Data("one".utf8)]), nil) }
            phone.notifications.deleteApp(Lamp.bundle.identifier)
            #expect(phone.app == nil, "deletion ends the app")
            _ = try await phone.launch(Lamp.self)
            phone.asCurrent { #expect(read() == (outlives ? "one" : nil)) }
            _ = try await phone.launch(Other.self)
            phone.asCurrent { #expect(read() == "other") }
        }
    }

    @Test("A second item with the same primary key is a duplicate; what is not there is not found", .covers("P8"))
    func codes() async throws {
        _ = try await phone.launch(Lamp.self)
        phone.asCurrent {
            #expect(SecItemUpdate(token as CFDictionary, [kSecValueData: Data()]) == errSecItemNotFound)
            #expect(SecItemDelete(token as CFDictionary) == errSecItemNotFound)
            #expect(SecItemAdd(adding([kSecValueData: Data("one".utf8), kSecAttrLabel: "a"]), nil) == errSecSuccess)
            #expect(SecItemAdd(adding([kSecValueData: Data("two".utf8)]), nil) == errSecDuplicateItem)
            #expect(SecItemUpdate(token as CFDictionary, [kSecValueData: Data("three".utf8)]) == errSecSuccess)
            #expect(read() == "three")
            #expect(SecItemAdd(adding([kSecAttrAccount: "second"]), nil) == errSecSuccess)
            #expect(SecItemUpdate(token as CFDictionary, [kSecAttrAccount: "second"]) == errSecDuplicateItem)
            #expect(SecItemDelete(token as CFDictionary) == errSecSuccess && read() == nil)
            #expect(SecItemAdd([kSecAttrAccount: "x"], nil) == errSecParam)
            #expect(SecItemAdd(adding([kSecMatchLimit: kSecMatchLimitOne]), nil) == errSecParam)
            #expect(SecItemAdd([kSecClass: kSecClassIdentity], nil) == errSecUnimplemented)
        }
    }

    @Test("A search gives attributes, data, or both, of one item or of all")
    func results() async throws {
        _ = try await phone.launch(Lamp.self)
        phone.asCurrent {
            for account in ["a", "b"] {
                let item = adding([kSecAttrAccount: account, kSecValueData: Data(account.utf8)])
                #expect(SecItemAdd(item, nil) == errSecSuccess)
            }
            var all: AnyObject?
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "lamp",
                kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
                kSecReturnData as String: true,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, &all) == errSecSuccess)
            let items = all as? [[String: Any]] ?? []
            #expect(items.compactMap { $0[kSecAttrAccount as String] as? String } == ["a", "b"])
            #expect(items.compactMap { $0[kSecValueData as String] as? Data } == [Data("a".utf8), Data("b".utf8)])
            #expect(items.first?[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked)
            var one: CFTypeRef?
            #expect(SecItemCopyMatching(adding([kSecAttrAccount: "b", kSecReturnPersistentRef: true]), &one) == 0)
            let reference = one as? Data ?? Data()
            let again: [String: Any] = [kSecValuePersistentRef: reference, kSecReturnData: true]
            #expect(SecItemCopyMatching(again, &one) == errSecSuccess && one as? Data == Data("b".utf8))
        }
    }

    @Test("Items that other devices of the person get are told from those of this phone")
    func synchronizable() async throws {
        _ = try await phone.launch(Lamp.self)
        phone.asCurrent {
            let shared = adding([kSecAttrSynchronizable: true, kSecValueData: Data("shared".utf8)])
            #expect(SecItemAdd(shared, nil) == errSecSuccess && read() == nil)
            let any = adding([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
            #expect(SecItemCopyMatching(any, nil) == errSecSuccess && SecItemDelete(any) == errSecSuccess)
        }
    }

    @Test("An access group without the entitlement is refused, and the log says what lacks", .covers("P8"))
    func accessGroup() async throws {
        _ = try await phone.launch(Lamp.self)
        phone.asCurrent {
            let query = adding([kSecAttrAccessGroup: "TEAM.shared"])
            #expect(SecItemAdd(query, nil) == errSecMissingEntitlement)
        }
        #expect(
            phone.log.events.contains {
                if case .warning("P8", let text) = $0.kind { text.contains("keychain-access-groups") } else { false }
            })
    }

    @Test("A dictionary of Foundation does as well")
    func foundation() async throws {
        _ = try await phone.launch(Lamp.self)
        phone.asCurrent {
            let item: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecAttrService: "lamp"]
            let value: NSDictionary = [kSecValueData: Data("one".utf8)]
            let asking: NSDictionary = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
            var result: AnyObject?
            #expect(SecItemAdd(item, nil) == errSecSuccess && SecItemUpdate(item, value) == errSecSuccess)
            #expect(SecItemCopyMatching(asking, &result) == errSecSuccess && result as? Data == Data("one".utf8))
            #expect(SecItemDelete(item) == errSecSuccess && SecItemCopyMatching(asking, nil) == errSecItemNotFound)
        }
    }

    @Test("Random bytes fill what they are asked to fill, and no more")
    func random() {
        var bytes = [UInt8](repeating: 0, count: 64)
        #expect(bytes.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!) } == 0)
        #expect(bytes[..<32].contains { $0 != 0 } && bytes[32...].allSatisfy { $0 == 0 })
        var none: UInt8 = 7
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &none) == errSecParam && none == 7)
    }
}
