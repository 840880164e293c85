import Foundation
import RadioModel

/// Whether a scan reports every advertisement, including repeated ones; a Boolean.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"

/// The local name; a `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The transmit power in dBm; an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// The UUIDs of the advertised services; `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// The data of each service; `[CBUUID: Data]`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// The manufacturer data; `Data`. The company identifier comes first, in two bytes, least significant byte first.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"

/// Whether the peripheral accepts connections now, by the kind of its last advertisement; an `NSNumber` (Boolean).
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// Services that did not fit into the advertisement; `[CBUUID]`. Never present here: only Apple's devices send them.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// Services that the peripheral looks for on the phone; `[CBUUID]`.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"

extension Advertisement {
    /// The content of the advertisement as CoreBluetooth gives it: a dictionary with the keys of this file.
    package var dictionary: [String: Any] {
        var data: [String: Any] = [:]
        data[CBAdvertisementDataLocalNameKey] = name
        data[CBAdvertisementDataTxPowerLevelKey] = txPower.map { NSNumber(value: $0) }
        data[CBAdvertisementDataIsConnectable] = isConnectable.map { NSNumber(value: $0) }
        if !serviceUUIDs.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = serviceUUIDs.map { CBUUID($0) } }
        if !solicitedUUIDs.isEmpty {
            data[CBAdvertisementDataSolicitedServiceUUIDsKey] = solicitedUUIDs.map { CBUUID($0) }
        }
        if !serviceData.isEmpty {
            data[CBAdvertisementDataServiceDataKey] = Dictionary(
                uniqueKeysWithValues: serviceData.map { (CBUUID($0.key), $0.value) })
        }
        // CoreBluetooth has room for the data of one manufacturer. An advertisement rarely has more.
        if let (company, bytes) = manufacturerData.min(by: { $0.key < $1.key }) {
            data[CBAdvertisementDataManufacturerDataKey] =
                Data([UInt8(truncatingIfNeeded: company), UInt8(company >> 8)]) + bytes
        }
        return data
    }
}
