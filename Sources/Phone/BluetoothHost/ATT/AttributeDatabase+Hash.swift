import CryptoKit
import RadioModel

extension AttributeDatabase {
    /// The value of the characteristic Database Hash (2B2A): 16 bytes in the order of the air.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part G, 7.3 and Appendix B.
    package func hash() -> [UInt8] {
        var message: [UInt8] = []
        for attribute in attributes {
            guard let hasValue = AttributeDatabase.hashed[attribute.type] else { continue }
            message.append(uint16: attribute.handle)
            message.append(uuid: attribute.type)
            if hasValue, case .stored(let value) = attribute.content { message += value }
        }
        return AES.cmac(message, key: [UInt8](repeating: 0, count: 16)).reversed()
    }

    /// The attribute types of the hash, and whether their values are part of it.
    private static let hashed: [BluetoothUUID: Bool] = [
        AttributeType.primaryService: true, AttributeType.secondaryService: true, AttributeType.include: true,
        AttributeType.characteristic: true, AttributeType.extendedProperties: true,
        AttributeType.userDescription: false, AttributeType.clientConfiguration: false,
        AttributeType.serverConfiguration: false, AttributeType.presentationFormat: false,
        AttributeType.aggregateFormat: false,
    ]
}
