/// Clients that remember the database between links.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 2.5.2.1.
extension AttributeServer {
    package enum ChangeAwareness: Sendable, Hashable {
        /// The client knows the database.
        case aware
        /// The client does not know of the last change. Its next request gets Database Out Of Sync.
        case unaware
        /// The client got that error, or has read the Database Hash. Its next request makes it aware.
        case informed
    }

    /// Whether the client uses robust caching and does not know of a change.
    var isChangeUnaware: Bool { usesRobustCaching && awareness != .aware }

    /// Takes account of a change of the database. It must be called for each change.
    ///
    /// - Parameter range: The handles of the services that came or went.
    package mutating func databaseChanged(_ range: HandleRange, in database: AttributeDatabase) {
        configurations = configurations.filter { handle, _ in
            guard range.contains(handle) else { return true }
            if case .configuration? = database.attribute(at: handle)?.content { return true }
            return false
        }
        if usesRobustCaching { awareness = .unaware }
    }

    /// Refuses access by handle to a client that may mean another attribute.
    ///
    /// - Throws: Database Out Of Sync.
    mutating func checkAwareness(for pdu: ATTPDU) throws(Refusal) {
        guard isChangeUnaware else { return }
        let isRequest = pdu.opcode.kind == .request
        if isRequest, awareness == .informed {
            awareness = .aware
            return
        }
        if case .readByTypeRequest(_, type: AttributeType.databaseHash) = pdu { awareness = .informed }
        guard let handle = AttributeServer.handle(in: pdu) else { return }
        if isRequest { awareness = .informed }
        throw Refusal(.databaseOutOfSync, handle)
    }

    /// The handle by which a PDU means a certain attribute; nil for a search.
    private static func handle(in pdu: ATTPDU) -> UInt16? {
        switch pdu {
        case .readRequest(let handle), .readBlobRequest(let handle, _), .writeRequest(let handle, _),
            .writeCommand(let handle, _):
            handle
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles): handles.first
        case .prepareWriteRequest(let write): write.handle
        default: nil
        }
    }
}
