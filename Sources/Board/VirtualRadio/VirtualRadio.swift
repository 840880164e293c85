import Glibc
import HILPOSIX

/// Serves the board's radio ports: adds virtual Bluetooth and Wi-Fi hardware to the kernel when the air asks for it.
///
/// It blocks, and returns only with an error. The other side of a port may be disconnected at any time.
///
/// - Parameters:
///   - bluetoothPort: The character device for Bluetooth: `/dev/vport0p2`.
///   - wifiPort: The character device for Wi-Fi: `/dev/vport0p3`.
/// - Throws: ``HILPOSIX/SystemError`` if a port cannot be opened or fails.
package func runVirtualRadio(bluetoothPort: String, wifiPort: String) throws(SystemError) -> Never {
    let ports = try [bluetoothPort, wifiPort].map { path throws(SystemError) in
        try Descriptor.open(path, O_RDWR | O_NONBLOCK)
    }
    let poller = try Poller()
    let inUse = ChannelsInUse()
    // A file of an earlier run: the radio of that run is gone.
    inUse.remove()
    // Made with the first radio: the kernel may have no Wi-Fi before.
    var medium: HwsimMedium?
    let stations = [
        RadioStation(port: RadioPort(ports[0]), limit: bluetoothLimit) { _, _, _ in try VirtualBluetooth() },
        RadioStation(port: RadioPort(ports[1]), limit: wifiLimit) { number, address, channels in
            let shared = try medium ?? HwsimMedium()
            medium = shared
            return try VirtualWiFi(
                address: address, channels: channels, on: shared, inUse: number == 0 ? inUse : nil)
        },
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
                // The device may already have messages.
                try station.serviceDevice(number)
            }
        }
    }
}

/// The most Bluetooth controllers of a board.
private let bluetoothLimit: UInt8 = 8
/// The most Wi-Fi radios of a board: its own, that of a home's router, and those of two strangers.
private let wifiLimit: UInt8 = 4

/// The owner of a watched descriptor: a port, or one of its devices.
private struct Watched {
    let station: Int
    /// Nil for the port itself.
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
