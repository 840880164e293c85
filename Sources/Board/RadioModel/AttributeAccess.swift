/// The answers of an attribute server for one attribute, on an unpaired link without encryption. No value is changed to
/// find out.
package struct AttributeAccess: Sendable, Hashable, Codable {
    /// The answer to a request.
    package enum Answer: Sendable, Hashable, Codable {
        /// Not tried.
        case unknown
        case allowed
        /// An error code of the Core Specification 6.0, Vol 3, Part F, 3.4.1.1.
        case refused(UInt8)

        /// The protection that the server requires, as far as its error code shows; nil if the code does not concern
        /// the link.
        ///
        /// “Insufficient Encryption” (0x0F) asks for any key. “Insufficient Authentication” (0x05) and “Encryption Key
        /// Size Too Short” (0x0C) ask for a better one, or for any: servers differ in that (Vol 3, Part C, 10.3.1).
        package var protection: LinkProtection? {
            switch self {
            case .refused(0x0F): .encrypted
            case .refused(0x05), .refused(0x0C): .authenticated
            default: nil
            }
        }
    }

    /// The handle of the attribute.
    package var handle: UInt16
    package var reading: Answer
    package var writing: Answer

    package init(handle: UInt16, reading: Answer = .unknown, writing: Answer = .unknown) {
        self.handle = handle
        self.reading = reading
        self.writing = writing
    }
}
