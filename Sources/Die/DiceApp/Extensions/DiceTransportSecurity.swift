import AccessoryTransportExtension
import DieProtocol

/// Exchanges keys with the die: its public key to the phone, the phone's encapsulated key to the die.
package struct DiceTransportSecurity: AccessoryTransportSecurity {
    package init() {}

    @AppExtensionPoint.Bind
    package static var boundExtensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-transport-security")
    }

    package func accept(sessionRequest: AccessorySecuritySession.Request) -> AccessorySecuritySession.Request.Decision {
        sessionRequest.accept { KeyExchange(session: sessionRequest.session) }
    }
}

/// The key exchanges of one session.
///
/// `@unchecked Sendable`: the channel is set by the initializer only, all other state is changed on the channel's
/// queue.
private final class KeyExchange: AccessorySecuritySession.EventHandler, @unchecked Sendable {
    private typealias Completion = @Sendable (AccessoryMessage.Result) -> Void

    /// How long the die may take to answer a request or an encapsulated key.
    private static let answerLimit = DispatchTimeInterval.seconds(5)
    /// How many exchanges in a row may fail before the session is cancelled.
    private static let exchangeTries = 3

    private let session: AccessorySecuritySession
    private var channel: DieMessageChannel?
    private var peripheral: UUID?
    private var isOver = false
    private var hasKeys = false
    /// The suite of a key request that the die has not answered yet.
    private var asked: KeyExchangeMessage.CipherSuite?
    private var requestCount = 0
    /// How many exchanges in a row the die has refused or not answered.
    private var failures = 0
    private var pending: (number: Int, completion: Completion)?
    private var answerCount = 0

    init(session: AccessorySecuritySession) {
        self.session = session
        channel = DieMessageChannel(DieGATT.security) { [weak self] event in self?.take(event) }
        channel?.start()
    }

    // MARK: The phone

    func messageReceived(
        _ message: SecurityMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
    ) {
        guard message.keyType == .encapsulatedKey, let channel else { return completion(.success) }
        channel.queue.async { [self] in
            guard let identifier = message.identifier ?? peripheral?.uuidString else {
                return completion(.failure(.transportFailed))
            }
            finish(.failure(.transportFailed))
            answerCount += 1
            pending = (answerCount, completion)
            send(
                .encapsulatedKey(
                    message.cipherSuite == .p256 ? .p256 : .xWing, .version1, identifier: identifier, key: message.key))
            channel.queue.asyncAfter(deadline: .now() + Self.answerLimit) { [weak self, number = answerCount] in
                if self?.pending?.number == number { self?.finish(.failure(.transportFailed)) }
            }
        }
    }

    func sessionInvalidated(error: AccessorySecuritySession.Error?) {
        channel?.queue.async { [self] in
            isOver = true
            asked = nil
        }
        // Without an error, the person has withdrawn the permission. The die must then clear its screen.
        channel?.close(saying: error == nil ? try? KeyExchangeMessage.end.encoded() : nil)
    }

    // MARK: The die

    private func take(_ event: ChannelEvent) {
        guard !isOver else { return }
        switch event {
        case .opened(let identifier):
            peripheral = identifier
            if !hasKeys { requestKey() }
        case .lost, .unavailable:
            asked = nil
            finish(.failure(.transportFailed))
        case .message(let bytes):
            do { take(try KeyExchangeMessage(decoding: bytes)) } catch {
                session.cancel(error: ExchangeFailure("the die's message is unreadable: \(error)"))
            }
        }
    }

    private func take(_ message: KeyExchangeMessage) {
        switch message {
        case .publicKey(let suite, .version1, let transports, let identifier, let key):
            hasKeys = false
            asked = nil
            let message = SecurityMessage(
                keyType: .publicKey, cipherSuite: suite == .p256 ? .p256 : .xWing, version: .version1, key: key,
                supportedTransports: [AccessoryTransport](transports), identifier: identifier)
            do { try session.sendSecurityMessage(message) } catch { session.cancel(error: error) }
        case .result(.keysReady):
            hasKeys = true
            failures = 0
            finish(.success)
        case .result(.unsupportedSuite) where asked == .xWing:
            requestKey(.p256)
        case .result(let outcome):
            // The die was bonded again, has restarted, or received something other than was sent. This answer is void,
            // and a new exchange starts.
            finish(.failure(.transportUnavailable))
            let isHopeless = outcome == .unsupportedSuite
            tryAgain(.xWing, isHopeless: isHopeless, after: "the die refused the key exchange: \(outcome)")
        case .keyRequest, .encapsulatedKey, .end:
            break
        }
    }

    /// Asks for a key. X-Wing is tried first, then P-256 if the die does not support X-Wing.
    private func requestKey(_ suite: KeyExchangeMessage.CipherSuite = .xWing) {
        guard let peripheral else { return }
        asked = suite
        send(.keyRequest(suite, .version1, identifier: peripheral.uuidString))
        requestCount += 1
        channel?.queue.asyncAfter(deadline: .now() + Self.answerLimit) { [weak self, number = requestCount] in
            guard let self, asked == suite, requestCount == number else { return }
            tryAgain(suite, after: "the die did not answer a request for its public key")
        }
    }

    private func tryAgain(
        _ suite: KeyExchangeMessage.CipherSuite, isHopeless: Bool = false, after why: String
    ) {
        failures += 1
        guard !isHopeless, failures < Self.exchangeTries else {
            return session.cancel(error: ExchangeFailure("\(why), \(failures) in a row"))
        }
        requestKey(suite)
    }

    private func send(_ message: KeyExchangeMessage) {
        do { try channel?.send(message.encoded()) } catch { finish(.failure(.transportFailed)) }
    }

    private func finish(_ result: AccessoryMessage.Result) {
        pending?.completion(result)
        pending = nil
    }
}

/// Why the key exchange failed.
private struct ExchangeFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension [AccessoryTransport] {
    fileprivate init(_ transports: KeyExchangeMessage.Transports) {
        self = []
        if transports.contains(.bluetooth) { append(.bluetooth) }
        if transports.contains(.localNetwork) { append(.localNetwork) }
        if transports.contains(.internet) { append(.internet) }
    }
}
