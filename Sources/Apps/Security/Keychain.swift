import Foundation
import HILPhone
import Synchronization

/// The phone's keychain. It belongs to the phone, so that an app which is launched again finds its items (P8).
final class Keychain: PhoneComponent {
    private unowned let phone: Phone
    private let items = Mutex<[KeychainItem]>([])

    init(phone: Phone) { self.phone = phone }

    /// The keychain of the phone that the code runs on.
    static var current: Keychain { Phone.current.part() }

    /// The access group of an item: the app's own, or one that it shares with other apps.
    ///
    /// - Throws: A group that no entitlement of the app can name.
    private func group(_ query: KeychainQuery) throws(KeychainError) -> KeychainValue {
        guard let app = phone.app else {
            AppCrash.crash("hil", "the keychain was used with no app running: launch the app on the phone first")
        }
        guard let group = query.attributes[kSecAttrAccessGroup] else { return .text(app.bundle.identifier) }
        let sharing: Set = ["keychain-access-groups", "com.apple.security.application-groups"]
        guard group == .text(app.bundle.identifier) || !app.entitlements.isDisjoint(with: sharing) else {
            phone.record(
                .warning(
                    rule: "P8",
                    "\(app.bundle.identifier) has no keychain access group \(group.value): its entitlements lack "
                        + "keychain-access-groups"))
            throw KeychainError(errSecMissingEntitlement)
        }
        return group
    }

    func deleted(_ app: String) {
        guard !phone.policy.keychainOutlivesApps else { return }
        items.withLock { $0.removeAll { $0.attributes[kSecAttrAccessGroup] == .text(app) } }
    }

    func add(_ query: KeychainQuery) throws(KeychainError) -> Any? {
        guard let kind = query.kind, !query.namesLimit else { throw KeychainError(errSecParam) }
        guard KeychainItem.primaryKeys[kind] != nil else { throw KeychainError(errSecUnimplemented) }
        var attributes = query.attributes
        attributes[kSecAttrAccessGroup] = try group(query)
        attributes[kSecAttrSynchronizable] = .number(query.isSynchronizable == true ? 1 : 0)
        attributes[kSecAttrAccessible] = attributes[kSecAttrAccessible] ?? .text(kSecAttrAccessibleWhenUnlocked)
        let now = Date()
        attributes[kSecAttrCreationDate] = .date(now)
        attributes[kSecAttrModificationDate] = .date(now)
        let item = KeychainItem(kind: kind, attributes: attributes, data: query.data)
        let isNew = items.withLock { items in
            guard !items.contains(where: { $0.identity == item.identity }) else { return false }
            items.append(item)
            return true
        }
        guard isNew else { throw KeychainError(errSecDuplicateItem) }
        return answer(item, to: query)
    }

    func copy(_ query: KeychainQuery) throws(KeychainError) -> Any? {
        let isMeant = try search(query)
        let found = items.withLock { $0.filter(isMeant).prefix(query.limit) }
        guard let first = found.first else { throw KeychainError(errSecItemNotFound) }
        return query.limit == 1 ? answer(first, to: query) : found.compactMap { answer($0, to: query) }
    }

    func update(_ query: KeychainQuery, with change: KeychainQuery) throws(KeychainError) {
        guard change.kind == nil, !change.namesLimit else { throw KeychainError(errSecParam) }
        let isMeant = try search(query)
        let code = items.withLock { items -> OSStatus in
            var changed = items
            let meant = items.indices.filter { isMeant(items[$0]) }
            guard !meant.isEmpty else { return errSecItemNotFound }
            for index in meant {
                changed[index].attributes.merge(change.attributes) { $1 }
                changed[index].attributes[kSecAttrModificationDate] = .date(Date())
                if let data = change.data { changed[index].data = data }
            }
            guard Set(changed.map(\.identity)).count == changed.count else { return errSecDuplicateItem }
            items = changed
            return errSecSuccess
        }
        if code != errSecSuccess { throw KeychainError(code) }
    }

    func delete(_ query: KeychainQuery) throws(KeychainError) {
        let isMeant = try search(query)
        let isSome = items.withLock { items in
            defer { items.removeAll(where: isMeant) }
            return items.contains(where: isMeant)
        }
        guard isSome else { throw KeychainError(errSecItemNotFound) }
    }

    /// The items that a query selects.
    private func search(_ query: KeychainQuery) throws(KeychainError) -> (KeychainItem) -> Bool {
        guard query.kind != nil || query.persistentReference != nil else { throw KeychainError(errSecParam) }
        if let kind = query.kind, KeychainItem.primaryKeys[kind] == nil { throw KeychainError(errSecUnimplemented) }
        var wanted = query.attributes
        wanted[kSecAttrAccessGroup] = try group(query)
        if let isSynchronizable = query.isSynchronizable {
            wanted[kSecAttrSynchronizable] = .number(isSynchronizable ? 1 : 0)
        }
        return { item in
            if let reference = query.persistentReference, reference != item.persistentReference { return false }
            if let kind = query.kind, kind != item.kind { return false }
            return wanted.allSatisfy { item.attributes[$0.key] == $0.value }
        }
    }

    /// The part of an item that a query asks for; nil if it asks for nothing.
    private func answer(_ item: KeychainItem, to query: KeychainQuery) -> Any? {
        let certificate = item.kind == kSecClassCertificate ? item.data : nil
        let reference = certificate.flatMap { SecCertificateCreateWithData(nil, $0) }
        let parts: [(key: String, value: Any?, isAsked: Bool)] = [
            (kSecValueData, item.data, query.returnsData), (kSecValueRef, reference, query.returnsReference),
            (kSecValuePersistentRef, item.persistentReference, query.returnsPersistentReference),
        ]
        let asked = parts.filter(\.isAsked)
        guard query.returnsAttributes || asked.count > 1 else { return asked.first?.value }
        var answer: [String: Any] = [:]
        if query.returnsAttributes {
            answer = item.attributes.mapValues(\.value)
            answer[kSecClass] = item.kind
        }
        for part in asked { answer[part.key] = part.value }
        return answer
    }
}

extension KeychainItem {
    var persistentReference: Data { withUnsafeBytes(of: reference.uuid) { Data($0) } }
}
