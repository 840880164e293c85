import HILTiming

/// The transport of a TLS connection.
package protocol TLSTransport: Sendable {
    /// Sends bytes. Returns when the transport has taken all of them.
    ///
    /// - Parameter isLast: Whether this direction ends with these bytes.
    func send(_ bytes: [UInt8], isLast: Bool) async throws
    /// Waits for bytes. Returns none when the peer has ended its direction.
    func receive() async throws -> [UInt8]
}

/// A stream of bytes over TLS on a transport.
///
/// One task may send while another receives.
package final class TLSStream: Sendable {
    private let session: TLSSession
    private let transport: any TLSTransport
    /// Keeps encrypted bytes in order.
    private let gate = Gate()

    private init(_ session: TLSSession, over transport: any TLSTransport) {
        self.session = session
        self.transport = transport
    }

    /// Makes a connection over an open transport. Cancelling does not end it: close the transport.
    ///
    /// - Parameter trusts: Whether to trust a server that shows these certificates, in DER, its own first.
    /// - Throws: ``TLSFailure``, or an error of the transport.
    package static func open(
        _ role: TLSSession.Role, _ options: TLSSession.Options = TLSSession.Options(),
        over transport: any TLSTransport, trusting trusts: @Sendable ([[UInt8]], TLSSession) async -> Bool
    ) async throws -> TLSStream {
        let session = try TLSSession(role, options)
        let stream = TLSStream(session, over: transport)
        while true {
            let state: TLSSession.Handshake
            do { state = try session.shakeHands() } catch {
                // The alert gives the peer the reason.
                try? await stream.flush()
                throw error
            }
            try await stream.flush()
            switch state {
            case .done: return stream
            case .needsTrust(let chain): session.decide(isTrusted: await trusts(chain, session))
            case .needsInput:
                let bytes = try await transport.receive()
                guard !bytes.isEmpty else {
                    throw TLSFailure(.ended, "the TLS handshake: the peer has ended the connection")
                }
                session.input(bytes)
            }
        }
    }

    /// Accepts a connection over an open transport.
    ///
    /// - Throws: ``TLSFailure``, or an error of the transport.
    package static func accept(
        as identity: TLSIdentity, _ options: TLSSession.Options = TLSSession.Options(),
        over transport: any TLSTransport
    ) async throws -> TLSStream {
        try await open(.server(identity), options, over: transport) { _, _ in false }
    }

    /// Sends bytes.
    ///
    /// - Parameter isLast: Whether this direction ends with these bytes.
    package func send(_ bytes: some Sequence<UInt8> & Sendable, isLast: Bool = false) async throws {
        await gate.enter()
        defer { gate.leave() }
        try session.send(bytes)
        if isLast { session.end() }
        try await transport.send(session.output(), isLast: isLast)
    }

    /// Waits for bytes. Returns 1 to `limit` bytes, or none when the peer has ended its direction.
    ///
    /// A transport that closes without TLS's closing alert also counts as an end: many servers do that.
    package func receive(upTo limit: Int) async throws -> [UInt8] {
        while true {
            let received = try session.receive(upTo: limit)
            try await flush()
            switch received {
            case .bytes(let bytes): return bytes
            case .ended: return []
            case .needsInput:
                let bytes = try await transport.receive()
                guard !bytes.isEmpty else { return [] }
                session.input(bytes)
            }
        }
    }

    private func flush() async throws {
        await gate.enter()
        defer { gate.leave() }
        let bytes = session.output()
        if !bytes.isEmpty { try await transport.send(bytes, isLast: false) }
    }
}
