import CoreBluetooth
import Foundation
import HILPhone
import RadioModel

/// The type used to identify a Bluetooth accessory provider.
public struct ASBluetoothCompanyIdentifier: RawRepresentable, Sendable, Hashable {
    /// The 16-bit identifier assigned by the Bluetooth SIG; 0 in a descriptor means “not used”.
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }
}

/// Descriptive traits used to discover accessories.
///
/// Set the properties, then pass the descriptor to an ``ASPickerDisplayItem``. The item keeps its own copy.
open class ASDiscoveryDescriptor: NSObject, NSCopying, @unchecked Sendable {  // As in Apple's SDK.
    /// The Bluetooth range in which to discover accessories.
    public enum Range: Int, Sendable, Hashable {
        /// The default range.
        case `default` = 0
        /// Very near to the phone: only a strong signal matches.
        case immediate = 10
    }

    /// The role in a Wi-Fi Aware service.
    public enum WiFiAwareServiceRole: Int, Sendable, Hashable {
        case subscriber = 10
        case publisher = 20
    }

    /// The accessory's 16-bit Bluetooth Company Identifier.
    public var bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0)
    /// The manufacturer data to match, without the company identifier.
    public var bluetoothManufacturerDataBlob: Data?
    /// The bits of the manufacturer data that are compared; as long as the blob.
    public var bluetoothManufacturerDataMask: Data?
    /// The service data to match.
    public var bluetoothServiceDataBlob: Data?
    /// The bits of the service data that are compared; as long as the blob.
    public var bluetoothServiceDataMask: Data?
    /// A text that the advertised Bluetooth name must contain.
    public var bluetoothNameSubstring: String?
    /// How the name substring is compared.
    public var bluetoothNameSubstringCompareOptions: NSString.CompareOptions = []
    /// The accessory's Bluetooth service UUID.
    public var bluetoothServiceUUID: CBUUID?
    /// The Bluetooth range in which accessories are discovered.
    public var bluetoothRange: Range = .default
    /// The SSID of the accessory's Wi-Fi network.
    public var ssid: String?
    /// The prefix of the SSID of the accessory's Wi-Fi network. It must not be empty, and must not be set together with
    /// `ssid`.
    public var ssidPrefix: String?
    /// The name of the accessory's Wi-Fi Aware service, if it has one.
    public var wifiAwareServiceName: String?
    /// The phone's role in that service. As subscriber it finds accessories that publish the service.
    public var wifiAwareServiceRole: WiFiAwareServiceRole = .subscriber
    /// A text that the accessory's Wi-Fi Aware model name must contain.
    public var wifiAwareModelNameMatch: ASPropertyCompareString?
    /// A text that the accessory's Wi-Fi Aware vendor name must contain.
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
