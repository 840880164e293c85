import Glibc
import POSIX

/// Serves the board's radio ports: plugs virtual Bluetooth and Wi-Fi hardware into the kernel as the air asks for it.
///
/// Blocks, and returns only by an error. Both ports may be without anybody at their other side, now and at any time.
///
/// - Parameters:
///   - bluetoothPort: The character device that carries Bluetooth: `/dev/vport0p2`.
///   - wifiPort: The one that carries Wi-Fi: `/dev/vport0p3`.
/// - Throws: ``POSIX/SystemError`` when a port cannot be opened or fails.
package func runVirtualRadio(bluetoothPort: String, wifiPort: String) throws(SystemError) -> Never {
    let ports = try [bluetoothPort, wifiPort].map { path throws(SystemError) in
        try Descriptor.open(path, O_RDWR | O_NONBLOCK)
    }
    let poller = try Poller()
    let inUse = ChannelsInUse()
    // Of a program before this one, whose radio went with it.
    inUse.remove()
    let stations = [
        RadioStation(port: RadioPort(ports[0]), limit: bluetoothLimit) { _, _ in try VirtualBluetooth() },
        // hwsim knows one medium: who registered as such.
        RadioStation(port: RadioPort(ports[1]), limit: 1) { try VirtualWiFi(address: $0, channels: $1, inUse: inUse) },
    ]
    for (index, port) in ports.enumerated() {
        try poller.add(port.raw, token: Watched(station: index, device: nil).token, edges: true)
    }
    while true {
        for event in try poller.wait() {
            let watched = Watched(token: event.token)
            let station = stations[watched.station]
            if let number = watched.device {
                try station.serviceDevice(number)
                continue
            }
            for number in try station.servicePort(isHungUp: event.isHungUp) {
                guard let device = station.devices[number] else { continue }
                try poller.add(
                    device.descriptor, token: Watched(station: watched.station, device: number).token, edges: false)
                // What the device has to say since it was made.
                try station.serviceDevice(number)
            }
        }
    }
}

/// How many Bluetooth controllers a board may have.
private let bluetoothLimit: UInt8 = 8

/// Whose descriptor something happened on: that of a port, or of one of its devices.
private struct Watched {
    let station: Int
    /// nil for the port itself.
    let device: UInt8?

    var token: UInt64 { UInt64(station) | UInt64(device.map { Int($0) + 1 } ?? 0) << 8 }

    init(station: Int, device: UInt8?) {
        self.station = station
        self.device = device
    }

    init(token: UInt64) {
        station = Int(token & 0xFF)
        device = token >> 8 == 0 ? nil : UInt8(truncatingIfNeeded: (token >> 8) - 1)
    }
}
