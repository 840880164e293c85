import Foundation

/// Documents of attributed texts, as UIKit adds them to Foundation.
extension NSAttributedString {
    /// The format of a document.
    public struct DocumentType: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let plain = DocumentType(rawValue: "NSPlainText")
        public static let rtf = DocumentType(rawValue: "NSRTF")
        public static let rtfd = DocumentType(rawValue: "NSRTFD")
        public static let html = DocumentType(rawValue: "NSHTML")
    }

    /// Names an attribute of a document.
    public struct DocumentAttributeKey: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The format; ``DocumentType``.
        public static let documentType = DocumentAttributeKey(rawValue: "DocumentType")
        /// The encoding of a plain text; `UInt` of a `String.Encoding`.
        public static let characterEncoding = DocumentAttributeKey(rawValue: "CharacterEncoding")
    }

    /// A document with a part of the text. Only plain text can be written here.
    ///
    /// - Throws: `CocoaError.featureUnsupported` for any other format, `CocoaError.fileWriteInapplicableStringEncoding` if the
    ///   encoding lacks a character.
    public func data(from range: NSRange, documentAttributes: [DocumentAttributeKey: Any] = [:]) throws -> Data {
        guard documentAttributes[.documentType] as? DocumentType ?? .plain == .plain else {
            throw CocoaError(.featureUnsupported)
        }
        let encoding = (documentAttributes[.characterEncoding] as? UInt).map { String.Encoding(rawValue: $0) } ?? .utf8
        guard let data = attributedSubstring(from: range).string.data(using: encoding) else {
            throw CocoaError(.fileWriteInapplicableStringEncoding)
        }
        return data
    }
}
