import Glibc
import HILPOSIX

/// One serial port of a native board: `/dev/vport0pN` on the board, a Unix socket or a file on this machine.
///
/// A socket has one client at a time, as in QEMU; the next one waits. Nothing here waits for a client or the board.
final class SerialPort {
    /// The end of the port on this machine.
    enum End: Sendable {
        /// A listening, non-blocking socket.
        case socket(Descriptor)
        /// A file for all output of the board.
        case file(Descriptor)
    }

    /// The number of the port on the board, from 1.
    let number: Int
    let name: String
    private let end: End
    /// The connected client, if the port is a socket.
    private(set) var client: Descriptor?
    /// Whether a program on the board has opened the port.
    var isOpenOnBoard = false
    /// Whether the board's kernel knows the port.
    var isKnown = false
    /// Whether the client was not yet reported to the board.
    var isNews = false
    /// How many bytes of the board's next chain were written to the client.
    private var partlyWritten = 0
    /// Whether the client accepts no more bytes.
    private var isClientFull = false

    init(_ number: Int, name: String, end: End) {
        self.number = number
        self.name = name
        self.end = end
    }

    /// Whether something on this machine is connected.
    var isConnected: Bool { target != nil }

    private var target: Descriptor? {
        switch end {
        case .socket: client
        case .file(let file): file
        }
    }

    /// The descriptor to wait for, and the events: a new client, bytes of the client, room for more.
    ///
    /// - Parameter hasRoom: Whether the board offers a buffer for the client's bytes.
    func wait(hasRoom: Bool) -> (descriptor: Int32, events: Int32)? {
        guard case .socket(let listener) = end else { return nil }
        guard let client else { return (listener.raw, POLLIN) }
        return (client.raw, (isOpenOnBoard && !isNews && hasRoom ? POLLIN : 0) | (isClientFull ? POLLOUT : 0))
    }

    /// Whether this is still the port's client.
    func isClient(_ client: Descriptor?) -> Bool { client != nil && client === self.client }

    /// Accepts a client if there is none. Returns whether there is a new one.
    func accept() -> Bool {
        guard case .socket(let listener) = end, client == nil,
            let next = try? UnixSocket.accept(on: listener), (try? next.setNonBlocking()) != nil
        else { return false }
        client = next
        return true
    }

    /// Closes the client's connection. Returns whether there was one.
    func disconnect() -> Bool {
        guard client != nil else { return false }
        client?.close()
        client = nil
        isClientFull = false
        return true
    }

    /// The board has lost its power, or its kernel restarts. The client stays.
    func reset() {
        (isOpenOnBoard, isKnown, isNews) = (false, false, false)
        (partlyWritten, isClientFull) = (0, false)
    }

    /// The result of moving bytes.
    struct Moved: Equatable {
        /// Whether chains were given back to the board.
        var hasFinished = false
        /// Whether the client is gone.
        var isClientGone = false
    }

    /// Moves the board's output to the client, as far as the client accepts it. Bytes without a client are dropped, as
    /// in QEMU.
    func send(from queue: inout Virtqueue) throws(DeviceError) -> Moved {
        var moved = Moved()
        isClientFull = false
        while let chain = try queue.next() {
            var skipped = partlyWritten
            for buffer in chain.buffers where !buffer.isWritable {
                guard let target, !moved.isClientGone else { break }
                var rest = UnsafeRawBufferPointer(buffer.bytes)
                let known = min(skipped, rest.count)
                skipped -= known
                rest = UnsafeRawBufferPointer(rebasing: rest[known...])
                while !rest.isEmpty, !moved.isClientGone {
                    let count = SerialPort.write(rest, to: target, isSocket: client != nil)
                    guard count != 0 else {
                        isClientFull = true
                        return moved
                    }
                    moved.isClientGone = count < 0 && client != nil
                    // A full disk must not stop the board.
                    if count < 0 { break }
                    partlyWritten += count
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                }
            }
            partlyWritten = 0
            queue.finish(chain, written: 0)
            moved.hasFinished = true
        }
        return moved
    }

    /// How many bytes were written: 0 if there is no room, -1 if the write failed.
    private static func write(_ bytes: UnsafeRawBufferPointer, to target: Descriptor, isSocket: Bool) -> Int {
        let count =
            isSocket
            ? Glibc.send(target.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            : Glibc.write(target.raw, bytes.baseAddress, bytes.count)
        if count > 0 { return count }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1
    }

    /// Moves the client's bytes to the board, as far as the board has room.
    func receive(into queue: inout Virtqueue) throws(DeviceError) -> Moved {
        var moved = Moved()
        while isOpenOnBoard, !isNews, let client, let chain = try queue.next() {
            guard let buffer = chain.buffers.first, buffer.isWritable, !buffer.bytes.isEmpty else {
                throw DeviceError("it offers a buffer that cannot be written")
            }
            let count = read(client.raw, buffer.bytes.baseAddress, buffer.bytes.count)
            if count > 0 {
                queue.finish(chain, written: count)
                moved.hasFinished = true
            } else {
                moved.isClientGone = !(count < 0 && (errno == EAGAIN || errno == EINTR))
                break
            }
        }
        return moved
    }
}
