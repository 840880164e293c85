import BoardProtocol
import DieProtocol
import FoundationEssentials

/// The relay of the die's maker; ``DieProtocol/DieRelay`` describes it.
///
/// It passes on sealed messages without opening them. It stores no message, and logs only sizes.
package struct DieRelayService: InternetService {
    private var readers: [Int: DieRelay.Reader] = [:]
    /// The connection of the die for each mailbox.
    private var dies: [UUID: Int] = [:]
    /// The mailbox that an app has posted to, by the app's connection. Only the die at this mailbox may answer.
    private var apps: [Int: UUID] = [:]

    package init() {}

    package var port: UInt16 { DieRelay.port }

    package func isUnfinished(_ connection: Int) -> Bool { (readers[connection]?.pendingByteCount ?? 0) > 0 }

    package mutating func opened(_ connection: Int) { readers[connection] = DieRelay.Reader() }

    package mutating func closed(_ connection: Int) {
        readers[connection] = nil
        apps[connection] = nil
        dies = dies.filter { $0.value != connection }
    }

    package mutating func received(_ bytes: Data, from connection: Int) -> [InternetAction] {
        guard var reader = readers[connection] else { return [] }
        do throws(DieProtocolError) {
            let messages = try reader.push(bytes)
            readers[connection] = reader
            return messages.flatMap { take($0, from: connection) }
        } catch { return hangUp(connection, "\(error)") }
    }

    private mutating func hangUp(_ connection: Int, _ why: String) -> [InternetAction] {
        closed(connection)
        return [.hangUp(connection, why: why)]
    }

    private mutating func take(_ message: DieRelay.Message, from connection: Int) -> [InternetAction] {
        // An earlier message in the same bytes may have ended the connection.
        guard readers[connection] != nil else { return [] }
        switch message {
        case .attend(let mailbox):
            dies = dies.filter { $0.value != connection }
            dies[mailbox] = connection
            return note(connection, "a die attends \(name(mailbox))")
                + send(.attended(mailbox: mailbox), to: connection)
        case .post(let mailbox, let token, let message):
            apps[connection] = mailbox
            guard let die = dies[mailbox] else {
                return note(connection, "\(message.count) bytes for \(name(mailbox)), which is not attended")
                    + send(.absent, to: connection)
            }
            return note(connection, "\(message.count) bytes for \(name(mailbox)), to connection \(die)")
                + send(.posted(app: UInt32(connection), token: token, message), to: die)
        case .answer(let app, let message):
            guard let mailbox = apps[Int(app)], dies[mailbox] == connection else {
                return note(connection, "an answer of \(message.count) bytes to an app that is not connected")
            }
            return note(connection, "an answer of \(message.count) bytes, to connection \(app)")
                + send(.answered(message), to: Int(app))
        case .push(let token, let session, let sealed):
            guard dies.values.contains(connection) else {
                return hangUp(connection, "a push from a peer that is not a die")
            }
            guard sealed.count <= DieRelay.maximumPushLength, let push = AccessoryPush(session: session, sealed: sealed)
            else { return note(connection, "a push of \(sealed.count) bytes is refused") }
            return note(connection, "a push of \(sealed.count) bytes for \(logName(ofToken: token))")
                + [.push(push, token: token)]
        case .attended, .posted, .answered, .absent:
            return hangUp(connection, "a message that only the relay sends")
        }
    }

    private func send(_ message: DieRelay.Message, to connection: Int) -> [InternetAction] {
        // All parts came in a message with the same limits.
        guard let bytes = try? DieRelay.frame(message) else { return [.note("a message could not be passed on")] }
        return [.send(bytes, to: connection)]
    }

    private func note(_ connection: Int, _ text: String) -> [InternetAction] {
        [.note("connection \(connection): \(text)")]
    }

    /// A name for a mailbox in the log: enough to distinguish mailboxes, but too little to use one.
    private func name(_ mailbox: UUID) -> String { "mailbox \(mailbox.uuidString.prefix(8))…" }
}
