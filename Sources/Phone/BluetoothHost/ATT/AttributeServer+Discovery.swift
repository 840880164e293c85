import RadioModel

/// Requests that find attributes.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.3 and 3.4.4.9.
extension AttributeServer {
    func findInformation(_ range: HandleRange, in database: AttributeDatabase) throws(Refusal) -> ATTPDU {
        let attributes = try search(range, in: database)
        guard let isShort = attributes.first?.type.hasShortForm else {
            throw Refusal(.attributeNotFound, range.first)
        }
        let entries = attributes.prefix { $0.type.hasShortForm == isShort }.prefix((mtu - 2) / (isShort ? 4 : 18))
        return .findInformationResponse(entries.map { AttributeInformation($0.handle, $0.type) })
    }

    /// Attributes that the client may not read, and those of the layer above, are not compared.
    func findByTypeValue(
        _ range: HandleRange, _ type: BluetoothUUID, _ value: [UInt8], in database: AttributeDatabase
    ) throws(Refusal) -> ATTPDU {
        let found = try search(range, in: database).filter {
            $0.type == type && self.value(of: $0) == value && refusalOfReading($0) == nil
        }
        guard !found.isEmpty else { throw Refusal(.attributeNotFound, range.first) }
        return .findByTypeValueResponse(
            found.prefix((mtu - 1) / 4).map { HandleRange($0.handle, database.groupEnd(of: $0)) })
    }

    /// Only services are groups for this request: Part G, 2.5.3.
    func readByGroupType(
        _ range: HandleRange, _ type: BluetoothUUID, in database: AttributeDatabase
    ) throws(Refusal) -> ATTPDU {
        let attributes = try search(range, in: database)
        guard AttributeType.isService(type) else { throw Refusal(.unsupportedGroupType, range.first) }
        let services = attributes.filter { $0.type == type }
        guard let length = services.first.map({ (value(of: $0) ?? []).count }) else {
            throw Refusal(.attributeNotFound, range.first)
        }
        let groups = services.map {
            AttributeGroup(HandleRange($0.handle, database.groupEnd(of: $0)), value(of: $0) ?? [])
        }
        let entries = groups.prefix { $0.value.count == length }.prefix((mtu - 2) / (4 + length))
        return .readByGroupTypeResponse(Array(entries))
    }

    /// The attributes of a range that a client asks about.
    func search(_ range: HandleRange, in database: AttributeDatabase) throws(Refusal) -> ArraySlice<Attribute> {
        guard range.isValid else { throw Refusal(.invalidHandle, range.first) }
        return database.attributes(in: range)
    }
}
