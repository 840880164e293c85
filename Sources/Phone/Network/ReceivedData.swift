import RadioModel

/// The received data that the app has not asked for: a stream of bytes, or datagrams.
struct ReceivedData {
    /// The data of one receive.
    struct Part: Equatable {
        /// Nil at the end of a stream.
        var bytes: Data?
        /// Whether the stream has ended with it, or the datagram.
        var isComplete: Bool
        /// Whether the stream has ended with it.
        var isLast: Bool
    }

    private let transport: InternetTransport
    /// Over TCP one piece at most; over UDP each is a datagram, or the rest of one.
    private var pieces: [Data] = []
    private var hasEnded = false

    init(by transport: InternetTransport = .tcp) { self.transport = transport }

    /// Adds received data: some bytes or none, which ends a stream; or a datagram.
    mutating func add(_ bytes: Data) {
        if transport == .udp {
            pieces.append(bytes)
        } else if bytes.isEmpty {
            hasEnded = true
        } else {
            pieces = [(pieces.first ?? Data()) + bytes]
        }
    }

    /// Whether more may be received, if this many bytes are wanted.
    func hasRoom(for wanted: Int) -> Bool { !hasEnded && pieces.reduce(0) { $0 + max(1, $1.count) } < wanted }

    /// Takes the data for a receive; nil if it has to wait. A datagram does not wait for more bytes.
    mutating func take(atLeast minimum: Int, atMost maximum: Int) -> Part? {
        let first = pieces.first
        guard transport == .udp ? first != nil : (first?.count ?? 0) >= minimum || hasEnded else { return nil }
        let bytes = Data((first ?? Data()).prefix(maximum))
        let rest = Data((first ?? Data()).dropFirst(bytes.count))
        if first != nil { pieces.removeFirst() }
        if !rest.isEmpty { pieces.insert(rest, at: 0) }
        guard transport == .tcp else { return Part(bytes: bytes, isComplete: rest.isEmpty, isLast: false) }
        let isLast = hasEnded && rest.isEmpty
        return Part(bytes: bytes.isEmpty ? nil : bytes, isComplete: isLast, isLast: isLast)
    }
}
