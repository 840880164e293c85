import Glibc
import HILCSSL
import Synchronization

/// One side of a TLS connection without its transport: it takes the bytes of the peer, and returns the bytes to send.
///
/// TLS itself is OpenSSL's. All calls return at once.
package final class TLSSession: Sendable {
    /// The role of one side of a connection.
    package enum Role: Sendable {
        /// Connects, and decides whether to trust the peer.
        ///
        /// - Parameter serverName: The name that is sent to the server; nil for none.
        case client(serverName: String?)
        /// Accepts, and presents its certificate.
        case server(TLSIdentity)
    }

    /// Limits of the connection, and the protocols that may be spoken over it.
    package struct Options: Sendable, Equatable {
        /// The lowest version.
        package var minimum = TLSVersion.v1_2
        /// The highest version.
        package var maximum = TLSVersion.v1_3
        /// The names of protocols, of 1 to 255 bytes each, in order of preference (ALPN, RFC 7301). A server takes its
        /// first one that the client also offers, and ends the handshake if there is no match. Empty to leave the
        /// protocol open.
        package var applicationProtocols: [String] = []

        package init() {}
    }

    /// The next step of the handshake.
    package enum Handshake: Sendable, Equatable {
        /// It is over: data can be sent and received.
        case done
        /// The peer has to send more.
        case needsInput
        /// ``decide(isTrusted:)`` must be called. The peer's certificates in DER, its own first.
        case needsTrust([[UInt8]])
    }

    /// What was received.
    package enum Received: Sendable, Equatable {
        case bytes([UInt8])
        /// The peer has to send more.
        case needsInput
        /// The peer has ended its direction as TLS requires.
        case ended
    }

    /// Data for OpenSSL's callback: the certificates that it saw, and the decision, once it is made.
    private final class Trust {
        var chain: [[UInt8]] = []
        var isTrusted: Bool?
    }

    /// OpenSSL's objects. Only one thread at a time may use them.
    private struct Engine: @unchecked Sendable {
        let context: OpaquePointer
        let session: OpaquePointer
        let input: OpaquePointer
        let output: OpaquePointer
        let trust: Trust
        let protocols: ApplicationProtocols
    }

    /// The largest piece that is taken from OpenSSL at once.
    private static let pieceSize = 16_384

    private let engine: Mutex<Engine>

    package init(_ role: Role, _ options: Options = Options()) throws(TLSFailure) {
        let action = "beginning TLS"
        guard let context = SSL_CTX_new(role.method) else { throw .last(while: action) }
        let protocols: ApplicationProtocols
        do { protocols = try ApplicationProtocols(options.applicationProtocols) } catch {
            SSL_CTX_free(context)
            throw error
        }
        guard let session = TLSSession.session(role, options, protocols, in: context) else {
            SSL_CTX_free(context)
            throw .last(while: action)
        }
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(session)
            SSL_CTX_free(context)
            throw .last(while: action)
        }
        SSL_set_bio(session, input, output)
        let trust = Trust()
        // The session ends before the objects whose addresses it holds.
        SSL_CTX_set_cert_verify_callback(
            context, TLSSession.verification, Unmanaged.passUnretained(trust).toOpaque())
        engine = Mutex(
            Engine(
                context: context, session: session, input: input, output: output, trust: trust, protocols: protocols))
    }

    deinit {
        engine.withLock { engine in
            SSL_free(engine.session)
            SSL_CTX_free(engine.context)
        }
    }

    // MARK: Making a session

    /// - Returns: nil if OpenSSL refuses something.
    private static func session(
        _ role: Role, _ options: Options, _ protocols: ApplicationProtocols, in context: OpaquePointer
    ) -> OpaquePointer? {
        guard
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(options.minimum.rawValue), nil) == 1,
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(options.maximum.rawValue), nil) == 1,
            role.configure(context), let session = SSL_new(context)
        else { return nil }
        // OpenSSL has the digests of old versions only on its lowest level.
        if options.minimum.isOld { SSL_set_security_level(session, 0) }
        var isReady = role.prepare(session)
        switch role {
        case .client:
            // The callback decides; without this, OpenSSL would not call it in time.
            SSL_set_verify(session, SSL_VERIFY_PEER, nil)
            isReady = isReady && protocols.offer(in: session)
        case .server: protocols.choose(in: context)
        }
        guard isReady else {
            SSL_free(session)
            return nil
        }
        return session
    }

    /// Asks for a decision at the first call, and gives it at the second.
    private static let verification: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
        store, box in
        guard let store, let box else { return 0 }
        let trust = Unmanaged<Trust>.fromOpaque(box).takeUnretainedValue()
        if let isTrusted = trust.isTrusted {
            // OpenSSL turns it into the alert “certificate unknown”, which iPhones also send.
            X509_STORE_CTX_set_error(store, isTrusted ? X509_V_OK : X509_V_ERR_EXCLUDED_VIOLATION)
            return isTrusted ? 1 : 0
        }
        trust.chain = TLSCertificates.shown(in: store)
        guard let session = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()) else { return 0 }
        SSL_ctrl(OpaquePointer(session), SSL_CTRL_SET_RETRY_VERIFY, 0, nil)
        return 1
    }

    // MARK: Handshake

    /// Continues the handshake as far as possible. Then ``output()`` must be sent, also if this throws.
    package func shakeHands() throws(TLSFailure) -> Handshake {
        let result: Result<Handshake, TLSFailure> = engine.withLock { engine in
            ERR_clear_error()
            let code = SSL_do_handshake(engine.session)
            switch SSL_get_error(engine.session, code) {
            case SSL_ERROR_NONE: return .success(.done)
            case SSL_ERROR_WANT_READ: return .success(.needsInput)
            case SSL_ERROR_WANT_RETRY_VERIFY: return .success(.needsTrust(engine.trust.chain))
            default:
                let failure = TLSFailure.last(while: "the TLS handshake")
                return .failure(
                    engine.trust.isTrusted == false
                        ? TLSFailure(.untrusted, "the TLS handshake: the certificate is not trusted") : failure)
            }
        }
        return try result.get()
    }

    /// Sets whether the peer's certificates are trusted. Then ``shakeHands()`` must be called.
    package func decide(isTrusted: Bool) { engine.withLock { $0.trust.isTrusted = isTrusted } }

    /// The protocol that both sides agreed on; nil for none.
    package var applicationProtocol: String? {
        engine.withLock { engine in
            var (name, length): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
            SSL_get0_alpn_selected(engine.session, &name, &length)
            guard let name, length > 0 else { return nil }
            return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
        }
    }

    /// The version that both sides agreed on.
    package var version: TLSVersion {
        engine.withLock { TLSVersion(rawValue: UInt16(clamping: SSL_version($0.session))) }
    }

    // MARK: Data

    /// Takes bytes that the peer sent.
    package func input(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        engine.withLock { engine in _ = BIO_write(engine.input, bytes, Int32(clamping: bytes.count)) }
    }

    /// The bytes to send to the peer; each is returned once.
    package func output() -> [UInt8] {
        engine.withLock { engine in
            var all: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: Self.pieceSize)
            while case let count = BIO_read(engine.output, &piece, Int32(piece.count)), count > 0 {
                all += piece.prefix(Int(count))
            }
            return all
        }
    }

    /// Encrypts data for the peer.
    package func send(_ bytes: some Sequence<UInt8>) throws(TLSFailure) {
        let bytes = Array(bytes)
        guard !bytes.isEmpty else { return }
        let failure = engine.withLock { engine -> TLSFailure? in
            ERR_clear_error()
            var written = 0
            // The output takes everything, so that all of it is written at once.
            return SSL_write_ex(engine.session, bytes, bytes.count, &written) == 1
                ? nil : .last(while: "sending by TLS")
        }
        if let failure { throw failure }
    }

    /// Decrypts data of the peer. Afterwards ``output()`` may have something to send.
    package func receive(upTo limit: Int) throws(TLSFailure) -> Received {
        let result: Result<Received, TLSFailure> = engine.withLock { engine in
            ERR_clear_error()
            var (bytes, count) = ([UInt8](repeating: 0, count: min(limit, Self.pieceSize)), 0)
            let code = SSL_read_ex(engine.session, &bytes, bytes.count, &count)
            switch SSL_get_error(engine.session, code) {
            case SSL_ERROR_NONE: return .success(.bytes(Array(bytes.prefix(count))))
            case SSL_ERROR_WANT_READ: return .success(.needsInput)
            case SSL_ERROR_ZERO_RETURN: return .success(.ended)
            default: return .failure(.last(while: "receiving by TLS"))
            }
        }
        return try result.get()
    }

    /// Ends this side's direction.
    package func end() {
        engine.withLock { engine in
            ERR_clear_error()
            _ = SSL_shutdown(engine.session)
        }
    }
}

extension TLSSession.Role {
    fileprivate var method: OpaquePointer? {
        switch self {
        case .client: TLS_client_method()
        case .server: TLS_server_method()
        }
    }

    fileprivate func configure(_ context: OpaquePointer) -> Bool {
        guard case .server(let identity) = self else { return true }
        return identity.use(in: context)
    }

    fileprivate func prepare(_ session: OpaquePointer) -> Bool {
        switch self {
        case .client(let name):
            SSL_set_connect_state(session)
            guard let name else { return true }
            return name.withCString {
                SSL_ctrl(
                    session, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                    UnsafeMutableRawPointer(mutating: $0)) == 1
            }
        case .server:
            SSL_set_accept_state(session)
            return true
        }
    }
}
