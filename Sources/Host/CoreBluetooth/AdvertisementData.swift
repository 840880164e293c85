import Foundation
import RadioModel

/// Whether a scan reports every advertisement, not only news; a Boolean.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"

/// The local name; a `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The transmit power in dBm; an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// The listed services; `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// Service data; `[CBUUID: Data]`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// The company identifier in two bytes, least significant first, and what follows it; `Data`.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"

/// Whether the peripheral takes connections; an `NSNumber`. The phone's radio does not tell it: it is never there.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// Services that did not fit; `[CBUUID]`. Only Apple's own devices advertise them: it is never there.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// Services that the peripheral looks for; `[CBUUID]`. The phone's radio does not tell them: it is never there.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"

extension Advertisement {
    /// What was advertised, under CoreBluetooth's keys.
    package var dictionary: [String: Any] {
        var data: [String: Any] = [:]
        data[CBAdvertisementDataLocalNameKey] = name
        data[CBAdvertisementDataTxPowerLevelKey] = txPower.map { NSNumber(value: $0) }
        if !serviceUUIDs.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = serviceUUIDs.map { CBUUID($0) } }
        if !serviceData.isEmpty {
            data[CBAdvertisementDataServiceDataKey] = Dictionary(
                uniqueKeysWithValues: serviceData.map { (CBUUID($0.key), $0.value) })
        }
        // CoreBluetooth has room for one manufacturer's data; several in one advertisement are rare.
        if let (company, bytes) = manufacturerData.min(by: { $0.key < $1.key }) {
            data[CBAdvertisementDataManufacturerDataKey] =
                Data([UInt8(truncatingIfNeeded: company), UInt8(company >> 8)]) + bytes
        }
        return data
    }
}
