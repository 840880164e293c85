import Foundation
import HILTiming

extension ForwardingSession {
    /// Accepts a sealed message of the accessory, from the transport extension or from the internet.
    ///
    /// - Throws: ``TransportPortError`` if the session has ended, if the message belongs to another session or is too
    ///   long, or if too many messages wait.
    nonisolated func receive(_ message: TransportMessage, over transport: AccessoryTransport) throws(TransportPortError)
    {
        guard !isOver else { throw .invalidated }
        let (policy, count) = (link.policy, message.data.count)
        guard message.sessionID == id else {
            throw refused(
                .unsupported("its session \(message.sessionID) is not this accessory's"), count)
        }
        guard count <= policy.accessoryMessageLimit + 36 else {
            throw refused(.unsupported("the limit is \(policy.accessoryMessageLimit) bytes"), count)
        }
        guard case .enqueued = incoming.yield(Incoming(data: message.data, transport: transport)) else {
            throw refused(.flooded("\(policy.accessoryMessageBacklog) others are waiting for decryption"), count)
        }
    }

    private nonisolated func refused(_ error: TransportPortError, _ count: Int) -> TransportPortError {
        switch error {
        case .invalidated: break
        case .unsupported(let why), .flooded(let why):
            record(.refused("a message of \(count) bytes from the accessory: \(why)"))
        }
        return error
    }

    /// Decrypts a message and hands it to the data provider. Drops a message that came before (S7).
    func open(_ message: Incoming) async {
        guard !isOver else { return }
        let what = "a message of \(message.data.count) bytes from the accessory"
        switch keys?.open(message.data, from: message.transport) {
        case .plaintext(let plaintext)?:
            unopenedCount = 0
            record(.received(byteCount: plaintext.count))
            let opened = AccessoryMessage {
                AccessoryMessage.Payload(transport: message.transport, data: plaintext)
            }
            guard (try? await waitForLaunch(of: .dataProvider)) != nil else { return }
            callProvider { $0.message(opened, inSession: id) }
            runs[.dataProvider]?.run.reached(.receive)
        case .repeated?:
            record(.refused("\(what) came before"))
        case .notOpened? where hasKeys:
            unopenedCount += 1
            await resynchronise("\(what) does not open")
        case .exhausted?:
            await resynchronise("\(what) exceeds the limit of messages that can be tracked")
        case .notOpened?, nil:
            record(.refused("\(what) arrived during a key exchange and does not open"))
        }
    }

    /// Forgets the keys, and starts a new exchange with a new session of the security extension (S5).
    ///
    /// From the second message in a row that does not open, there is a pause that doubles each time, so that a hostile
    /// accessory cannot keep the phone busy.
    func resynchronise(_ why: String) async {
        record(.refused("\(why); keys forgotten, exchange restarted"))
        keys = nil
        hasKeys = false
        // Its next session begins an exchange.
        guard !relaunching.contains(.security) else { return }
        forget(.security)
        securitySession.withLock { $0 += 1 }
        security.end { $0.invalidated(SessionReset()) }
        if unopenedCount > 1 {
            let pause = link.policy.notificationRetryPause * (1 << min(unopenedCount - 2, 16))
            try? await link.clock.sleep(for: min(pause, link.policy.keyExchangeLimit))
        }
        guard !isOver else { return }
        do { try await launch(.security) } catch { end("\(error)") }
    }
}

/// The error of a security session that ends because a message from the accessory cannot be decrypted.
struct SessionReset: Error, CustomStringConvertible {
    var description: String { "the accessory sent a message that does not open: new keys are exchanged" }
}
