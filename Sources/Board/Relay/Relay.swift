import BoardProtocol
import DieProtocol
import FoundationEssentials
import Framing

/// What stands in for the internet: the relay of the die's maker, and the push service that it gives the die's messages to.
///
/// Bytes in, bytes out: whoever has the sockets hands on what came and sends what comes back. It sees what is sealed, opens
/// nothing, and keeps only pushes, for phones that are away; what it notes are sizes. See ``DieProtocol/DieRelay`` and
/// ``BoardProtocol/PushMessage``.
public struct Relay: Sendable {
    /// What a peer connected to.
    public enum Service: Sendable, Hashable {
        /// ``DieProtocol/DieRelay``: dies and companion apps.
        case messages
        /// ``BoardProtocol/PushMessage``: phones.
        case push
    }

    /// What is to be done.
    public enum Output: Sendable, Equatable {
        case send(Data, to: Int)
        /// Hang up; ``closed(_:)`` is not to be called for it.
        case close(Int)
        /// For the log.
        case note(String)
    }

    /// How many peers there may be at once; one more is hung up on.
    public static let connectionLimit = 32

    private enum Peer {
        case messages(DieRelay.Reader)
        case push(FrameReader)
    }

    private var peers: [Int: Peer] = [:]
    private var lastConnection = 0
    /// The connection of the die that attends a mailbox.
    private var dies: [UUID: Int] = [:]
    /// The mailbox that an app posts to, by its connection: the die there may answer it, and no other.
    private var apps: [Int: UUID] = [:]
    private var pushes = PushMailboxes()

    public init() {}

    /// How many pushes wait for phones.
    public var waitingPushCount: Int { pushes.count }

    /// Whether a peer has sent a part of a message, and owes the rest.
    public func isUnfinished(_ connection: Int) -> Bool {
        switch peers[connection] {
        case .messages(let reader): reader.pendingByteCount > 0
        case .push(let reader): reader.pendingCount > 0
        case nil: false
        }
    }

    // MARK: What peers do

    /// A peer connected.
    ///
    /// - Returns: The connection's number; nil where there are too many.
    public mutating func opened(_ service: Service) -> Int? {
        guard peers.count < Self.connectionLimit else { return nil }
        // The number travels in 4 bytes.
        repeat {
            lastConnection = lastConnection == Int(UInt32.max) ? 1 : lastConnection + 1
        } while peers[
            lastConnection] != nil
        peers[lastConnection] =
            switch service {
            case .messages: .messages(DieRelay.Reader())
            case .push: .push(FrameReader(limit: PushService.maximumPayload))
            }
        return lastConnection
    }

    /// A peer is gone.
    public mutating func closed(_ connection: Int) {
        peers[connection] = nil
        apps[connection] = nil
        dies = dies.filter { $0.value != connection }
        pushes.closed(connection)
    }

    /// Bytes came from a peer.
    public mutating func received(_ bytes: Data, from connection: Int) -> [Output] {
        switch peers[connection] {
        case .messages(var reader):
            do throws(DieProtocolError) {
                let messages = try reader.push(bytes)
                peers[connection] = .messages(reader)
                return messages.flatMap { take($0, from: connection) }
            } catch { return hangUp(connection, "\(error)") }
        case .push(var reader):
            var outputs: [Output] = []
            for item in reader.push(bytes) {
                guard case .frame(let frame) = item, let message = PushMessage(frame) else {
                    return outputs + hangUp(connection, "no message of the push service")
                }
                outputs += take(message, from: connection)
            }
            if peers[connection] != nil { peers[connection] = .push(reader) }
            return outputs
        case nil: return []
        }
    }

    private mutating func hangUp(_ connection: Int, _ why: String) -> [Output] {
        closed(connection)
        return [.note("connection \(connection): hung up: \(why)"), .close(connection)]
    }

    // MARK: Dies and apps

    private mutating func take(_ message: DieRelay.Message, from connection: Int) -> [Output] {
        // Hung up on by what came before.
        guard peers[connection] != nil else { return [] }
        switch message {
        case .attend(let mailbox):
            dies = dies.filter { $0.value != connection }
            dies[mailbox] = connection
            return note(connection, "a die attends \(name(mailbox))")
                + send(.attended(mailbox: mailbox), to: connection)
        case .post(let mailbox, let token, let message):
            apps[connection] = mailbox
            guard let die = dies[mailbox] else {
                return note(connection, "\(message.count) bytes for \(name(mailbox)), which nobody attends")
                    + send(.absent, to: connection)
            }
            return note(connection, "\(message.count) bytes for \(name(mailbox)), to connection \(die)")
                + send(.posted(app: UInt32(connection), token: token, message), to: die)
        case .answer(let app, let message):
            guard let mailbox = apps[Int(app)], dies[mailbox] == connection else {
                return note(connection, "an answer of \(message.count) bytes to nobody that is there")
            }
            return note(connection, "an answer of \(message.count) bytes, to connection \(app)")
                + send(.answered(message), to: Int(app))
        case .push(let token, let session, let sealed):
            guard dies.values.contains(connection) else { return hangUp(connection, "a push of no die") }
            guard sealed.count <= DieRelay.maximumPushLength, let push = AccessoryPush(session: session, sealed: sealed)
            else { return note(connection, "a push of \(sealed.count) bytes is refused") }
            return note(connection, "a push of \(sealed.count) bytes for \(name(token))")
                + pushes.add(push.body, for: token)
        case .attended, .posted, .answered, .absent:
            return hangUp(connection, "a message that only the relay sends")
        }
    }

    private func send(_ message: DieRelay.Message, to connection: Int) -> [Output] {
        // Each part came in a message of the same limits.
        guard let bytes = try? DieRelay.frame(message) else { return [.note("a message could not be handed on")] }
        return [.send(bytes, to: connection)]
    }

    // MARK: Phones

    private mutating func take(_ message: PushMessage, from connection: Int) -> [Output] {
        guard peers[connection] != nil else { return [] }
        switch message {
        case .register(let token):
            guard let outputs = pushes.register(token, connection) else {
                return hangUp(connection, "more tokens than are kept")
            }
            return note(connection, "a phone takes what comes for \(name(token))") + outputs
        case .taken(let number):
            pushes.taken(number, by: connection)
            return note(connection, "push \(number) was taken")
        case .push: return hangUp(connection, "a message that only the push service sends")
        }
    }

    // MARK: The log

    private func note(_ connection: Int, _ text: String) -> [Output] { [.note("connection \(connection): \(text)")] }

    /// Enough to tell one from another, and no more: who knows it whole can use it.
    private func name(_ mailbox: UUID) -> String { "mailbox \(mailbox.uuidString.prefix(8))…" }

    private func name(_ token: Data) -> String {
        "token " + token.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "…"
    }
}
