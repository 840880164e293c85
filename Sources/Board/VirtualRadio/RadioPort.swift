import Glibc
import HILPOSIX

/// The board's side of a radio port: messages over a character device whose other side may connect and disconnect.
final class RadioPort {
    /// An event of the port.
    enum Event: Equatable {
        /// The other side has connected.
        case connected
        /// The other side has disconnected.
        case disconnected
        case message(RadioMessage)
        /// Bytes that are not a message were skipped. The text says why.
        case refused(String)
    }

    /// The most bytes that wait to be sent. Above that, messages are dropped, as a busy medium drops frames.
    static let sendLimit = 4 << 20

    let descriptor: Descriptor
    private var reader = FrameReader(limit: RadioMessage.limit)
    private var isConnected = false
    private var outgoing: [UInt8] = []

    /// - Parameter descriptor: A non-blocking descriptor.
    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Reads everything available and writes what is waiting.
    ///
    /// - Parameter isHungUp: Whether the other side is not connected.
    func service(isHungUp: Bool) throws(SystemError) -> [Event] {
        guard !isHungUp else { return disconnect() }
        var events: [Event] = isConnected ? [] : [.connected]
        isConnected = true
        try flush()
        while true {
            let bytes: [UInt8]
            do throws(SystemError) { bytes = try descriptor.read() } catch {
                guard error.code == EAGAIN else { throw error }
                return events
            }
            guard !bytes.isEmpty else { return events + disconnect() }
            events += reader.push(bytes).map(RadioPort.event)
        }
    }

    /// Sends a message. It is dropped if the other side is not connected.
    func send(_ message: RadioMessage) throws(SystemError) {
        guard isConnected, outgoing.count < RadioPort.sendLimit else { return }
        outgoing += message.frame.bytes
        try flush()
    }

    private func flush() throws(SystemError) {
        while !outgoing.isEmpty {
            do throws(SystemError) {
                let count = try valueOrErrno("write", "writing to a radio port") {
                    outgoing.withUnsafeBytes { write(descriptor.raw, $0.baseAddress, $0.count) }
                }
                outgoing.removeFirst(count)
            } catch {
                guard error.code == EAGAIN else { throw error }
                return
            }
        }
    }

    private func disconnect() -> [Event] {
        reader = FrameReader(limit: RadioMessage.limit)
        outgoing = []
        defer { isConnected = false }
        return isConnected ? [.disconnected] : []
    }

    private static func event(_ item: FrameReader.Item) -> Event {
        switch item {
        case .refused(let reason): return .refused(reason)
        case .frame(let frame):
            do { return .message(try RadioMessage(frame)) } catch { return .refused("\(error)") }
        }
    }
}
