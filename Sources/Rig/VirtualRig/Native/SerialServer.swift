import Glibc
import HILPOSIX

/// Serves the serial ports of one native board, on a separate thread, for each start of the board's kernel.
///
/// Clients of the ports stay connected while the board has no power.
final class SerialServer: Sendable {
    /// A change of a kernel's connection.
    enum Change: Sendable {
        case began
        /// With the kernel's fault; nil if it disconnected.
        case ended(DeviceError?)
    }

    /// The thread ends when it is closed.
    private let wake: Descriptor

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - socket: The path of a new socket for the board's kernel.
    ///   - ports: The path of a new socket or of a file for each port.
    ///   - onChange: Called when a kernel's connection begins or ends.
    init(kernelSocket socket: String, ports: [PortPlan], onChange: @escaping @Sendable (Change) -> Void) throws {
        let listener = try UnixSocket.listen(at: socket)
        try listener.setNonBlocking()
        let ends = try ports.map { try $0.open() }
        let pipe = try Descriptor.pipe()
        wake = pipe.write
        startThread(named: "serial-ports") {
            let ports = zip(ports, ends).map { SerialPort($0.number, name: $0.name, end: $1) }
            var loop = SerialLoop(listener: listener, wake: pipe.read, ports: ports, onChange: onChange)
            loop.run()
        }
    }

    deinit { wake.close() }
}

/// A port to serve.
struct PortPlan: Sendable, Equatable {
    var number: Int
    var name: String
    /// The path of a socket to make, or of a file to write.
    var path: String
    var isFile = false

    /// Makes the socket or the file.
    func open() throws -> SerialPort.End {
        if isFile { return .file(try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)) }
        let listener = try UnixSocket.listen(at: path)
        try listener.setNonBlocking()
        return .socket(listener)
    }
}

/// The loop of a ``SerialServer``.
private struct SerialLoop {
    let listener: Descriptor
    let wake: Descriptor
    let onChange: @Sendable (SerialServer.Change) -> Void
    private let device: SerialDevice
    private var kernel: Descriptor?
    private var reader = RequestReader()

    init(
        listener: Descriptor, wake: Descriptor, ports: [SerialPort],
        onChange: @escaping @Sendable (SerialServer.Change) -> Void
    ) {
        self.listener = listener
        self.wake = wake
        self.onChange = onChange
        device = SerialDevice(ports)
    }

    /// Runs until the server is gone.
    mutating func run() {
        while true {
            let waits = device.waits
            var polled = [pollfd(fd: wake.raw, events: 0, revents: 0)]
            polled.append(pollfd(fd: (kernel ?? listener).raw, events: Int16(POLLIN), revents: 0))
            polled += waits.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
            if let blocked = device.call() { polled.append(pollfd(fd: blocked, events: Int16(POLLOUT), revents: 0)) }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            if polled[0].revents != 0 { return }
            do {
                if polled[1].revents != 0 { try serveKernel() }
                for (wait, polled) in zip(waits, polled.dropFirst(2)) where polled.revents != 0 {
                    try device.serve(wait.port)
                    let isHungUp = Int32(polled.revents) & (POLLHUP | POLLERR) != 0
                    // Earlier bytes of the client are read first. The next client may have connected meanwhile.
                    if isHungUp, Int32(polled.revents) & POLLIN == 0, wait.port.isClient(wait.client) {
                        try device.disconnect(wait.port)
                    }
                }
            } catch {
                end(error as? DeviceError ?? DeviceError("\(error)"))
            }
        }
    }

    private mutating func serveKernel() throws {
        guard let kernel else {
            guard let next = try? UnixSocket.accept(on: listener) else { return }
            try next.setNonBlocking()
            kernel = next
            onChange(.began)
            return
        }
        switch try reader.read(from: kernel) {
        case .end: end(nil)
        case .nothing: break
        case .request(let header, let payload, let descriptors):
            let request = try VhostRequest(header, payload: payload)
            let answer = try device.handle(request, number: header.number, descriptors: descriptors)
            if let answer { try kernel.writeNow(answer) }
        }
    }

    private mutating func end(_ error: DeviceError?) {
        guard kernel != nil else { return }
        kernel = nil
        reader = RequestReader()
        device.reset()
        onChange(.ended(error))
    }
}

/// Reads requests from a kernel's connection, without waiting.
struct RequestReader {
    /// The result of one read.
    enum Outcome {
        case request(VhostRequest.Header, payload: [UInt8], descriptors: [Descriptor])
        /// A request is not complete yet.
        case nothing
        /// The kernel disconnected.
        case end
    }

    private var bytes: [UInt8] = []
    private var descriptors: [Descriptor] = []

    /// Reads more of a header or of its payload. Descriptors come with the header.
    mutating func read(from socket: Descriptor) throws -> Outcome {
        var header = bytes.count < VhostRequest.Header.size ? nil : try VhostRequest.Header(bytes)
        let whole = VhostRequest.Header.size + (header?.payloadSize ?? 0)
        if bytes.count < whole {
            let part: (bytes: [UInt8], descriptors: [Descriptor])
            do throws(SystemError) { part = try UnixSocket.receive(upTo: whole - bytes.count, from: socket) } catch {
                switch error.code {
                case EAGAIN: return .nothing
                case ECONNRESET: return .end
                default: throw error
                }
            }
            if part.bytes.isEmpty { return .end }
            bytes += part.bytes
            descriptors += part.descriptors
            guard descriptors.count <= 8 else { throw DeviceError("it sends too many descriptors") }
            if header == nil, bytes.count == VhostRequest.Header.size {
                header = try VhostRequest.Header(bytes)
                if header?.payloadSize != 0 { return try read(from: socket) }
            }
        }
        guard let header, bytes.count == VhostRequest.Header.size + header.payloadSize else { return .nothing }
        defer { (bytes, descriptors) = ([], []) }
        return .request(header, payload: Array(bytes.dropFirst(VhostRequest.Header.size)), descriptors: descriptors)
    }
}
