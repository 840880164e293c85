// The names of the keychain's keys and values. Their texts are Apple's own, because apps keep dictionaries with them.
// Source: Security, SecItem.h and SecBase.h.

/// The key of an item's class, and its values.
public let kSecClass: CFString = "class", kSecClassGenericPassword: CFString = "genp",
    kSecClassInternetPassword: CFString = "inet", kSecClassCertificate: CFString = "cert",
    kSecClassKey: CFString = "keys", kSecClassIdentity: CFString = "idnt"

/// The attributes of passwords.
public let kSecAttrAccount: CFString = "acct", kSecAttrService: CFString = "svce", kSecAttrGeneric: CFString = "gena",
    kSecAttrLabel: CFString = "labl", kSecAttrDescription: CFString = "desc", kSecAttrComment: CFString = "icmt",
    kSecAttrCreator: CFString = "crtr", kSecAttrType: CFString = "type", kSecAttrIsInvisible: CFString = "invi",
    kSecAttrIsNegative: CFString = "nega", kSecAttrCreationDate: CFString = "cdat",
    kSecAttrModificationDate: CFString = "mdat", kSecAttrAccessGroup: CFString = "agrp",
    kSecAttrSynchronizable: CFString = "sync"

/// A value of ``kSecAttrSynchronizable`` in a search: items of both kinds.
public let kSecAttrSynchronizableAny: CFString = "syna"

/// The attributes of internet passwords.
public let kSecAttrServer: CFString = "srvr", kSecAttrSecurityDomain: CFString = "sdmn",
    kSecAttrProtocol: CFString = "ptcl", kSecAttrAuthenticationType: CFString = "atyp", kSecAttrPort: CFString = "port",
    kSecAttrPath: CFString = "path", kSecAttrProtocolHTTP: CFString = "http", kSecAttrProtocolHTTPS: CFString = "htps",
    kSecAttrAuthenticationTypeHTTPBasic: CFString = "http", kSecAttrAuthenticationTypeDefault: CFString = "dflt"

/// The attributes of keys.
public let kSecAttrKeyType: CFString = "type", kSecAttrKeyClass: CFString = "kcls",
    kSecAttrKeySizeInBits: CFString = "bsiz", kSecAttrIsPermanent: CFString = "perm",
    kSecAttrApplicationTag: CFString = "atag", kSecAttrApplicationLabel: CFString = "klbl",
    kSecAttrKeyTypeEC: CFString = "73", kSecAttrKeyTypeECSECPrimeRandom: CFString = "73",
    kSecAttrKeyTypeRSA: CFString = "42", kSecAttrKeyClassPublic: CFString = "0",
    kSecAttrKeyClassPrivate: CFString = "1", kSecAttrKeyClassSymmetric: CFString = "2"

/// When an item may be read, and the values. This phone is never locked.
public let kSecAttrAccessible: CFString = "pdmn", kSecAttrAccessibleWhenUnlocked: CFString = "ak",
    kSecAttrAccessibleAfterFirstUnlock: CFString = "ck", kSecAttrAccessibleAlways: CFString = "dk",
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu",
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku",
    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku",
    kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"

/// The limits of a search, and the form of its results.
public let kSecMatchLimit: CFString = "m_Limit", kSecMatchLimitOne: CFString = "m_LimitOne",
    kSecMatchLimitAll: CFString = "m_LimitAll", kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive",
    kSecReturnData: CFString = "r_Data", kSecReturnAttributes: CFString = "r_Attributes",
    kSecReturnRef: CFString = "r_Ref", kSecReturnPersistentRef: CFString = "r_PersistentRef"

/// The contents of an item.
public let kSecValueData: CFString = "v_Data", kSecValueRef: CFString = "v_Ref",
    kSecValuePersistentRef: CFString = "v_PersistentRef"

/// How an item is used. On an iPhone there is only the data protection keychain.
public let kSecUseDataProtectionKeychain: CFString = "nleg", kSecUseAuthenticationUI: CFString = "u_AuthUI",
    kSecUseAuthenticationUISkip: CFString = "u_AuthUIS", kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"

/// The results of the keychain's calls.
public let errSecUnimplemented: OSStatus = -4, errSecAllocate: OSStatus = -108, errSecNotAvailable: OSStatus = -25291,
    errSecAuthFailed: OSStatus = -25293, errSecDuplicateItem: OSStatus = -25299, errSecItemNotFound: OSStatus = -25300,
    errSecNoSuchAttr: OSStatus = -25303, errSecInteractionNotAllowed: OSStatus = -25308,
    errSecDecode: OSStatus = -26275,
    errSecMissingEntitlement: OSStatus = -34018, errSecUserCanceled: OSStatus = -128

/// A sentence about a code; nil for one that is not known here.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: "No error."
    case errSecUnimplemented: "Function or operation not implemented."
    case errSecParam: "One or more parameters passed to a function were not valid."
    case errSecDuplicateItem: "The specified item already exists in the keychain."
    case errSecItemNotFound: "The specified item could not be found in the keychain."
    case errSecNoSuchAttr: "The specified attribute does not exist."
    case errSecInteractionNotAllowed: "User interaction is not allowed."
    case errSecMissingEntitlement: "A required entitlement isn't present."
    default: nil
    }
}
