import RadioModel
import Testing

@testable import BoardAgent

/// What bluetoothd is told beside the board's own configuration.
struct BluetoothSettingsTests {
    @Test("Settings become lines that follow the board's own")
    func lines() {
        var settings = BluetoothSettings()
        #expect(settings.lines == ["[General]", "[GATT]", "ExchangeMTU = 517", ""])
        settings.isClient = true
        settings.personality = RadioPersonality(hasPrivateAddress: true, mtu: 185)
        #expect(
            settings.lines == [
                "[General]", "ReverseServiceDiscovery = true", "Privacy = device", "[GATT]", "ExchangeMTU = 185", "",
            ])
    }

    @Test("A length that BlueZ does not take becomes the nearest one", arguments: [(1, 23), (527, 517)])
    func mtu(wanted: Int, set: Int) {
        let settings = BluetoothSettings(personality: RadioPersonality(mtu: wanted))
        #expect(settings.lines.contains("ExchangeMTU = \(set)"))
    }
}
