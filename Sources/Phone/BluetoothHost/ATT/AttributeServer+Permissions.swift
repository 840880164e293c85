import RadioModel

/// What the client may do, in the order of the specification: handle, permission, protection of the link.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.2.5 and 4; Part C, 10.3.1.
extension AttributeServer {
    func readable(_ handle: UInt16, in database: AttributeDatabase) throws(Refusal) -> Attribute {
        guard let attribute = database.attribute(at: handle) else { throw Refusal(.invalidHandle, handle) }
        if let error = refusalOfReading(attribute) { throw Refusal(error, handle) }
        return attribute
    }

    func writable(
        _ handle: UInt16, byCommand: Bool = false, in database: AttributeDatabase
    ) throws(Refusal) -> Attribute {
        guard let attribute = database.attribute(at: handle) else { throw Refusal(.invalidHandle, handle) }
        let isOpen = byCommand ? attribute.takesCommands : attribute.takesRequests
        guard let protection = attribute.writing, isOpen || configuration.acceptsAnyWriteProcedure else {
            throw Refusal(.writeNotPermitted, handle)
        }
        if let error = refusal(below: protection) { throw Refusal(error, handle) }
        return attribute
    }

    func refusalOfReading(_ attribute: Attribute) -> ATTError? {
        guard let protection = attribute.reading else { return .readNotPermitted }
        return refusal(below: protection)
    }

    /// The error for a link without enough protection; nil if it has enough.
    private func refusal(below protection: LinkProtection) -> ATTError? {
        if protection == .none { return nil }
        if !security.isEncrypted { return isBonded ? .insufficientEncryption : .insufficientAuthentication }
        guard security.satisfies(protection) else { return .insufficientAuthentication }
        // Level 4 of security mode 1 needs the longest key: Part C, 10.2.1.
        let smallest = protection == .secureConnections ? 16 : configuration.minimumKeySize
        return security.keySize < smallest ? .encryptionKeySizeTooShort : nil
    }
}
