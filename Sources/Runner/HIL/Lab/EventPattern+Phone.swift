import BoardProtocol
import HILPhone
import HILTiming
import RadioModel

// Patterns for the events in the phone's log.

extension EventPattern where Event == PhoneEvent, Value == Void {
    /// Exactly this event of the phone's radio.
    public static func radio(_ event: RadioEvent) -> Self {
        Self("the phone's radio to report \(event)") { if case .radio(event) = $0.kind { () } else { nil } }
    }

    /// Bluetooth was powered on or off.
    public static func bluetoothPower(_ isOn: Bool) -> Self {
        Self("Bluetooth to be \(isOn ? "on" : "off")") {
            if case .radio(.bluetoothPower(isOn)) = $0.kind { () } else { nil }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Screen {
    /// Another screen appeared on top; the value is the screen.
    public static var screen: Self {
        Self("a screen") { if case .screen(let screen?) = $0.kind { screen } else { nil } }
    }
}

extension EventPattern where Event == PhoneEvent, Value == String {
    /// A pairing of the phone failed, whichever end began it; the value says what failed, who ended it, and when:
    /// `Numeric Comparison Failed (0x0C): the person saw different numbers, by the peer, while …`.
    public static var pairingFailed: Self {
        Self("a pairing to fail") { if case .radio(.pairingFailed(_, let reason)) = $0.kind { reason } else { nil } }
    }

    /// A framework told the app something; the value is the text in the log: `accessoryRemoved “Lamp 7”`.
    ///
    /// - Parameter start: How the text begins.
    public static func told(_ start: String) -> Self {
        Self("the app to be told \(start)") {
            if case .told(_, let text) = $0.kind, text.hasPrefix(start) { text } else { nil }
        }
    }

    /// A part of the phone noted something that apps do not learn; the value is the text.
    ///
    /// - Parameters:
    ///   - part: The part's name: `Wi-Fi`; nil for any part.
    ///   - piece: A part of the text.
    public static func note(of part: String? = nil, containing piece: String) -> Self {
        Self("the phone to note “\(piece)”") {
            if case .note(let whose, let text) = $0.kind, part == nil || part == whose, text.contains(piece) {
                text
            } else {
                nil
            }
        }
    }

    /// The phone lost its Wi-Fi network; the value is the network's name.
    ///
    /// - Parameter ssid: The name; nil for any network.
    public static func wifiLost(_ ssid: String? = nil) -> Self {
        Self("the network to be lost") {
            if case .radio(.wifiLost(let lost, _)) = $0.kind, ssid == nil || ssid == lost { lost } else { nil }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Advertisement {
    /// The phone received an advertisement; the value is the advertisement.
    public static var advertisement: Self {
        Self("an advertisement") { if case .radio(.advertisement(let heard)) = $0.kind { heard } else { nil } }
    }

    /// The phone received an advertisement of the device with this address.
    public static func advertisement(of address: DeviceAddress) -> Self {
        advertisement.where("an advertisement of \(address)") { $0.address == address }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Int {
    /// The phone received an advertisement; the value is the signal strength in dBm.
    public static var signal: Self {
        Self("a signal") { if case .radio(.advertisement(let heard)) = $0.kind { heard.rssi } else { nil } }
    }
}

extension EventPattern where Event == PhoneEvent, Value == Bond {
    /// The phone made a bond; the value is the bond as its Bluetooth host knows it.
    public static var bonded: Self {
        Self("the phone to be bonded") { if case .radio(.bonded(_, let bond)) = $0.kind { bond } else { nil } }
    }
}

extension EventPattern where Event == PhoneEvent, Value == UInt32 {
    /// The phone was given a number for numeric comparison; the value is the number, 0 to 999999.
    public static var passkey: Self {
        Self("the phone to show a number") {
            if case .radio(.confirmPasskey(_, let number)) = $0.kind { number } else { nil }
        }
    }

    /// The phone shows a number, which the person enters on the accessory; the value is the number, 0 to 999999.
    public static var passkeyToEnter: Self {
        Self("the phone to show a number to enter") {
            if case .radio(.showPasskey(_, let number)) = $0.kind { number } else { nil }
        }
    }
}

extension EventPattern where Event == PhoneEvent, Value == DeviceAddress {
    /// A Bluetooth link of the phone ended; the value is the address of the other device.
    public static var disconnected: Self {
        Self("the link to end") { if case .radio(.disconnected(let address, _)) = $0.kind { address } else { nil } }
    }
}
