import Foundation

/// A value of an item's attribute, in a form that compares.
///
/// Apps give the same value as a text, a number or bytes, in types of Swift and of Foundation.
enum KeychainValue: Sendable, Hashable {
    case text(String)
    case bytes(Data)
    case number(Int64)
    case date(Date)

    /// nil for a value that no attribute can have.
    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let text as NSString: self = .text(String(describing: text))
        case let bytes as Data: self = .bytes(bytes)
        case let bytes as [UInt8]: self = .bytes(Data(bytes))
        case let isSet as Bool: self = .number(isSet ? 1 : 0)
        case let number as any FixedWidthInteger: self = .number(Int64(truncatingIfNeeded: number))
        case let number as NSNumber: self = .number(number.int64Value)
        case let date as Date: self = .date(date)
        default: return nil
        }
    }

    /// As an app gets it back.
    var value: Any {
        switch self {
        case .text(let text): text
        case .bytes(let bytes): bytes
        case .number(let number): Int(number)
        case .date(let date): date
        }
    }

    var isTrue: Bool { if case .number(let number) = self { number != 0 } else { false } }
}

/// An item of the keychain.
struct KeychainItem: Sendable {
    /// ``kSecClassGenericPassword`` or another class.
    let kind: String
    /// By Apple's short names: `acct`, `svce`.
    var attributes: [String: KeychainValue]
    var data: Data?
    /// Identifies the item for as long as it exists.
    let reference = UUID()

    /// The attributes that distinguish items of a class. Source: Apple, errSecDuplicateItem.
    static let primaryKeys: [String: [String]] = [
        kSecClassGenericPassword: [kSecAttrAccessGroup, kSecAttrSynchronizable, kSecAttrAccount, kSecAttrService],
        kSecClassInternetPassword: [
            kSecAttrAccessGroup, kSecAttrSynchronizable, kSecAttrAccount, kSecAttrSecurityDomain, kSecAttrServer,
            kSecAttrProtocol, kSecAttrAuthenticationType, kSecAttrPort, kSecAttrPath,
        ],
        kSecClassKey: [
            kSecAttrAccessGroup, kSecAttrSynchronizable, kSecAttrKeyClass, kSecAttrKeyType, kSecAttrApplicationLabel,
            kSecAttrApplicationTag, kSecAttrKeySizeInBits,
        ],
        kSecClassCertificate: [kSecAttrAccessGroup, kSecAttrSynchronizable, "cert"],
    ]

    /// Equal for two items of which the keychain can have only one.
    var identity: [KeychainValue?] {
        [.text(kind)] + (KeychainItem.primaryKeys[kind] ?? []).map { attributes[$0] }
    }
}

/// An app's request to the keychain, read from its dictionary.
struct KeychainQuery {
    var kind: String?
    /// The attributes, and `nil` for a value that is of no known type.
    var attributes: [String: KeychainValue] = [:]
    var data: Data?
    var isSynchronizable: Bool? = false
    var limit = 1
    var namesLimit = false
    var returnsData = false, returnsAttributes = false, returnsReference = false, returnsPersistentReference = false
    var certificate: SecCertificate?
    var persistentReference: Data?

    /// - Throws: The code that the call returns.
    init(_ dictionary: CFDictionary) throws(KeychainError) {
        for (key, value) in dictionary {
            let known = KeychainValue(value)
            switch key {
            case kSecClass:
                guard case .text(let kind) = known else { throw KeychainError(errSecParam) }
                self.kind = kind
            case kSecMatchLimit:
                namesLimit = true
                switch known {
                case .text(kSecMatchLimitAll): limit = .max
                case .number(let number) where number > 0: limit = Int(number)
                case .text(kSecMatchLimitOne): limit = 1
                default: throw KeychainError(errSecParam)
                }
            case kSecReturnData: returnsData = known?.isTrue ?? false
            case kSecReturnAttributes: returnsAttributes = known?.isTrue ?? false
            case kSecReturnRef: returnsReference = known?.isTrue ?? false
            case kSecReturnPersistentRef: returnsPersistentReference = known?.isTrue ?? false
            case kSecValueData:
                guard case .bytes(let data) = known else { throw KeychainError(errSecParam) }
                self.data = data
            case kSecValuePersistentRef:
                guard case .bytes(let reference) = known else { throw KeychainError(errSecParam) }
                persistentReference = reference
            case kSecValueRef:
                // Keys and identities are not simulated.
                guard let certificate = value as? SecCertificate else { throw KeychainError(errSecUnimplemented) }
                self.certificate = certificate
            case kSecAttrSynchronizable:
                isSynchronizable = known == .text(kSecAttrSynchronizableAny) ? nil : known?.isTrue ?? false
            case kSecUseDataProtectionKeychain, kSecUseAuthenticationUI, kSecMatchCaseInsensitive: break
            default:
                guard let known else { throw KeychainError(errSecParam) }
                attributes[key] = known
            }
        }
        if let certificate {
            kind = kind ?? kSecClassCertificate
            data = SecCertificateCopyData(certificate)
            attributes["cert"] = data.map { .bytes($0) }
        }
    }
}

/// The result of a keychain call that did not succeed.
struct KeychainError: Error {
    let code: OSStatus
    init(_ code: OSStatus) { self.code = code }
}
