import FoundationEssentials
import Glibc
import POSIX
import Synchronization

/// The way of one characteristic's values to bluetoothd by a socket, a packet each: a signal on the bus takes several times
/// as long.
///
/// Source: BlueZ 5.82, `doc/org.bluez.GattCharacteristic.rst`, AcquireNotify.
final class NotifySocket: Sendable {
    /// How long bluetoothd may leave a full socket unread before it counts as gone, seconds.
    private static let patience = 2

    private let socket = Mutex<Descriptor?>(nil)

    /// Makes a socket, in the place of the one before if there is one.
    ///
    /// - Returns: bluetoothd's end.
    func open() throws(SystemError) -> Descriptor {
        let (ours, theirs) = try UnixSocket.packetPair()
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        try valueOrErrno("setsockopt", "limiting how long a notified value may wait") {
            setsockopt(ours.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        // What was sent through the one before is still read: only this end is closed.
        socket.withLock { $0 = ours }
        return theirs
    }

    /// Sends a value; false if bluetoothd has no socket, or has closed it. An empty packet would read like the end.
    func send(_ value: Data) -> Bool {
        guard !value.isEmpty else { return false }
        return socket.withLock { socket in
            guard let raw = socket?.raw else { return false }
            let count = value.withUnsafeBytes { Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count != value.count { socket = nil }
            return count == value.count
        }
    }
}
