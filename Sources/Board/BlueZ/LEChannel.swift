import Glibc
import HILCBluetooth
import HILPOSIX
import RadioModel

/// A connection-oriented L2CAP channel over LE: packets in both directions, with the flow control of the kernel.
///
/// Source: Linux 6.12, `include/net/bluetooth/bluetooth.h` and `l2cap.h`; Bluetooth Core Specification 6.0, Vol 3,
/// Part A, 4.22.
package final class LEChannel: Sendable {
    /// Unlike `SO_SNDTIMEO`, these options have no name in the C library.
    private enum Option {
        /// The longest packet that the peer takes (`BT_SNDMTU`), and that this end takes (`BT_RCVMTU`), in bytes.
        static let sendMTU: Int32 = 12
        static let receiveMTU: Int32 = 13
    }

    /// The device at the other end.
    package let peer: DeviceAddress
    /// The longest packet that the peer takes, in bytes.
    package let sendMTU: Int
    private let receiveMTU: Int
    private let descriptor: Descriptor

    /// Takes over a connected socket.
    init(_ descriptor: Descriptor) throws(SystemError) {
        self.descriptor = descriptor
        try descriptor.setNonBlocking()
        peer = try LEChannel.peer(of: descriptor)
        sendMTU = try LEChannel.mtu(Option.sendMTU, of: descriptor)
        receiveMTU = try LEChannel.mtu(Option.receiveMTU, of: descriptor)
    }

    /// Opens a channel to a connected device. Cancel the task to end the wait.
    ///
    /// - Parameters:
    ///   - port: The protocol and service multiplexer (PSM) that the device listens on.
    ///   - own: The address of this board's adapter.
    /// - Throws: ``HILPOSIX/SystemError`` with the kernel's reason, or `CancellationError`.
    package static func connect(
        to address: DeviceAddress, isRandom: Bool, port: UInt16, from own: DeviceAddress
    ) async throws -> LEChannel {
        let action = "opening the L2CAP channel \(port) of \(address)"
        let channel = try make(action, .none)
        try withAddress(own, type: UInt8(BDADDR_LE_PUBLIC), 0) { pointer, length throws(SystemError) in
            try valueOrErrno("bind", action) { bind(channel.raw, pointer, length) }
        }
        do throws(SystemError) {
            let type = UInt8(isRandom ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC)
            try withAddress(address, type: type, port) { pointer, length throws(SystemError) in
                try valueOrErrno("connect", action) { Glibc.connect(channel.raw, pointer, length) }
            }
        } catch { guard error.code == EINPROGRESS else { throw error } }
        try await waitUntilReady(channel, for: POLLOUT)
        var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        try valueOrErrno("getsockopt", action) { getsockopt(channel.raw, SOL_SOCKET, SO_ERROR, &code, &length) }
        guard code == 0 else { throw SystemError(code: code, action: action) }
        return try LEChannel(channel)
    }

    /// Sends one packet, and returns when the kernel has taken it.
    ///
    /// - Parameter packet: 1 to ``sendMTU`` bytes.
    package func send(_ packet: [UInt8]) async throws {
        while true {
            do throws(SystemError) {
                _ = try valueOrErrno("send", "sending \(packet.count) bytes on an L2CAP channel") {
                    // All programs that use channels ignore SIGPIPE.
                    packet.withUnsafeBytes { Glibc.write(descriptor.raw, $0.baseAddress, $0.count) }
                }
                return
            } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(descriptor, for: POLLOUT)
            }
        }
    }

    /// Waits for a packet. Returns an empty one when the channel has ended.
    package func receive() async throws -> [UInt8] {
        while true {
            do throws(SystemError) { return try descriptor.read(upTo: max(receiveMTU, 1)) } catch {
                // The peer, or the end of the link, closed the channel.
                if [ECONNRESET, ENOTCONN, EPIPE, ETIMEDOUT, EBADF].contains(error.code) { return [] }
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(descriptor)
            }
        }
    }

    /// Closes the channel. Tasks that wait for it wake up.
    package func close() { descriptor.shutDown() }

    // MARK: Sockets

    fileprivate static func make(_ action: String, _ protection: LinkProtection) throws(SystemError) -> Descriptor {
        let raw = try valueOrErrno("socket", action) {
            socket(
                AF_BLUETOOTH, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                BTPROTO_L2CAP)
        }
        let channel = Descriptor(adopting: raw)
        var value = bt_security(level: UInt8(protection.rawValue), key_size: 0)
        try valueOrErrno("setsockopt", action) {
            setsockopt(raw, SOL_BLUETOOTH, BT_SECURITY, &value, socklen_t(MemoryLayout<bt_security>.size))
        }
        return channel
    }

    fileprivate static func withAddress(
        _ address: DeviceAddress, type: UInt8, _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
    ) throws(SystemError) {
        var place = sockaddr_l2()
        place.l2_family = sa_family_t(AF_BLUETOOTH)
        place.l2_psm = port.littleEndian
        place.l2_bdaddr_type = type
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

    /// A name of a socket: `getpeername` or `getsockname`.
    private static func name(
        _ call: String, _ descriptor: Descriptor,
        _ body: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) throws(SystemError) -> sockaddr_l2 {
        var place = sockaddr_l2()
        var length = socklen_t(MemoryLayout<sockaddr_l2>.size)
        try valueOrErrno(call, "reading an address of an L2CAP channel") {
            withUnsafeMutablePointer(to: &place) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body(descriptor.raw, $0, &length) }
            }
        }
        return place
    }

    private static func peer(of descriptor: Descriptor) throws(SystemError) -> DeviceAddress {
        let place = try name("getpeername", descriptor) { getpeername($0, $1, $2) }
        let bytes = withUnsafeBytes(of: place.l2_bdaddr) { Array($0.reversed()) }
        guard let address = DeviceAddress(bytes: bytes) else {
            throw SystemError(code: EINVAL, action: "reading the address of a peer")
        }
        return address
    }

    fileprivate static func port(of descriptor: Descriptor) throws(SystemError) -> UInt16 {
        UInt16(littleEndian: try name("getsockname", descriptor) { getsockname($0, $1, $2) }.l2_psm)
    }

    private static func mtu(_ option: Int32, of descriptor: Descriptor) throws(SystemError) -> Int {
        var value: UInt16 = 0
        var length = socklen_t(MemoryLayout<UInt16>.size)
        try valueOrErrno("getsockopt", "asking for the MTU of an L2CAP channel") {
            getsockopt(descriptor.raw, SOL_BLUETOOTH, option, &value, &length)
        }
        return Int(value)
    }
}

/// Accepts L2CAP channels over LE, for as long as this object lives.
package final class LEChannelListener: Sendable {
    /// The protocol and service multiplexer (PSM) on which it listens.
    package let port: UInt16
    private let listener: Descriptor
    private let task: Task<Void, Never>

    /// - Parameters:
    ///   - port: 0x80 to 0xFF; nil for one that the kernel chooses.
    ///   - protection: What the link must have before a channel opens.
    ///   - own: The address of the board's adapter.
    ///   - accept: Called with each channel that a peer has opened, one after the other.
    package init(
        at port: UInt16?, needing protection: LinkProtection, on own: DeviceAddress,
        accept: @escaping @Sendable (LEChannel) -> Void
    ) throws(SystemError) {
        let action = "listening for L2CAP channels"
        let listener = try LEChannel.make(action, protection)
        try LEChannel.withAddress(own, type: UInt8(BDADDR_LE_PUBLIC), port ?? 0) {
            pointer, length throws(SystemError) in
            try valueOrErrno("bind", action) { bind(listener.raw, pointer, length) }
        }
        try valueOrErrno("listen", action) { Glibc.listen(listener.raw, 4) }
        self.port = try LEChannel.port(of: listener)
        self.listener = listener
        task = Task {
            await acceptConnections(on: listener) { descriptor in
                // A channel that has already ended is not an error.
                if let channel = try? LEChannel(descriptor) { accept(channel) }
            }
        }
    }

    // Shut down at once: the same port may be opened again immediately.
    deinit {
        task.cancel()
        listener.shutDown()
    }
}
