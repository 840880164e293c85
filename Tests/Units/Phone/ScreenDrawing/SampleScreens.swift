import Foundation
import HILPhone
import TestSupport

/// A screen of every kind, as the phone makes them, and names that are hard to draw.
enum SampleScreens {
    static let picture = fixture("DiceApp/die@2x.png")

    static func entry(_ title: String = "Bluetooth Die", _ detail: String = "Die 7") -> Screen.Entry {
        Screen.Entry(title: title, detail: detail, picture: picture)
    }

    /// - Parameter name: Used wherever a screen shows a name from the air or from the person.
    static func all(named name: String = "Die 7") -> [Screen] {
        let one = entry("Bluetooth Die", name)
        return [
            Screen(.picker, title: "Finding Accessories", controls: [.pick, .cancel]),
            Screen(.picker, title: "Finding Accessories", entries: [one], controls: [.pick, .cancel]),
            Screen(
                .picker, title: "Finding Accessories", entries: [one, entry("Wi-Fi Die", "Die 8"), entry()],
                controls: [.pick, .cancel]),
            Screen(
                .settingUp, title: "Setting Up “\(name)”", lines: ["Pairing…"], entries: [one], controls: [.cancel]),
            Screen(
                .passkey, title: "Bluetooth Pairing Request",
                lines: ["Confirm that the code “048213” is shown on the accessory."],
                controls: [.confirmPasskey, .refusePasskey]),
            Screen(
                .passkeyEntry, title: "Bluetooth Pairing Request",
                lines: ["Enter the code that is shown on the accessory."], controls: [.enterPasskey, .cancel]),
            Screen(
                .passkeyDisplay, title: "Bluetooth Pairing Request",
                lines: ["Enter the code “048213” on the accessory."], controls: [.cancel]),
            Screen(.rename, title: "Name Your Accessory", lines: [name], controls: [.rename, .cancel]),
            Screen(
                .setupComplete, title: "“\(name)” Is Ready", lines: ["Finish the setup in the app."], entries: [one],
                controls: [.done]),
            Screen(
                .setupFailed, title: "Setup Failed", lines: ["“\(name)” could not be set up."], entries: [one],
                controls: [.done]),
            Screen(
                .discoveryTimeout, title: "No Accessory Found",
                lines: ["Make sure that the accessory is switched on and nearby."], controls: [.done]),
            Screen(
                .migration, title: "Accessories Have Moved",
                lines: ["The app now uses its accessories without access to all of Bluetooth and Wi-Fi."],
                entries: [one, entry(name, ""), entry("Wi-Fi Die", "")], controls: [.done, .cancel]),
            Screen(
                .upgrade, title: "Allow “Dice” to Use “\(name)” by Wi-Fi?", controls: [.deny, .allow]),
            Screen(.removeAccessory, title: "Remove “\(name)”?", controls: [.allow, .deny]),
            Screen(
                .joinNetwork, title: "“Dice” Wants to Join Wi-Fi Network “\(name)”?",
                controls: [.deny, .allow]),
            Screen(
                .forwarding, title: "Forward notifications to “\(name)”?",
                lines: ["Choose the apps whose notifications go to the accessory."],
                controls: [.allowForwarding, .cancel]),
            Screen(
                .settings, title: "Settings: Accessories",
                entries: [entry(name, "Dice"), entry("Wi-Fi Die", "Games")]),
            Screen(
                .switches, title: "Settings",
                entries: [Screen.Entry(title: "Wi-Fi", detail: name), Screen.Entry(title: "Bluetooth", detail: "Off")],
                controls: [.switchWiFiOff, .switchBluetoothOn]),
            Screen(
                .picker, title: "Finding Accessories", lines: ["Turn on Bluetooth in Settings to find accessories."],
                controls: [.pick, .cancel]),
            Screen(
                .bluetoothIsOff, title: "Turn On Bluetooth to Allow “\(name)” to Connect to Accessories",
                controls: [.done]),
        ]
    }

    /// Unicode noncharacters. Swift does not allow them in a literal.
    private static let nonCharacters = String(
        String.UnicodeScalarView([0xFFFE, 0xFFFF, 0xFDD0, 0x10_FFFF].compactMap { Unicode.Scalar($0 as UInt32) }))

    static let hostileNames = [
        "", " ", "\u{0}\u{1}\u{1B}[31m", "<script>alert(1)</script>", "]]></text></svg>", "&amp;&lt;\"'", "a\nb\tc\r",
        "\u{202E}drowssap\u{202C}", nonCharacters, "مرحبا بالنرد", "קובייה 7", "👨‍👩‍👧‍👦🎲🏳️‍🌈",
        "骰子七号" + String(repeating: "骰", count: 60),
        String(repeating: "W", count: 500), "Z" + String(repeating: "\u{0301}", count: 300),
        String(repeating: "die ", count: 200), "\u{E000}", "\u{2028}\u{2029}", "é", "’“”…—",
    ]
}
