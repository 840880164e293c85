/// The domain of ``NEHotspotConfigurationError``.
public let NEHotspotConfigurationErrorDomain = "NEHotspotConfigurationErrorDomain"

/// The reason why a Wi-Fi configuration was not applied. Raw values: NetworkExtension,
/// `NEHotspotConfigurationManager.h`.
///
/// The error itself is an `NSError` of ``NEHotspotConfigurationErrorDomain`` with one of these values as its code. This
/// phone gives `invalidSSID`, `invalidSSIDPrefix`, `invalidWPAPassphrase`, `invalidWEPPassphrase`, `invalidEAPSettings`,
/// `invalidHS20DomainName`, `joinOnceNotSupported`, `userDenied`, `pending`, `alreadyAssociated`,
/// `applicationIsNotInForeground` and, by a policy, `internal` if the join fails.
public enum NEHotspotConfigurationError: Int, Sendable {
    case invalid = 0
    case invalidSSID = 1
    case invalidWPAPassphrase = 2
    case invalidWEPPassphrase = 3
    case invalidEAPSettings = 4
    case invalidHS20Settings = 5
    case invalidHS20DomainName = 6
    case userDenied = 7
    case `internal` = 8
    case pending = 9
    case systemConfiguration = 10
    case unknown = 11
    case joinOnceNotSupported = 12
    case alreadyAssociated = 13
    case applicationIsNotInForeground = 14
    case invalidSSIDPrefix = 15
    case userUnauthorized = 16
    case systemDenied = 17
}
