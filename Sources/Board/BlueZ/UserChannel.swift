import Dispatch
import Glibc
import HILCBluetooth
import HILPOSIX

/// A controller that a program has for itself: the user channel of the kernel (`net/bluetooth/hci_sock.c` of Linux).
///
/// The kernel switches the controller on without starting it, and hides it from its management interface and so from
/// bluetoothd. Only this program gets its packets. When the channel is closed, at the latest at the end of the process,
/// the kernel switches the controller off and shows it again.
package final class UserChannel: Sendable {
    /// The longest H4 packet that is read, with its type. The kernel cuts longer ones.
    private static let longestPacket = 5 + 4096
    /// What the kernel keeps until this program reads it: 4 MiB. It drops packets above that.
    private static let receiveBuffer: Int32 = 4 << 20
    /// How long the controller may take no packet.
    private static let patience: Int32 = 10_000

    private let socket: Descriptor
    /// Its closing wakes all who wait for the socket.
    private let wakeUp: (read: Descriptor, write: Descriptor)
    /// Has the reading thread as long as it runs.
    private let reading = DispatchGroup()

    /// Opens the channel of a controller that is switched off.
    ///
    /// - Parameters:
    ///   - controller: The number in the adapter's name: 0 for `hci0`.
    ///   - take: Called with each H4 packet of the controller, in order, on the channel's own thread.
    ///   - lost: Called on that thread, once, if the controller is lost.
    /// - Throws: ``SystemError``. ``advice(for:)`` knows what to do.
    package convenience init(
        _ controller: UInt16, take: @escaping @Sendable ([UInt8]) -> Void, lost: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        let action = "taking the Bluetooth controller hci\(controller)"
        let socket = try HCISocket.open(.user(controller), action)
        var size = UserChannel.receiveBuffer
        try valueOrErrno("setsockopt", action) {
            setsockopt(socket.raw, SOL_SOCKET, SO_RCVBUFFORCE, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        try self.init(socket, take: take, lost: lost)
    }

    /// - Parameter socket: Each of its reads gives one packet.
    init(
        _ socket: Descriptor, take: @escaping @Sendable ([UInt8]) -> Void, lost: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        self.socket = socket
        wakeUp = try Descriptor.pipe()
        try socket.setNonBlocking()
        reading.enter()
        startThread(named: "controller") { [socket, stop = wakeUp.read, reading] in
            if let why = UserChannel.read(socket, until: stop, take) { lost(why) }
            reading.leave()
        }
    }

    deinit { stop() }

    /// Sends an H4 packet; waits while the kernel has no room. Only one thread may send.
    ///
    /// - Throws: ``SystemError``: `ETIMEDOUT` if the controller takes nothing, `ECANCELED` if the channel is closed.
    package func send(_ packet: [UInt8]) throws(SystemError) {
        let action = "sending a packet to the Bluetooth controller"
        while true {
            do throws(SystemError) {
                let (raw, count) = (socket.raw, packet.count)
                try valueOrErrno("write", action) { packet.withUnsafeBytes { write(raw, $0.baseAddress, count) } }
                return
            } catch { guard error.code == EAGAIN else { throw error } }
            guard try wait(for: POLLOUT, within: UserChannel.patience) else {
                throw SystemError(code: ETIMEDOUT, action: action)
            }
        }
    }

    /// Ends reading and sending soon. Calling it again does no harm.
    package func stop() { wakeUp.write.close() }

    /// Closes the channel; returns when the kernel has switched the controller off and shows it again. Nobody may send
    /// meanwhile. Calling it again does no harm.
    package func close() async {
        stop()
        // The thread ends at once, and must not read a closed descriptor.
        await withCheckedContinuation { continuation in
            reading.notify(queue: .global()) { [socket] in
                // The kernel waits here for the controller.
                socket.close()
                continuation.resume()
            }
        }
    }

    /// Reads packets until the channel is stopped or the controller is lost.
    ///
    /// - Returns: Why the controller is lost; nil if the channel was stopped.
    private static func read(
        _ socket: Descriptor, until stop: Descriptor, _ take: @Sendable ([UInt8]) -> Void
    ) -> String? {
        var files = [
            pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop.raw, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&files, 2, -1) > 0 || errno == EINTR else { return "waiting for its packets failed" }
            guard files[1].revents == 0 else { return nil }
            guard files[0].revents != 0 else { continue }
            do throws(SystemError) {
                let packet = try socket.read(upTo: longestPacket)
                guard !packet.isEmpty else { return "it was unplugged" }
                take(packet)
            } catch {
                guard error.code == EAGAIN else {
                    return error.code == EPIPE ? "it was unplugged" : "\(error)"
                }
            }
            let dropped = droppedPackets(of: socket)
            if dropped > 0 { return "the kernel had no room for \(dropped) of its packets" }
        }
    }

    /// How many packets the kernel could not keep for the reader (`SK_MEMINFO_DROPS` of `linux/sock_diag.h`).
    private static func droppedPackets(of socket: Descriptor) -> UInt32 {
        var values = [UInt32](repeating: 0, count: 9)
        var size = socklen_t(values.count * MemoryLayout<UInt32>.size)
        let isKnown = getsockopt(socket.raw, SOL_SOCKET, SO_MEMINFO, &values, &size) == 0
        return isKnown && Int(size) == values.count * MemoryLayout<UInt32>.size ? values[8] : 0
    }

    /// Waits for the socket.
    ///
    /// - Returns: False when the time is over, in milliseconds.
    private func wait(for event: Int32, within limit: Int32) throws(SystemError) -> Bool {
        var files = [
            pollfd(fd: socket.raw, events: Int16(event), revents: 0),
            pollfd(fd: wakeUp.read.raw, events: Int16(POLLIN), revents: 0),
        ]
        let action = "waiting for the Bluetooth controller"
        let count = try valueOrErrno("poll", action) { poll(&files, 2, limit) }
        if files[1].revents != 0 { throw SystemError(code: ECANCELED, action: action) }
        return count > 0
    }

    /// Why the kernel did not give the controller, and what to do, after a semicolon.
    package static func advice(for error: SystemError) -> String? {
        switch error.code {
        case EBUSY: "it is switched on or still starting; end the program that uses it (`btmgmt info` shows it)"
        case EUSERS: "another program has it for itself; end that program (`sudo ss -f bluetooth` may show it)"
        case ENODEV: "there is no such adapter; plug it in again"
        case ERFKILL: "rfkill keeps it off; see `rfkill list`"
        case EPERM: "this takes the capability CAP_NET_ADMIN; run hil-board as root"
        default: nil
        }
    }
}
