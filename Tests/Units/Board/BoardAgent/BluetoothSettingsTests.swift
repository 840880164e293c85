import Testing

@testable import BoardAgent

/// What bluetoothd is told beside the board's own configuration.
struct BluetoothSettingsTests {
    @Test("Settings become lines that follow the board's own")
    func lines() {
        var settings = BluetoothSettings()
        #expect(settings.lines == ["[General]", ""])
        settings.isClient = true
        #expect(settings.lines == ["[General]", "ReverseServiceDiscovery = true", ""])
    }
}
