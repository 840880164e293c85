import Glibc
import HILCBluetooth
import HILPOSIX
import RadioModel

/// Channels of classic Bluetooth (L2CAP over BR/EDR) that phones open. They need encryption with an authenticated key.
///
/// Source: Linux 6.12, `include/net/bluetooth/bluetooth.h` and `l2cap.h`.
package enum ClassicChannel {
    /// `BT_SECURITY_HIGH`: encrypted with an authenticated key.
    private static let security: UInt8 = 3

    /// Listens for devices that have a key.
    ///
    /// - Parameter address: The address of the board's adapter.
    package static func listen(at port: UInt16, on address: DeviceAddress) throws(SystemError) -> Descriptor {
        let action = "listening for classic Bluetooth at \(port)"
        let channel = try make(action)
        try withAddress(address, port) { pointer, length throws(SystemError) in
            try valueOrErrno("bind", action) { bind(channel.raw, pointer, length) }
        }
        try valueOrErrno("listen", action) { Glibc.listen(channel.raw, 4) }
        return channel
    }

    /// The address of the peer.
    package static func peer(of channel: Descriptor) throws(SystemError) -> DeviceAddress? {
        var address = sockaddr_l2()
        var length = socklen_t(MemoryLayout<sockaddr_l2>.size)
        try valueOrErrno("getpeername", "reading the address of the peer") {
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(channel.raw, $0, &length) }
            }
        }
        return DeviceAddress(bytes: withUnsafeBytes(of: address.l2_bdaddr) { Array($0.reversed()) })
    }

    /// The size in bytes of the key that encrypts the link of a connected channel; 0 without encryption.
    package static func keySize(of channel: Descriptor) throws(SystemError) -> Int {
        var value = bt_security()
        var length = socklen_t(MemoryLayout<bt_security>.size)
        try valueOrErrno("getsockopt", "asking how the link is encrypted") {
            getsockopt(channel.raw, SOL_BLUETOOTH, BT_SECURITY, &value, &length)
        }
        return Int(value.key_size)
    }

    private static func make(_ action: String) throws(SystemError) -> Descriptor {
        let raw = try valueOrErrno("socket", action) {
            socket(
                AF_BLUETOOTH, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                BTPROTO_L2CAP)
        }
        let channel = Descriptor(adopting: raw)
        var value = bt_security(level: security, key_size: 0)
        try valueOrErrno("setsockopt", action) {
            setsockopt(raw, SOL_BLUETOOTH, BT_SECURITY, &value, socklen_t(MemoryLayout<bt_security>.size))
        }
        return channel
    }

    private static func withAddress(
        _ address: DeviceAddress, _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
    ) throws(SystemError) {
        var place = sockaddr_l2()
        place.l2_family = sa_family_t(AF_BLUETOOTH)
        place.l2_psm = port.littleEndian
        withUnsafeMutableBytes(of: &place.l2_bdaddr) { $0.copyBytes(from: address.bytes.reversed()) }
        var failure: SystemError?
        withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                do throws(SystemError) { try body(pointer, socklen_t(MemoryLayout<sockaddr_l2>.size)) } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }
}
