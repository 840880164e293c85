import BoardProtocol
import Glibc
import HILPOSIX
import HILWiFi
import RadioModel

/// Asks many ports of a device, a few at a time.
struct PortProbe {
    /// How many ports are asked at a time.
    private static let width = 128

    let question: PortQuestion
    let namespace: NetworkNamespace?
    let interface: String

    /// A port whose answer is awaited.
    private struct Asked {
        let port: UInt16
        let socket: Descriptor
        let deadline: ContinuousClock.Instant
    }

    /// What came from a port.
    private enum Reply {
        case accepted, refused, silence

        /// - Parameter error: Of the socket. Without a way to the device, nothing comes from it.
        init(_ error: Int32) {
            switch error {
            case 0: self = .accepted
            case ECONNREFUSED, ECONNRESET: self = .refused
            default: self = .silence
            }
        }
    }

    /// Asks all ports. It blocks its thread.
    func run() throws -> PortAnswers {
        var waiting = question.ports.flatMap { Array($0) }[...]
        var asked: [Asked] = []
        var answers = PortAnswers()
        while !waiting.isEmpty || !asked.isEmpty {
            while asked.count < Self.width, let port = waiting.popFirst() {
                if let new = try ask(port) { asked.append(new) } else { answers.refused += 1 }
            }
            for (place, reply) in try wait(for: asked).reversed() {
                let port = asked.remove(at: place).port
                switch reply {
                case .accepted: answers.open.append(port)
                case .refused: answers.refused += 1
                case .silence: answers.silent.append(port)
                }
            }
        }
        answers.open.sort()
        answers.silent.sort()
        return answers
    }

    /// - Returns: Nil if the port has refused at once.
    private func ask(_ port: UInt16) throws -> Asked? {
        let isTCP = question.transport == .tcp
        let socket = try namespace.run {
            isTCP ? try TCPSocket.make(in: nil) : try UDPSocket.make(over: nil)
        }
        try bind(socket, to: interface)
        if isTCP { socket.resetsAtClose() }
        do throws(SystemError) {
            let peer = try internetAddress(question.address, port: port)
            try withAddress(peer) { address, length throws(SystemError) in
                _ = try valueOrErrno("connect", "asking port \(port)") { connect(socket.raw, address, length) }
            }
            if !isTCP { try valueOrErrno("send", "asking port \(port)") { send(socket.raw, [0], 1, 0) } }
        } catch {
            if error.code == ECONNREFUSED { return nil }
            guard error.code == EINPROGRESS else { throw error }
        }
        return Asked(
            port: port, socket: socket, deadline: .now + .milliseconds(question.milliseconds))
    }

    /// Waits until one of the ports has answered, or one has had its time.
    ///
    /// - Returns: The places of those whose reply is known, in order.
    private func wait(for asked: [Asked]) throws(SystemError) -> [(place: Int, reply: Reply)] {
        guard let first = asked.map(\.deadline).min() else { return [] }
        let events = Int16(question.transport == .tcp ? POLLOUT : POLLIN)
        var places = asked.map { pollfd(fd: $0.socket.raw, events: events, revents: 0) }
        let rest = ContinuousClock.now.duration(to: first)
        let milliseconds = Int32(
            clamping: rest.components.seconds * 1000 + rest.components.attoseconds / 1_000_000_000_000_000)
        try valueOrErrno("poll", "waiting for ports") { poll(&places, nfds_t(places.count), max(0, milliseconds + 1)) }
        let now = ContinuousClock.now
        return zip(asked, places).enumerated().compactMap { place, one in
            let (port, state) = one
            guard state.revents == 0 else { return (place, Reply(port.socket.pendingError)) }
            return port.deadline <= now ? (place, .silence) : nil
        }
    }
}

extension StationBoard {
    /// Asks ports of a device in the joined network.
    func ask(_ question: PortQuestion) async throws -> PortAnswers {
        let probe = PortProbe(question: question, namespace: namespace, interface: try joinedInterface())
        return try await withCheckedThrowingContinuation { continuation in
            startThread(named: "ports") { continuation.resume(with: Result { try probe.run() }) }
        }
    }
}

extension Descriptor {
    /// The error of the last operation that did not wait; 0 for none. Reading it clears it.
    fileprivate var pendingError: Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &size)
        return code
    }

    /// Ends a TCP connection by a reset, so that nothing of it stays.
    fileprivate func resetsAtClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(raw, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
