import RadioModel

/// How to advertise in the legacy way.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.5.
package struct AdvertisingParameters: Sendable, Hashable {
    /// What an advertisement allows.
    package enum Kind: UInt8, Sendable, Hashable {
        case connectable = 0
        /// For one device, for 1.28 s.
        case directedHighDuty = 1
        case scannable = 2
        case nonconnectable = 3
        /// For one device.
        case directed = 4
    }

    /// Time between two advertisements, in units of 0.625 ms.
    package var interval: ClosedRange<UInt16> = 0x30...0x30
    package var kind = Kind.connectable
    package var ownAddress = OwnAddress.random
    /// The device of a directed advertisement.
    package var peer: PeerAddress?
    /// The advertising channels 37, 38 and 39 as the bits 0, 1 and 2.
    package var channels: UInt8 = 0x07
    package var filter = AdvertisingFilter.all

    package init() {}
}

/// Whose scan requests and connection requests an advertiser answers.
package enum AdvertisingFilter: UInt8, Sendable, Hashable {
    case all = 0
    /// Scan requests only of devices in the filter accept list.
    case scansFromAcceptList = 1
    /// Connection requests only of devices in the filter accept list.
    case connectionsFromAcceptList = 2
    case acceptList = 3
}

/// Commands for legacy advertising.
extension HCICommand {
    /// The most bytes of legacy advertising data.
    package static let legacyDataLength = 31

    /// How to advertise (7.8.5).
    package static func leSetAdvertisingParameters(_ parameters: AdvertisingParameters) -> HCICommand {
        HCICommand(.leSetAdvertisingParameters) {
            $0.append(range: parameters.interval)
            $0.append(parameters.kind.rawValue)
            $0.append(parameters.ownAddress.rawValue)
            $0.append(optionalPeer: parameters.peer)
            $0.append(parameters.channels)
            $0.append(parameters.filter.rawValue)
        }
    }

    /// What to advertise (7.8.7).
    ///
    /// - Parameter data: At most 31 bytes; more are cut off.
    package static func leSetAdvertisingData(_ data: [UInt8]) -> HCICommand {
        HCICommand(.leSetAdvertisingData) { $0.append(legacyData: data) }
    }

    /// What to answer to a scan request (7.8.8).
    ///
    /// - Parameter data: At most 31 bytes; more are cut off.
    package static func leSetScanResponseData(_ data: [UInt8]) -> HCICommand {
        HCICommand(.leSetScanResponseData) { $0.append(legacyData: data) }
    }

    /// Begins or ends advertising (7.8.9).
    package static func leSetAdvertisingEnable(_ isOn: Bool) -> HCICommand {
        HCICommand(.leSetAdvertisingEnable) { $0.append(flag: isOn) }
    }
}

extension [UInt8] {
    /// The kind of an address and the address; zeros without one.
    mutating func append(optionalPeer peer: PeerAddress?) {
        guard let peer else { return append(contentsOf: repeatElement(0, count: 7)) }
        append(peer: peer)
    }

    /// A length, then a field of 31 bytes.
    fileprivate mutating func append(legacyData data: [UInt8]) {
        let limit = HCICommand.legacyDataLength
        append(UInt8(clamping: Swift.min(data.count, limit)))
        append(padding: data, to: limit)
    }
}
