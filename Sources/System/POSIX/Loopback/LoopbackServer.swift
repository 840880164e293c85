import Glibc
import Synchronization

/// Serves a page to browsers on this machine: only on a port of 127.0.0.1, and only to requests that ``LoopbackGate``
/// accepts. It ends with ``close()``.
package final class LoopbackServer: Sendable {
    /// The answer to a request.
    package enum Answer: Sendable {
        case whole(HTTPResponse)
        /// A streamed answer of this media type. It ends when the function returns. The function runs on its own
        /// thread, and must return when ``Stream/send(_:)`` throws.
        case stream(String, @Sendable (Stream) -> Void)
    }

    /// A streamed answer.
    package struct Stream: Sendable {
        fileprivate let connection: Descriptor

        /// Sends some bytes.
        ///
        /// - Throws: ``SystemError`` if the browser is gone, or the server closes.
        package func send(_ bytes: [UInt8]) throws(SystemError) { try connection.write(bytes) }
    }

    /// A connection, and whether it may be closed to make room: its request is incomplete, or it has its answer.
    private struct Guest {
        let connection: Descriptor
        /// Counts the connections.
        let number: Int
        var isWaiting = true
    }

    /// The most connections at once. A browser opens six.
    private static let most = 64
    /// How long a connection may be silent before its request is complete, and how long it may read nothing, in
    /// seconds.
    private static let patience = 20
    /// The path that browsers request automatically, without the token.
    private static let iconPath = ["favicon.ico"]

    package let gate: LoopbackGate
    private let listener: LoopbackPort
    private let icon: [UInt8]
    private let answer: @Sendable (HTTPRequest, [String]) -> Answer
    private let guests = Mutex<(all: [Int32: Guest], last: Int)>(([:], 0))

    /// Opens a port and begins to serve.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - icon: The icon of the page, as SVG. Browsers request it automatically, and report an error if it is missing.
    ///   - answer: Called with each request and its path after the token, on a separate thread.
    package init(
        port: UInt16 = 0, token: String = LoopbackGate.newToken(), icon: [UInt8],
        answer: @escaping @Sendable (HTTPRequest, [String]) -> Answer
    ) throws(SystemError) {
        let listener = try LoopbackPort(port, backlog: 64)
        self.listener = listener
        self.icon = icon
        self.answer = answer
        gate = LoopbackGate(port: listener.number, token: token)
        startThread(named: "loopback") { [weak self] in
            // Until the port is closed, or the process has run out of resources.
            while let connection = try? listener.accept() {
                guard let self else { return }
                self.serve(connection)
            }
        }
    }

    deinit { close() }

    /// Ends the server and all of its connections.
    package func close() {
        listener.close()
        let all = guests.withLock { guests in
            defer { guests.all = [:] }
            return Array(guests.all.values)
        }
        for guest in all { guest.connection.shutDown() }
    }

    /// Makes room for a connection: anybody on this machine may open many and send nothing. The oldest of those is
    /// closed.
    ///
    /// - Returns: Whether there is room; false if all connections are being answered.
    private func admit(_ connection: Descriptor) -> Bool {
        guests.withLock { guests in
            if guests.all.count >= LoopbackServer.most {
                let oldest = guests.all.filter { $0.value.isWaiting }.min { $0.value.number < $1.value.number }
                guard let oldest else { return false }
                oldest.value.connection.shutDown()
                guests.all[oldest.key] = nil
            }
            guests.last += 1
            guests.all[connection.raw] = Guest(connection: connection, number: guests.last)
            return true
        }
    }

    /// Notes whether a connection waits for its peer.
    private func mark(_ connection: Descriptor, isWaiting: Bool) {
        guests.withLock { $0.all[connection.raw]?.isWaiting = isWaiting }
    }

    /// Serves one connection on a separate thread.
    private func serve(_ connection: Descriptor) {
        let key = connection.raw
        guard admit(connection) else { return connection.close() }
        var limit = timeval(tv_sec: LoopbackServer.patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(key, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        startThread(named: "loopback") { [self] in
            respond(on: connection)
            mark(connection, isWaiting: true)
            // A browser that still sends would get a reset instead of the answer, so its bytes are read to the end
            // first.
            _ = shutdown(connection.raw, Int32(SHUT_WR))
            var rest = HTTPRequestReader.longestBody
            while rest > 0, let more = try? connection.read(), !more.isEmpty { rest -= more.count }
            guests.withLock { guests in
                // It may have been closed to make room, and its number may belong to another one.
                if guests.all[key]?.connection === connection { guests.all[key] = nil }
            }
            connection.close()
        }
    }

    private func respond(on connection: Descriptor) {
        var reader = HTTPRequestReader()
        let end = ContinuousClock.now + .seconds(LoopbackServer.patience)
        do {
            while true {
                let bytes = try connection.read()
                // A peer that sends a byte now and then must not keep the connection for ever.
                if bytes.isEmpty || ContinuousClock.now > end { return }
                guard let request = try reader.take(bytes) else { continue }
                mark(connection, isWaiting: false)
                if request.method == "GET", request.path == LoopbackServer.iconPath {
                    return try connection.write(HTTPResponse(200, "image/svg+xml", icon).bytes)
                }
                switch gate.judge(request) {
                case .failure(let refused): try connection.write(HTTPResponse.told(refused.status).bytes)
                case .success(let path):
                    switch answer(request, path) {
                    case .whole(let response): try connection.write(response.bytes)
                    case .stream(let type, let body):
                        try connection.write(HTTPResponse.head(200, type, length: nil))
                        body(Stream(connection: connection))
                    }
                }
                return
            }
        } catch let refusal as HTTPRequest.Refusal {
            try? connection.write(HTTPResponse.told(refusal.rawValue).bytes)
        } catch {}
    }
}
