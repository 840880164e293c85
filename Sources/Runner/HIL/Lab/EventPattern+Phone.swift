import BoardProtocol
import Phone
import RadioModel
import Timing

// What a scenario looks for in the phone's log.

extension EventPattern where Event == PhoneEvent, Value == Void {
    /// Exactly this event of the phone's radio.
    public static func radio(_ event: RadioEvent) -> Self {
        Self("the phone's radio to tell \(event)") { if case .radio(event) = $0.kind { () } else { nil } }
    }

    /// Bluetooth was powered on or off.
    public static func bluetoothPower(_ isOn: Bool) -> Self {
        Self("Bluetooth to be \(isOn ? "on" : "off")") {
            if case .radio(.bluetoothPower(isOn)) = $0.kind { () } else { nil }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Screen {
    /// Another screen came to be on top.
    public static var screen: Self {
        Self("a screen") { if case .screen(let screen?) = $0.kind { screen } else { nil } }
    }
}

extension EventPattern where Event == PhoneEvent, Value == String {
    /// An app was told something by a framework; the text as it stands in the story: `accessoryRemoved “Die 7”`.
    ///
    /// - Parameter start: How the text begins.
    public static func told(_ start: String) -> Self {
        Self("the app to be told \(start)") {
            if case .told(_, let text) = $0.kind, text.hasPrefix(start) { text } else { nil }
        }
    }

    /// A part of the phone noted something that apps do not hear.
    ///
    /// - Parameters:
    ///   - part: The part's name: `Wi-Fi`; nil for any.
    ///   - piece: A piece of the text.
    public static func note(of part: String? = nil, containing piece: String) -> Self {
        Self("the phone to note “\(piece)”") {
            if case .note(let whose, let text) = $0.kind, part == nil || part == whose, text.contains(piece) {
                text
            } else {
                nil
            }
        }
    }

    /// The phone lost the network of this name, or any; the value is the name.
    public static func wifiLost(_ ssid: String? = nil) -> Self {
        Self("the network to be lost") {
            if case .radio(.wifiLost(let lost, _)) = $0.kind, ssid == nil || ssid == lost { lost } else { nil }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Advertisement {
    /// The phone heard a device.
    public static var advertisement: Self {
        Self("an advertisement") { if case .radio(.advertisement(let heard)) = $0.kind { heard } else { nil } }
    }

    /// The phone heard this device.
    public static func advertisement(of address: DeviceAddress) -> Self {
        advertisement.where("an advertisement of \(address)") { $0.address == address }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Int {
    /// The phone heard a device this strongly, in dBm.
    public static var signal: Self {
        Self("a signal") { if case .radio(.advertisement(let heard)) = $0.kind { heard.rssi } else { nil } }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Bond {
    /// The phone made a bond, as the host board's kernel tells it.
    public static var bonded: Self {
        Self("the phone to be bonded") { if case .radio(.bonded(_, let bond)) = $0.kind { bond } else { nil } }
    }
}

extension EventPattern where Event == PhoneEvent, Value == UInt32 {
    /// The phone showed a number for comparison.
    public static var passkey: Self {
        Self("the phone to show a number") {
            if case .radio(.confirmPasskey(_, let number)) = $0.kind { number } else { nil }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == DeviceAddress {
    /// A link of the phone's came to its end.
    public static var disconnected: Self {
        Self("the link to end") { if case .radio(.disconnected(let address, _)) = $0.kind { address } else { nil } }
    }
}
