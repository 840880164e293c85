import Glibc
import HILPOSIX

/// Settings that bluetoothd reads when it starts, in addition to the board's own configuration.
struct BluetoothSettings: Sendable, Hashable {
    /// Whether it discovers the services of devices that connect to it.
    var isClient = false
    /// Whether the accessory has a Device Information service of its own, so that bluetoothd offers none.
    var hasDeviceInformation = false

    /// The lines that follow the board's own. Of two lines for one setting, the later one counts.
    ///
    /// Source: BlueZ 5.82, `src/main.conf`.
    var lines: [String] {
        ["[General]"] + (isClient ? ["ReverseServiceDiscovery = true"] : [])
            + (hasDeviceInformation ? ["DeviceID = false"] : []) + [""]
    }

    /// Writes the board's configuration with these settings.
    ///
    /// - Returns: The path of the file; nil if the board's own is enough.
    func write() throws(SystemError) -> String? {
        guard self != BluetoothSettings() else { return nil }
        let source = try Descriptor.open("/etc/bluetooth/main.conf", O_RDONLY)
        defer { source.close() }
        let path = "/run/hil-bluetooth.conf"
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        defer { file.close() }
        try file.write(try source.read() + [UInt8(ascii: "\n")] + Array(lines.joined(separator: "\n").utf8))
        return path
    }
}
