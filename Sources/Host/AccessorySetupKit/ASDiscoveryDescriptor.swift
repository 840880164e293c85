import CoreBluetooth
import Foundation
import Phone
import RadioModel

/// The type used to identify a Bluetooth accessory provider.
public struct ASBluetoothCompanyIdentifier: RawRepresentable, Sendable, Hashable {
    /// The 16-bit identifier that the Bluetooth SIG assigned; 0 in a descriptor means that there is none.
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }
}

/// Descriptive traits used to discover accessories.
///
/// Set it up, then give it to an ``ASPickerDisplayItem``; the item keeps its own copy.
open class ASDiscoveryDescriptor: NSObject, NSCopying, @unchecked Sendable {  // As Apple declares it.
    /// The Bluetooth range in which to discover accessories.
    public enum Range: Int, Sendable, Hashable {
        /// The default range.
        case `default` = 0
        /// Right next to the device that discovers.
        case immediate = 10
    }

    /// The role in a Wi-Fi Aware service.
    public enum WiFiAwareServiceRole: Int, Sendable, Hashable {
        case subscriber = 10
        case publisher = 20
    }

    /// The accessory's 16-bit Bluetooth Company Identifier.
    public var bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0)
    /// Matches the accessory's Bluetooth manufacturer data after the company identifier.
    public var bluetoothManufacturerDataBlob: Data?
    /// The bits of the manufacturer data that count; as long as the blob.
    public var bluetoothManufacturerDataMask: Data?
    /// Matches the accessory's Bluetooth service data.
    public var bluetoothServiceDataBlob: Data?
    /// The bits of the service data that count; as long as the blob.
    public var bluetoothServiceDataMask: Data?
    /// The accessory's over-the-air Bluetooth name substring.
    public var bluetoothNameSubstring: String?
    /// How the name substring is compared.
    public var bluetoothNameSubstringCompareOptions: NSString.CompareOptions = []
    /// The accessory's Bluetooth service UUID.
    public var bluetoothServiceUUID: CBUUID?
    /// The Bluetooth range in which accessories are discovered.
    public var bluetoothRange: Range = .default
    /// The SSID of the accessory's Wi-Fi network.
    public var ssid: String?
    /// The prefix of the SSID of the accessory's Wi-Fi network. Not together with `ssid`, and not empty.
    public var ssidPrefix: String?
    /// The name of the accessory's Wi-Fi Aware service, if it has one.
    public var wifiAwareServiceName: String?
    /// The role in that service: a subscriber finds accessories that publish it.
    public var wifiAwareServiceRole: WiFiAwareServiceRole = .subscriber
    /// What the accessory's Wi-Fi Aware model name has to contain.
    public var wifiAwareModelNameMatch: ASPropertyCompareString?
    /// What the accessory's Wi-Fi Aware vendor name has to contain.
    public var wifiAwareVendorNameMatch: ASPropertyCompareString?
    /// Options supported by the accessory.
    public var supportedOptions: ASAccessory.SupportOptions = []

    public override init() {}

    init(_ model: DiscoveryDescriptor) {
        bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(model.companyIdentifier ?? 0)
        bluetoothManufacturerDataBlob = model.manufacturerDataBlob
        bluetoothManufacturerDataMask = model.manufacturerDataMask
        bluetoothServiceDataBlob = model.serviceDataBlob
        bluetoothServiceDataMask = model.serviceDataMask
        bluetoothNameSubstring = model.nameSubstring
        bluetoothNameSubstringCompareOptions = NSString.CompareOptions(rawValue: model.nameCompareOptions)
        bluetoothServiceUUID = model.serviceUUID.map { CBUUID(string: $0.description) }
        bluetoothRange = Range(rawValue: model.range.rawValue) ?? .default
        ssid = model.ssid
        ssidPrefix = model.ssidPrefix
        wifiAwareServiceName = model.wifiAwareServiceName
        wifiAwareServiceRole = WiFiAwareServiceRole(rawValue: model.wifiAwareRole.rawValue) ?? .subscriber
        wifiAwareModelNameMatch = model.wifiAwareModel.map(ASPropertyCompareString.init)
        wifiAwareVendorNameMatch = model.wifiAwareVendor.map(ASPropertyCompareString.init)
        supportedOptions = ASAccessory.SupportOptions(rawValue: model.supportedOptions.rawValue)
    }

    var model: DiscoveryDescriptor {
        var model = DiscoveryDescriptor()
        let company = bluetoothCompanyIdentifier.rawValue
        model.companyIdentifier = company == 0 ? nil : company
        model.manufacturerDataBlob = bluetoothManufacturerDataBlob
        model.manufacturerDataMask = bluetoothManufacturerDataMask
        model.serviceDataBlob = bluetoothServiceDataBlob
        model.serviceDataMask = bluetoothServiceDataMask
        model.nameSubstring = bluetoothNameSubstring
        model.nameCompareOptions = bluetoothNameSubstringCompareOptions.rawValue
        model.serviceUUID = bluetoothServiceUUID.flatMap { BluetoothUUID(bytes: $0.data) }
        model.range = DiscoveryDescriptor.Range(rawValue: bluetoothRange.rawValue) ?? .default
        model.ssid = ssid
        model.ssidPrefix = ssidPrefix
        model.wifiAwareServiceName = wifiAwareServiceName
        model.wifiAwareRole = DiscoveryDescriptor.WiFiAwareRole(rawValue: wifiAwareServiceRole.rawValue) ?? .subscriber
        model.wifiAwareModel = wifiAwareModelNameMatch?.model
        model.wifiAwareVendor = wifiAwareVendorNameMatch?.model
        model.supportedOptions = DiscoveryDescriptor.SupportOptions(rawValue: supportedOptions.rawValue)
        return model
    }

    public func copy(with zone: NSZone? = nil) -> Any { ASDiscoveryDescriptor(model) }
    public override func isEqual(_ object: Any?) -> Bool { (object as? ASDiscoveryDescriptor)?.model == model }
    public override var hash: Int { model.hashValue }
}
