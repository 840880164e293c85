import RadioModel

/// An error code of the Attribute Protocol. Every value is possible: applications and profiles have codes of their own.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.1.1.
package struct ATTError: Sendable, Hashable, CustomStringConvertible {
    package let code: UInt8

    package init(_ code: UInt8) { self.code = code }

    package static let invalidHandle = ATTError(0x01)
    package static let readNotPermitted = ATTError(0x02)
    package static let writeNotPermitted = ATTError(0x03)
    package static let invalidPDU = ATTError(0x04)
    package static let insufficientAuthentication = ATTError(0x05)
    package static let requestNotSupported = ATTError(0x06)
    package static let invalidOffset = ATTError(0x07)
    package static let insufficientAuthorization = ATTError(0x08)
    package static let prepareQueueFull = ATTError(0x09)
    package static let attributeNotFound = ATTError(0x0A)
    package static let attributeNotLong = ATTError(0x0B)
    package static let encryptionKeySizeTooShort = ATTError(0x0C)
    package static let invalidAttributeValueLength = ATTError(0x0D)
    package static let unlikelyError = ATTError(0x0E)
    package static let insufficientEncryption = ATTError(0x0F)
    package static let unsupportedGroupType = ATTError(0x10)
    package static let insufficientResources = ATTError(0x11)
    package static let databaseOutOfSync = ATTError(0x12)
    package static let valueNotAllowed = ATTError(0x13)

    /// Whether the same request may succeed on a link with better protection.
    package var concernsProtection: Bool {
        [.insufficientAuthentication, .encryptionKeySizeTooShort, .insufficientEncryption].contains(self)
    }

    /// `error 0x05 (insufficient authentication)`.
    package var description: String { AttributeErrorName.text(of: code) }
}
