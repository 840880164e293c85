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

    /// The newest that offers packets of 185 bytes to every accessory: nkolban/esp32-snippets#325. It has no Data Length
    /// Extension, e2e.ti.com thread 579877; that it asks for no PHY is assumed.
    public static let iPhone6s: PhonePersonality = {
        var phone = PhonePersonality(model: "iPhone8,1")
        phone.radio.mtu = 185
        phone.bluetooth.dataLengthMoment = .never
        phone.bluetooth.phyMoment = .never
        return phone
    }()
    /// The first with Data Length Extension: WWDC 2017, session 712. That it asks for no PHY is assumed: an accessory that
    /// cannot answer such a request works with it, nordicsemi/IOS-nRF-Toolbox#54.
    public static let iPhone7: PhonePersonality = {
        var phone = PhonePersonality(model: "iPhone9,1")
        phone.bluetooth.phyMoment = .never
        return phone
    }()
    /// It asks for a PHY: adafruit/Adafruit_nRF52_Bootloader#40.
    public static let iPhoneX = PhonePersonality(model: "iPhone10,6")
    /// It asks for a PHY: adafruit/Adafruit_nRF52_Bootloader#40.
    public static let iPhoneXS = PhonePersonality(model: "iPhone11,2")
    /// Its request for a PHY names 2M and Coded: ARMmbed/mbed-os#12191.
    public static let iPhone11: PhonePersonality = {
        var phone = PhonePersonality(model: "iPhone12,1")
        phone.bluetooth.phys = [.twoMegabit, .coded]
        return phone
    }()
    /// It takes packets as long as the accessory's, 247 bytes: PhilipsHue/flutter_reactive_ble#816.
    public static let iPhone14 = PhonePersonality(model: "iPhone14,7")
    /// An iPhone 15.
    public static let iPhone15 = PhonePersonality(model: "iPhone15,4")
    /// An iPhone 16.
    public static let iPhone16 = PhonePersonality(model: "iPhone17,3")
    /// An iPhone 17.
    public static let iPhone17 = PhonePersonality(model: "iPhone18,3")
}

extension PhonePersonality {
    /// Those that ship. `hil rules --phone` has their sources; the last three have no source of their own.
    package static let known = [
        iPhone6s, iPhone7, iPhoneX, iPhoneXS, iPhone11, iPhone14, iPhone15, iPhone16, iPhone17,
    ]

    /// What the record of a run says of a phone without a personality.
    package static let noneIntroduction = "an iPhone of today; without services of its own"

    /// Which phone it is, for the record of a run: `iPhone17,3 named iPhone`, and what differs from an iPhone of today.
    package var introduction: String {
        let other = Mirror(reflecting: bluetooth).children.filter { child in
            Mirror(reflecting: child.value).children.isEmpty == false
        }.compactMap(\.label)
        let habits = other.isEmpty ? "" : "; other than an iPhone's of today: \(other.joined(separator: ", "))"
        return "\(model) named \(name)\(habits)"
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
