import Foundation
import Timing

extension ForwardingSession {
    /// Takes a message of the accessory's, still sealed: from the transport extension, or from the internet.
    nonisolated func receive(_ message: SealedMessage, over transport: ForwardingTransport) throws(TransportPortError) {
        guard !isOver else { throw .invalidated }
        let (policy, count) = (link.policy, message.data.count)
        guard message.sessionID == id else {
            throw refused(
                .unsupported("it names the session \(message.sessionID), which is not this accessory's"), count)
        }
        guard count <= policy.accessoryMessageLimit + 36 else {
            throw refused(.unsupported("more than \(policy.accessoryMessageLimit) bytes are not taken"), count)
        }
        guard case .enqueued = incoming.yield(Incoming(data: message.data, transport: transport)) else {
            throw refused(.flooded("\(policy.accessoryMessageBacklog) others wait to be opened"), count)
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

    /// Opens a message and hands it to the data provider; one that came before is dropped (S7).
    func open(_ message: Incoming) async {
        guard !isOver else { return }
        let what = "a message of \(message.data.count) bytes from the accessory"
        switch keys?.open(message.data, from: message.transport) {
        case .plaintext(let plaintext)?:
            unopenedCount = 0
            record(.received(byteCount: plaintext.count))
            let opened = ForwardingMessage {
                ForwardingMessage.Payload(transport: message.transport, data: plaintext)
            }
            link.run { for provider in providers { provider.message(opened) } }
        case .repeated?:
            record(.refused("\(what) came before"))
        case .notOpened? where hasKeys:
            unopenedCount += 1
            await resynchronise("\(what) does not open")
        case .exhausted?:
            await resynchronise("\(what) is one more than can be remembered")
        case .notOpened?, nil:
            record(.refused("\(what) came while keys are exchanged, and does not open"))
        }
    }

    /// Forgets the keys and has new ones exchanged, by a new session of the security extension (S5).
    ///
    /// The pause before it doubles with every message in a row that does not open, from the second on, so that a hostile
    /// accessory does not keep the phone busy.
    func resynchronise(_ why: String) async {
        record(.refused("\(why); keys forgotten, exchange restarted"))
        keys = nil
        hasKeys = false
        securitySession.withLock { $0 += 1 }
        security.end { $0.invalidated(SessionReset()) }
        if unopenedCount > 1 {
            let pause = link.policy.notificationRetryPause * (1 << min(unopenedCount - 2, 16))
            try? await link.clock.sleep(for: min(pause, link.policy.keyExchangeLimit))
        }
        guard !isOver else { return }
        do { try await launchSecurity() } catch { end("\(error)") }
    }
}

/// Why a security session ends whose keys do not open what the accessory sends.
struct SessionReset: Error, CustomStringConvertible {
    var description: String { "the accessory sent a message that does not open: keys are exchanged anew" }
}
