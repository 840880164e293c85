import Foundation
import RadioModel

/// The iPhone that accessories see over Bluetooth: the contents of the phone's own services.
///
/// The services and their requirements on a link are those that published captures of iPhones show: bluez/bluez#67,
/// bluez/bluez#638, raspberrypi/linux#1466; that reading the battery needs a bond: ukBaz/python-bluezero#335.
public struct PhonePersonality: Sendable, Hashable {
    /// The value of Device Name (2A00).
    public var name: String
    /// The value of Manufacturer Name String (2A29).
    public var manufacturer = "Apple Inc."
    /// The value of Model Number String (2A24).
    public var model: String
    /// The value of Battery Level (2A19), 0 to 100.
    public var batteryLevel: UInt8 = 80
    /// Whether it has the Apple Notification Center Service.
    public var hasNotificationService = true
    /// What it does on Bluetooth LE by itself, where it differs from an iPhone. `hil learn` writes this from a capture.
    public var bluetooth: BluetoothHabits {
        get { radio.habits }
        set { radio.habits = newValue }
    }
    /// Its address and the packets that it offers. An iPhone's address is private: Apple's Accessory Design Guidelines,
    /// 40.8. It offers packets of 527 bytes to accessories with Data Length Extension, and of 185 to others and up to
    /// the iPhone 6s: Jieli-Tech/fw-AC63_BT_SDK#99, nkolban/esp32-snippets#325, noble/bleno#240.
    package var radio = RadioPersonality()

    /// A phone with this name and this model identifier, such as `iPhone17,3`.
    public init(name: String = "iPhone", model: String) {
        self.name = name
        self.model = model
    }

    /// The newest that offers packets of 185 bytes to every accessory.
    public static let iPhone6s: PhonePersonality = {
        var phone = PhonePersonality(model: "iPhone8,1")
        phone.radio.mtu = 185
        return phone
    }()
    /// An iPhone 15.
    public static let iPhone15 = PhonePersonality(model: "iPhone15,4")
    /// An iPhone 16.
    public static let iPhone16 = PhonePersonality(model: "iPhone17,3")
    /// An iPhone 17.
    public static let iPhone17 = PhonePersonality(model: "iPhone18,3")
}

extension PhonePersonality {
    /// Which phone it is, for the record of a run: `accessories see iPhone17,3`, and what differs from an iPhone.
    package var introduction: String {
        let other = Mirror(reflecting: bluetooth).children.filter { child in
            Mirror(reflecting: child.value).children.isEmpty == false
        }.compactMap(\.label)
        let habits = other.isEmpty ? "" : "; other than an iPhone's: \(other.joined(separator: ", "))"
        return "accessories see \(model) named \(name)\(habits)"
    }
}

extension Phone {
    /// The iPhone that accessories see. Nil, the default, hides the phone's own services and shows the board's own
    /// address. Set it before the app is launched: all links end.
    ///
    /// A phone shows them to every accessory; here they cost time only in scenarios that ask for them.
    public var personality: PhonePersonality? {
        get { part(PhonePeripheral.self).personality }
        set { part(PhonePeripheral.self).personality = newValue }
    }
}
