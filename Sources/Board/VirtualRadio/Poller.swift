import Glibc
import HILCLinux
import HILPOSIX

/// Waits until one of several descriptors is ready.
///
/// A port of a virtio console needs edge-triggered events: while its host side is not connected, it stays hung up, and
/// only the change shows that the host side has connected.
final class Poller {
    /// An event of one descriptor.
    struct Event {
        let token: UInt64
        let isHungUp: Bool
    }

    /// Readable while a watched descriptor is ready.
    let descriptor: Descriptor

    init() throws(SystemError) {
        descriptor = Descriptor(
            adopting: try valueOrErrno("epoll_create1", "making an epoll set") {
                epoll_create1(Int32(EPOLL_CLOEXEC))
            })
    }

    /// Watches a descriptor. This ends when the descriptor is closed.
    ///
    /// - Parameter edges: True to report each change of both directions once; false to report input while there is any.
    func add(_ raw: Int32, token: UInt64, edges: Bool) throws(SystemError) {
        var event = epoll_event()
        event.events = edges ? EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLET.rawValue : EPOLLIN.rawValue
        event.data.u64 = token
        try valueOrErrno("epoll_ctl", "watching descriptor \(raw)") {
            epoll_ctl(descriptor.raw, EPOLL_CTL_ADD, raw, &event)
        }
    }

    /// Waits for the next events, without a time limit.
    func wait() throws(SystemError) -> [Event] {
        var events = [epoll_event](repeating: epoll_event(), count: 8)
        let count = try valueOrErrno("epoll_wait", "waiting for the radio ports") {
            epoll_wait(descriptor.raw, &events, Int32(events.count), -1)
        }
        return events.prefix(Int(count)).map {
            Event(token: $0.data.u64, isHungUp: $0.events & EPOLLHUP.rawValue != 0)
        }
    }
}
