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
public func runVirtualRadio(bluetoothPort: String, wifiPort: String) throws(SystemError) -> Never {
    let ports = try [bluetoothPort, wifiPort].map { path throws(SystemError) in
        try Descriptor.open(path, O_RDWR | O_NONBLOCK)
    }
    let poller = try Poller()
    let inUse = ChannelsInUse()
    // Of a program before this one, whose radio went with it.
    inUse.remove()
    let stations = [
        RadioStation(port: RadioPort(ports[0])) { _, _ in try VirtualBluetooth() },
        RadioStation(port: RadioPort(ports[1])) { try VirtualWiFi(address: $0, channels: $1, inUse: inUse) },
    ]
    for (index, port) in ports.enumerated() { try poller.add(port.raw, token: UInt64(index), edges: true) }
    while true {
        for event in try poller.wait() {
            let index = Int(event.token) % stations.count
            let station = stations[index]
            if Int(event.token) < stations.count {
                guard try station.servicePort(isHungUp: event.isHungUp), let device = station.device else { continue }
                try poller.add(device.descriptor, token: UInt64(index + stations.count), edges: false)
                // What the device has to say since it was made.
                try station.serviceDevice()
            } else {
                try station.serviceDevice()
            }
        }
    }
}
