import Foundation
import HILTLS
import HILTiming
import HostRadio
import Synchronization
import TestSupport
import Testing

@testable import HILPhone
@testable import Network

@Suite("NWConnection with TLS")
struct TLSConnectionTests {
    typealias Stand = NWConnectionTests.Stand

    /// The host's end of a connection as what carries TLS.
    final class Transport: TLSTransport {
        let stream: InMemoryStream
        let heard: EventLog<[UInt8]>
        let read = Mutex(0)

        init(_ stream: InMemoryStream) {
            let heard = EventLog<[UInt8]>()
            stream.onSend { bytes, isLast in
                if !bytes.isEmpty { heard.append(Array(bytes)) }
                if isLast { heard.append([]) }
            }
            (self.stream, self.heard) = (stream, heard)
        }

        func send(_ bytes: [UInt8], isLast: Bool) async throws {
            stream.deliver(Data(bytes))
            if isLast { stream.end() }
        }

        func receive() async throws -> [UInt8] {
            let position = read.withLock { $0 }
            let (bytes, next) = try await heard.first(
                from: position, within: Stand.limit, waitingFor: "bytes of the phone")
            read.withLock { $0 = next }
            return bytes
        }
    }

    /// A host that speaks TLS, and a connection to it.
    struct Secure {
        let identity: TLSIdentity
        let stand: Stand

        init() async throws {
            identity = try .selfSigned(for: "lamp.local")
            stand = try await Stand()
            try await stand.join()
        }

        func connection(_ options: NWProtocolTLS.Options) -> NWConnection {
            let parameters = NWParameters(tls: options)
            let connection = stand.phone.asCurrent { NWConnection(host: "192.0.2.1", port: 443, using: parameters) }
            connection.stateUpdateHandler = { [log = stand.log] in log.append(.state($0)) }
            connection.start(queue: stand.queue)
            return connection
        }

        func accept(_ options: TLSSession.Options = TLSSession.Options()) async throws -> TLSStream {
            try await TLSStream.accept(as: identity, options, over: Transport(stand.host()))
        }
    }

    /// Options of an app that trusts what `decide` says.
    private func options(
        _ decide: @escaping @Sendable (SecTrust, @escaping sec_protocol_verify_complete_t) -> Void
    ) -> NWProtocolTLS.Options {
        let options = NWProtocolTLS.Options()
        sec_protocol_options_set_verify_block(
            options.securityProtocolOptions,
            { _, trust, complete in decide(sec_trust_copy_ref(trust).takeRetainedValue(), complete) },
            DispatchQueue(label: "trust"))
        return options
    }

    @Test("An app that trusts the server's certificate talks with it, and both directions end", .covers("W12"))
    func talks() async throws {
        let secure = try await Secure()
        let certificate = secure.identity.certificate
        let connection = secure.connection(
            options { trust, complete in
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
                #expect(chain.map { SecCertificateCopyData($0) as Data } == [Data(certificate)])
                SecTrustSetAnchorCertificates(trust, chain as CFArray)
                SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "lamp.local" as CFString))
                complete(SecTrustEvaluateWithError(trust, nil))
            })
        let host = try await secure.accept()
        try await secure.stand.expect(.state(.preparing), .state(.ready))
        secure.stand.send(connection, "on?")
        #expect(try await host.receive(upTo: 100) == Array("on?".utf8))
        try await host.send("yes".utf8)
        secure.stand.receive(connection)
        try await secure.stand.wait(for: 4)
        try await host.send([], isLast: true)
        secure.stand.receive(connection)
        try await secure.stand.wait(for: 5)
        let received = secure.stand.log.events.suffix(2)
        #expect(received.first == .received(Data("yes".utf8), isComplete: false, nil))
        #expect(received.last == .received(nil, isComplete: true, nil))
        secure.stand.send(connection, nil, .finalMessage)
        #expect(try await host.receive(upTo: 100).isEmpty)
        connection.cancel()
    }

    @Test("A certificate that the app or the system does not trust lets the connection wait", .covers("W12"))
    func refuses() async throws {
        for isOwnDecision in [true, false] {
            let secure = try await Secure()
            let connection = secure.connection(isOwnDecision ? options { $1(false) } : NWProtocolTLS.Options())
            let told = await #expect(throws: TLSFailure.self) { _ = try await secure.accept() }
            // “certificate unknown”
            #expect(told?.cause == .alert(46))
            try await secure.stand.expect(.state(.preparing), .state(.waiting(.tls(errSSLBadCert))))
            connection.cancel()
        }
    }

    @Test("An app that forgets to answer has not trusted")
    func forgets() async throws {
        let secure = try await Secure()
        let connection = secure.connection(options { _, _ in })
        _ = try? await secure.accept()
        try await secure.stand.expect(.state(.preparing), .state(.waiting(.tls(errSSLBadCert))))
        connection.cancel()
    }

    @Test("A server that does not speak TLS, or says nothing and goes, is told apart")
    func nonsense() async throws {
        for (answer, code) in [
            ("HTTP/1.1 400 Bad Request\r\n\r\n", errSSLPeerProtocolVersion), ("", errSSLClosedNoNotify),
        ] {
            let secure = try await Secure()
            let connection = secure.connection(NWProtocolTLS.Options())
            let host = try await secure.stand.host()
            host.deliver(Data(answer.utf8))
            host.end()
            try await secure.stand.expect(.state(.preparing), .state(.waiting(.tls(code))))
            connection.cancel()
        }
    }

    @Test("A connection that is cancelled while a server is silent closes its stream")
    func silent() async throws {
        let secure = try await Secure()
        let connection = secure.connection(NWProtocolTLS.Options())
        let host = try await secure.stand.host()
        connection.cancel()
        try await secure.stand.expect(.state(.preparing), .state(.cancelled))
        #expect(host.isClosed)
    }

    @Test("An app asks for a version, and changes of the options afterwards do not count")
    func agreement() async throws {
        let secure = try await Secure()
        let agreed = EventLog<tls_protocol_version_t>()
        let options = NWProtocolTLS.Options()
        sec_protocol_options_set_max_tls_protocol_version(options.securityProtocolOptions, .TLSv12)
        sec_protocol_options_set_verify_block(
            options.securityProtocolOptions,
            { metadata, _, complete in
                agreed.append(sec_protocol_metadata_get_negotiated_tls_protocol_version(metadata))
                complete(true)
                // The second answer does not count.
                complete(false)
            }, DispatchQueue(label: "trust"))
        let connection = secure.connection(options)
        sec_protocol_options_set_max_tls_protocol_version(options.securityProtocolOptions, .TLSv13)
        _ = try await secure.accept()
        try await secure.stand.expect(.state(.preparing), .state(.ready))
        #expect(agreed.events == [.TLSv12])
        connection.cancel()
    }

    @Test("An app offers protocols, and is told the one that the server took; nil if it took none")
    func protocols() async throws {
        for (taken, expected) in [(["http/1.1"], "http/1.1"), ([], nil)] as [([String], String?)] {
            let secure = try await Secure()
            let agreed = EventLog<String?>()
            let options = NWProtocolTLS.Options()
            for name in ["h2", "http/1.1"] {
                sec_protocol_options_add_tls_application_protocol(options.securityProtocolOptions, name)
            }
            sec_protocol_options_set_verify_block(
                options.securityProtocolOptions,
                { metadata, _, complete in
                    let name = sec_protocol_metadata_copy_negotiated_protocol(metadata)
                    agreed.append(name.map { String(cString: $0) })
                    free(UnsafeMutablePointer(mutating: name))
                    complete(true)
                }, DispatchQueue(label: "trust"))
            let connection = secure.connection(options)
            var served = TLSSession.Options()
            served.applicationProtocols = taken
            _ = try await secure.accept(served)
            try await secure.stand.expect(.state(.preparing), .state(.ready))
            #expect(agreed.events == [expected])
            connection.cancel()
        }
    }

    @Test("A listener with TLS is refused, as the phone has no certificate")
    func listener() async throws {
        let stand = try await Stand()
        #expect(throws: NWError.posix(.EOPNOTSUPP)) {
            try stand.phone.asCurrent { _ = try NWListener(using: .tls) }
        }
    }

    @Test("Alerts of a server have the codes of Security")
    func codes() {
        func code(_ alert: Int) -> NWError { NWError(TLSFailure(.alert(alert), "")) }
        #expect(code(10) == .tls(-9819) && code(40) == .tls(-9824) && code(46) == .tls(-9829))
        #expect(code(70) == .tls(-9836) && code(100) == .tls(-9840) && code(250) == .tls(-9824))
    }
}
