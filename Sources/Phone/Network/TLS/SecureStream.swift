import HILPhone
import HILTLS
import HostRadio
import Synchronization

/// A connection of the phone over which TLS is spoken.
struct SecureStream: RadioStream {
    /// The radio's stream as the transport of TLS.
    private struct Transport: TLSTransport {
        let stream: any RadioStream

        func send(_ bytes: [UInt8], isLast: Bool) async throws { try await stream.send(Data(bytes), isLast: isLast) }

        func receive() async throws -> [UInt8] { Array(try await stream.receive(upTo: 65_536)) }
    }

    /// The app's answer, which counts once. No answer means no.
    private final class Answer: Sendable {
        private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

        init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

        deinit { give(false) }

        func give(_ isTrusted: Bool) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(returning: isTrusted)
        }
    }

    private let stream: any RadioStream
    private let secure: TLSStream

    /// Speaks TLS over a stream. Closing that stream ends the attempt.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that the app wants to reach. The server gets its name, and must have it in its
    ///     certificate.
    ///   - app: The app, which may decide whether to trust the server.
    init(
        over stream: any RadioStream, _ options: sec_protocol_options.Values, to endpoint: NWEndpoint,
        for app: RunningApp,
        on phone: Phone
    ) async throws {
        let (name, address) = Self.names(of: endpoint)
        let serverName = options.serverName ?? name
        self.stream = stream
        secure = try await TLSStream.open(
            .client(serverName: serverName), options.options, over: Transport(stream: stream)
        ) { chain, session in
            let trust = SecTrust(chain, host: serverName ?? address)
            guard let verification = options.verification else { return trust.objection == nil }
            return await withCheckedContinuation { continuation in
                let answer = Answer(continuation)
                phone.deliver(to: app, on: verification.queue) {
                    verification.block(sec_protocol_metadata(session), sec_trust(trust)) { answer.give($0) }
                }
            }
        }
    }

    /// The name of a host, or else its address.
    private static func names(of endpoint: NWEndpoint) -> (name: String?, address: String?) {
        switch endpoint {
        case .hostPort(.name(let name, _), _): (name, nil)
        case .hostPort(.ipv4(let address), _): (nil, address.debugDescription)
        case .hostPort(.ipv6(let address), _): (nil, address.debugDescription)
        case .service: (nil, nil)
        }
    }

    func send(_ bytes: Data, isLast: Bool) async throws { try await secure.send(bytes, isLast: isLast) }

    func receive(upTo limit: Int) async throws -> Data { Data(try await secure.receive(upTo: limit)) }

    func close() { stream.close() }
}

extension NWError {
    /// The codes of Security for failures of TLS.
    ///
    /// Source: Apple's `Security/SecureTransport.h`. ACINQ/phoenix takes errSSLBadCert for a server that is not trusted;
    /// apple/swift-nio-transport-services#39 has the alert, and that the connection waits then.
    init(_ failure: TLSFailure) {
        // The header numbers the alerts of a peer in their order, from -9819 on.
        let alerts = [10, 20, 21, 22, 30, 40, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 60, 70, 71, 80, 90, 100]
        let codes: [Int32] = (0..<5).map { -9819 - $0 } + (0..<17).map { -9824 - $0 }
        switch failure.cause {
        case .untrusted: self = .tls(errSSLBadCert)
        case .ended: self = .tls(errSSLClosedNoNotify)
        case .violation: self = .tls(errSSLPeerProtocolVersion)
        case .alert(let number):
            self = .tls(zip(alerts, codes).first { $0.0 == number }?.1 ?? errSSLPeerHandshakeFail)
        }
    }
}
