import Testing

@testable import HILTLS

@Suite("TLS without a transport")
struct TLSSessionTests {
    /// Both sides of a connection, whose bytes are carried by hand.
    struct Pair {
        let identity: TLSIdentity
        let client: TLSSession
        let server: TLSSession

        init(
            _ options: TLSSession.Options = TLSSession.Options(),
            server serverOptions: TLSSession.Options = TLSSession.Options()
        ) throws {
            identity = try TLSIdentity.selfSigned(for: "lamp.local")
            client = try TLSSession(.client(serverName: "lamp.local"), options)
            server = try TLSSession(.server(identity), serverOptions)
        }

        /// Carries bytes until both sides are done.
        func connect(isTrusted: Bool = true) throws {
            var (clientIsDone, serverIsDone) = (false, false)
            while !clientIsDone || !serverIsDone {
                switch try client.shakeHands() {
                case .done: clientIsDone = true
                case .needsInput: break
                case .needsTrust(let chain):
                    #expect(chain == [identity.certificate])
                    client.decide(isTrusted: isTrusted)
                    continue
                }
                carry()
                serverIsDone = try server.shakeHands() == .done
                carry()
            }
        }

        func carry() {
            server.input(client.output())
            client.input(server.output())
        }
    }

    @Test("Both sides agree on TLS 1.3, and data goes both ways")
    func data() throws {
        let pair = try Pair()
        try pair.connect()
        #expect(pair.client.version == .v1_3)
        let sent = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try pair.client.send(sent)
        pair.client.end()
        pair.carry()
        var received: [UInt8] = []
        while case .bytes(let bytes) = try pair.server.receive(upTo: 5000) { received += bytes }
        #expect(received == sent)
        #expect(try pair.server.receive(upTo: 1) == .ended)
        try pair.server.send("bye".utf8)
        pair.carry()
        #expect(try pair.client.receive(upTo: 100) == .bytes(Array("bye".utf8)))
        #expect(try pair.client.receive(upTo: 100) == .needsInput)
    }

    @Test("Protocols are offered in the order of the app (ALPN), and a server that knows none is spoken to")
    func offersProtocols() throws {
        var options = TLSSession.Options()
        options.applicationProtocols = ["h2", "http/1.1"]
        // RFC 7301, section 3.1: the extension 16, its length, the length of the list, and each name after its length.
        let extensionBytes: [UInt8] = [0, 16, 0, 14, 0, 12, 2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8)
        for (options, isOffered) in [(options, true), (TLSSession.Options(), false)] {
            let client = try TLSSession(.client(serverName: nil), options)
            #expect(try client.shakeHands() == .needsInput)
            #expect(client.output().contains(extensionBytes) == isOffered)
        }
        let pair = try Pair(options)
        try pair.connect()
        #expect(pair.client.applicationProtocol == nil)
    }

    @Test("A server chooses the first of its protocols that is offered, whatever the client likes most")
    func choosesProtocol() throws {
        func options(_ protocols: String...) -> TLSSession.Options {
            var options = TLSSession.Options()
            options.applicationProtocols = protocols
            return options
        }
        let pair = try Pair(options("h2", "mqtt", "http/1.1"), server: options("coap", "http/1.1", "h2"))
        try pair.connect()
        #expect(pair.client.applicationProtocol == "http/1.1" && pair.server.applicationProtocol == "http/1.1")
        // A client that offers none leaves it to the server, which assumes its own.
        let silent = try Pair(server: options("h2"))
        try silent.connect()
        #expect(silent.client.applicationProtocol == nil)
        let strangers = try Pair(options("h2"), server: options("mqtt"))
        #expect(throws: TLSFailure.self) { try strangers.connect() }
        strangers.carry()
        // “no application protocol”
        let told = #expect(throws: TLSFailure.self) { try strangers.client.shakeHands() }
        #expect(told?.cause == .alert(120))
    }

    @Test("A protocol's name that is empty or too long is refused with its length", arguments: [0, 256])
    func refusesProtocol(length: Int) {
        var options = TLSSession.Options()
        options.applicationProtocols = ["h2", String(repeating: "x", count: length)]
        let told = #expect(throws: TLSFailure.self) { try TLSSession(.client(serverName: nil), options) }
        #expect(told?.description.contains("has \(length) bytes") == true)
    }

    @Test("A certificate that is not trusted ends the handshake on both sides, and the server hears of it")
    func untrusted() throws {
        let pair = try Pair()
        #expect(throws: TLSFailure.self) { try pair.connect(isTrusted: false) }
        let failure = #expect(throws: TLSFailure.self) { _ = try pair.client.shakeHands() }
        #expect(failure?.cause == .untrusted)
        pair.carry()
        let told = #expect(throws: TLSFailure.self) { _ = try pair.server.shakeHands() }
        guard case .alert? = told?.cause else { return #expect(Bool(false), "\(String(describing: told))") }
    }

    @Test("A client that is limited to TLS 1.2 speaks it, and one that is limited to 1.3 refuses a server of 1.2")
    func version() throws {
        var old = TLSSession.Options()
        (old.minimum, old.maximum) = (.v1_2, .v1_2)
        let pair = try Pair(old)
        try pair.connect()
        #expect(pair.client.version == .v1_2)

        var new = TLSSession.Options()
        new.minimum = .v1_3
        let client = try TLSSession(.client(serverName: nil), new)
        let server = try TLSSession(.server(pair.identity), old)
        #expect(try client.shakeHands() == .needsInput)
        server.input(client.output())
        #expect(throws: TLSFailure.self) { try server.shakeHands() }
        client.input(server.output())
        let failure = #expect(throws: TLSFailure.self) { try client.shakeHands() }
        // “protocol version”
        #expect(failure?.cause == .alert(70))
    }

    @Test(
        "What is not TLS is a violation, whatever it is", arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0\0"])
    func nonsense(_ text: String) throws {
        let client = try TLSSession(.client(serverName: nil))
        #expect(try client.shakeHands() == .needsInput)
        client.input(text.utf8)
        let failure = #expect(throws: TLSFailure.self) { _ = try client.shakeHands() }
        #expect(failure?.cause == .violation)
    }

    @Test("A certificate is trusted by its anchor and for its name alone")
    func trust() throws {
        let (own, other) = (
            try TLSIdentity.selfSigned(for: "lamp.local"), try TLSIdentity.selfSigned(for: "lamp.local")
        )
        func objection(_ anchors: [TLSIdentity], _ host: String?) -> String? {
            TLSCertificates.objection(to: [own.certificate], trusting: anchors.map(\.certificate), host: host)
        }
        #expect(objection([own], "lamp.local") == nil)
        #expect(objection([own], nil) == nil)
        #expect(objection([own], "die.local")?.contains("ostname mismatch") == true)
        #expect(objection([own], "192.0.2.1")?.contains("IP address mismatch") == true)
        #expect(objection([other], "lamp.local") != nil)
        #expect(objection([], nil)?.contains("self") == true)
        #expect(TLSCertificates.objection(to: [], trusting: [], host: nil) != nil)
        #expect(TLSCertificates.objection(to: [[1, 2, 3]], trusting: [], host: nil) == "a certificate cannot be read")
        #expect(TLSCertificates.isCertificate(own.certificate))
        #expect(!TLSCertificates.isCertificate(own.certificate + [0]) && !TLSCertificates.isCertificate([]))
    }

    @Test("An identity of one's own is used, its key is not printed, and one that makes no sense is refused")
    func identity() throws {
        let made = try TLSIdentity.selfSigned(for: "lamp.local")
        let own = TLSIdentity(certificate: made.certificate, key: made.key)
        #expect("\(own)" == "a certificate of \(made.certificate.count) bytes, and its key")
        _ = try TLSSession(.server(own))
        #expect(throws: TLSFailure.self) {
            try TLSSession(.server(TLSIdentity(certificate: made.certificate, key: [1, 2, 3])))
        }
    }
}
