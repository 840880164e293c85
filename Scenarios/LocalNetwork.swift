import Foundation
import HIL
import HILTiming
import Network
import NetworkExtension

private let service = BonjourService.service("Lamp 7", type: "_lamp._tcp", port: 80, text: ["id": "7", "fw": "1.4"])
private let endpoint = NWEndpoint.service(name: "Lamp 7", type: "_lamp._tcp", domain: "local.", interface: nil)

let appTalksOverTCP = Scenario(
    "An app on the accessory's network talks with it over TCP by NWConnection", .tags(.wifi), .covers("W4", "W7")
) { lab in
    let (lamp, _) = try await lab.joinedLamp()
    let host = try lab.gateway()
    let echo = SocketProbe(NWConnection(host: host, port: 7, using: .tcp))
    try await lab.step("connect", within: .seconds(10)) { try await echo.reach(.ready) }
    let sent = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try await lab.step("send and receive", within: .seconds(20)) {
        echo.send(sent)
        echo.send(Data("bye".utf8), isLast: true)
        lab.expect(
            try await echo.receiveAll() == sent + Data("bye".utf8), "everything comes back, in order, to the end")
    }
    lab.expect(echo.connection.state, equals: .ready, "a connection that has ended both directions is still there")

    let refused = SocketProbe(NWConnection(host: host, port: 81, using: .tcp))
    try await refused.reach(.waiting(.posix(.ECONNREFUSED)))
    let before = refused.states.count
    refused.connection.restart()
    try await refused.reach(.waiting(.posix(.ECONNREFUSED)), since: before)

    let idle = SocketProbe(NWConnection(host: host, port: 7, using: .tcp))
    try await idle.reach(.ready)
    try await lamp.closeNetwork(ssid: LampSite.network.ssid)
    try await lab.step("lose the network", within: .seconds(10)) {
        try await idle.reach(.failed(.posix(.ECONNABORTED)))
        // It waits for a network from now on.
        refused.connection.restart()
        try await refused.reach(.waiting(.posix(.ENETDOWN)))
    }
    try await lamp.openNetwork(LampSite.network)
    lab.expect(lab.phone.shownScreens.map(\.kind), equals: [.joinNetwork], "the person was asked for the network")
}

let appSendsDatagrams = Scenario(
    "An app and the accessory send each other datagrams by UDP, and a service of the app is found", .tags(.wifi),
    .covers("W10", "W15")
) { lab in
    let (lamp, _) = try await lab.joinedLamp {
        $0.ports = [.echo(7).overUDP(), .port(9, answers: Data("on".utf8)).overUDP()]
    }
    let host = try lab.gateway()
    let echo = SocketProbe(NWConnection(host: host, port: 7, using: .udp))
    try await echo.reach(.ready)
    // The longest that goes in one frame by Wi-Fi, and one that IP has to divide.
    for length in [1, 1400, 9000] {
        let sent = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let heard = try await lab.step("send and receive", within: .seconds(10)) {
            echo.send(sent)
            return await echo.receive()
        }
        lab.expect(heard, equals: SocketProbe.Piece(bytes: sent, isComplete: true), "it comes back whole")
    }
    let lampPort = SocketProbe(NWConnection(host: host, port: 9, using: .udp))
    let answer = try await lab.step("ask", within: .seconds(10)) {
        lampPort.send(Data("is it on?".utf8))
        return await lampPort.receive()
    }
    lab.expect(answer.bytes, equals: Data("on".utf8), "the lamp's answer")

    let closed = SocketProbe(NWConnection(host: host, port: 10, using: .udp))
    try await closed.reach(.ready)
    closed.send(Data("is anybody there?".utf8))
    try await closed.reach(.failed(.posix(.ECONNREFUSED)))

    let offered = NWListener.Service(name: "Gadgets", type: "_gadgets._udp")
    let listener = ListenerProbe(try NWListener(service: offered, using: .udp)) { Data("You said: ".utf8) + $0 }
    try await listener.reach(.ready)
    _ = try await listener.registered.first(within: .seconds(15), waitingFor: "the service")
    let reply = try await lab.step("ask the app", within: .seconds(15)) {
        try await lamp.exchange(Data("hello".utf8), withService: "Gadgets", type: "_gadgets._udp")
    }
    lab.expect(reply, equals: Data("You said: hello".utf8), "the app has answered the lamp")
}

let appTalksOverTLS = Scenario(
    "An app talks over TLS with an accessory whose certificate it knows, and with no other", .tags(.wifi),
    .covers("W12")
) { lab in
    let identity = try TLSIdentity.selfSigned(for: "lamp.local")
    _ = try await lab.joinedLamp { lamp in
        lamp.ports = [
            .port(443, answers: LampSite.page).overTLS(as: identity), .echo(8443).overTLS(as: identity), .echo(7),
        ]
    }
    let host = try lab.gateway()
    /// Trusts one certificate.
    func options(trusting certificate: Data) -> NWParameters {
        let options = NWProtocolTLS.Options()
        sec_protocol_options_set_verify_block(
            options.securityProtocolOptions,
            { _, trust, complete in
                let chain = SecTrustCopyCertificateChain(sec_trust_copy_ref(trust).takeRetainedValue())
                let shown = (chain as? [SecCertificate])?.first.map { SecCertificateCopyData($0) as Data }
                complete(shown == certificate)
            }, .main)
        return NWParameters(tls: options)
    }
    let known = options(trusting: Data(identity.certificate))
    try await lab.expectPage(from: NWConnection(host: host, port: 443, using: known), "the lamp answers over TLS")

    let echo = SocketProbe(NWConnection(host: host, port: 8443, using: known))
    try await lab.step("connect", within: .seconds(10)) { try await echo.reach(.ready) }
    let sent = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try await lab.step("send and receive", within: .seconds(20)) {
        echo.send(sent, isLast: true)
        lab.expect(try await echo.receiveAll() == sent, "everything comes back, in order, to the end")
    }

    let stranger = try TLSIdentity.selfSigned(for: "lamp.local")
    let refused = SocketProbe(
        NWConnection(host: host, port: 443, using: options(trusting: Data(stranger.certificate))))
    try await refused.reach(.waiting(.tls(errSSLBadCert)))
    let unasked = SocketProbe(NWConnection(host: host, port: 443, using: .tls))
    try await unasked.reach(.waiting(.tls(errSSLBadCert)))
    let plain = SocketProbe(NWConnection(host: host, port: 7, using: known))
    // The port echoes the phone's own bytes, which no server would send.
    _ = try await plain.states.first(within: .seconds(10), waitingFor: "the connection to be refused") {
        if case .waiting(.tls) = $0 { true } else { false }
    }
}

let appFindsServices = Scenario(
    "An app finds the accessory's service by Bonjour, and connects to it by its name", .tags(.wifi),
    .covers("W8", "W9")
) { lab in
    let (lamp, _) = try await lab.joinedLamp { $0.bonjour = [service] }
    let probe = BrowserProbe(.bonjourWithTXTRecord(type: "_lamp._tcp", domain: nil))
    let (first, second) = try await lab.step("find", within: .seconds(15)) { try await probe.change() }
    let found = try lab.require(first.added, "a service is added")
    lab.expect(found.endpoint, equals: endpoint, "the service has its name, its type and its domain")
    lab.expect(
        found.metadata, equals: .bonjour(NWTXTRecord(["id": "7", "fw": "1.4"])), "it comes with its TXT record")
    lab.expect(probe.browser.browseResults, equals: [found], "the results are this one")
    try await lab.expectPage(from: NWConnection(to: found.endpoint, using: .tcp), "the service answers by its name")

    var newer = service
    newer.text = BonjourService.service("", type: "", port: 0, text: ["id": "7", "fw": "1.5"]).text
    try await lamp.offerServices([newer])
    let (changed, third) = try await lab.step("hear the change", within: .seconds(15)) {
        try await probe.change(after: second)
    }
    let (old, new, flags) = try lab.require(changed.changed, "the TXT record has changed")
    lab.expect(old, equals: found, "the result before the change")
    lab.expect(new.metadata, equals: .bonjour(NWTXTRecord(["id": "7", "fw": "1.5"])), "the result after the change")
    lab.expect(flags, equals: .metadataChanged, "the part that has changed")

    let plain = BrowserProbe(.bonjour(type: "_lamp._tcp", domain: nil))
    let (added, _) = try await plain.change()
    let bare = try lab.require(added.added, "it is found at once")
    lab.expect(bare.metadata, equals: NWBrowser.Result.Metadata.none, "without its TXT record, which nobody asked for")

    try await lamp.offerServices([])
    let (removed, _) = try await lab.step("hear that it has gone", within: .seconds(15)) {
        try await probe.change(after: third)
    }
    lab.expect(removed, equals: .removed(new), "the service has gone")
    lab.expect(probe.browser.browseResults.isEmpty, "no results are left")
    lab.expect(
        lab.phone.shownScreens.map(\.kind), equals: [.joinNetwork, .localNetworkPermission],
        "the person was asked once")
}

let serviceIsOfferedInAnotherWay = Scenario(
    "An app that looks over TCP for a service offered over UDP finds nothing, and the near miss says why", .tags(.wifi)
) { lab in
    let (_, _) = try await lab.joinedLamp {
        $0.bonjour = [.service("Lamp 7", type: "_lamp._udp", port: 7008)]
    }
    let probe = BrowserProbe(.bonjour(type: "_lamp._tcp", domain: nil))
    let miss =
        "looking for services of _lamp._tcp: heard services of _lamp._udp, but they are offered over _udp, wanted _tcp"
    try await lab.phone.log.next(
        EventPattern("the phone to hear the service") { if case .note(_, miss) = $0.kind { () } else { nil } },
        within: .seconds(20))
    lab.expect(lab.phone.nearMisses.map(\.description), equals: [miss], "it is the near miss")
    lab.expect(probe.changes.count, equals: 0, "the app has found nothing")
}

let localNetworkIsRefused = Scenario(
    "An app without permission for the local network finds nothing, and waits until it is allowed",
    .tags(.wifi), .covers("W8")
) { lab in
    let (_, _) = try await lab.joinedLamp { $0.bonjour = [service] }
    lab.phone.policy.asksForAddresses = true
    lab.phone.person.will(.deny, at: .localNetworkPermission)
    let probe = BrowserProbe(.bonjour(type: "_lamp._tcp", domain: nil))
    try await probe.reach(.waiting(.dns(DNSServiceErrorType(kDNSServiceErr_PolicyDenied))))
    let named = SocketProbe(NWConnection(to: endpoint, using: .tcp))
    try await named.reach(.waiting(.dns(DNSServiceErrorType(kDNSServiceErr_PolicyDenied))))
    let plain = SocketProbe(NWConnection(host: try lab.gateway(), port: 80, using: .tcp))
    try await plain.reach(.waiting(.posix(.ENETDOWN)))
    lab.expect(
        plain.connection.currentPath?.unsatisfiedReason, equals: .localNetworkDenied, "the path says why")
    lab.expect(probe.changes.count, equals: 0, "nothing was found")

    let before = probe.states.count
    lab.phone.localNetworkAccess.set(true, for: GadgetApp.bundle.identifier)
    try await lab.step("be allowed", within: .seconds(15)) {
        try await probe.reach(.ready, since: before)
        try await named.reach(.ready)
        try await plain.reach(.ready)
        _ = try await probe.change()
    }
    lab.expect(
        lab.phone.shownScreens.map(\.kind), equals: [.joinNetwork, .localNetworkPermission],
        "the person was asked once, and not again")
}

let appListens = Scenario(
    "An app listens, offers a service by Bonjour under a free name, and the accessory connects to it",
    .tags(.wifi), .covers("W8", "W10")
) { lab in
    let (lamp, _) = try await lab.joinedLamp { $0.bonjour = [service] }
    let alone = ListenerProbe(try NWListener(using: .tcp)) { _ in Data() }
    try await alone.reach(.ready)
    lab.expect(lab.phone.shownScreens.map(\.kind), equals: [.joinNetwork], "nobody is asked for listening alone")

    let offered = NWListener.Service(name: "Gadgets", type: "_gadgets._tcp", txtRecord: NWTXTRecord(["v": "1"]))
    let probe = ListenerProbe(try NWListener(service: offered, using: .tcp)) { Data("You said: ".utf8) + $0 }
    let name = try await lab.step("offer a service", within: .seconds(15)) {
        try await probe.reach(.ready)
        return try await probe.registered.first(within: .seconds(15), waitingFor: "the service").event
    }
    lab.expect(
        name, equals: .service(name: "Gadgets", type: "_gadgets._tcp", domain: "local.", interface: nil),
        "it is offered under its name")
    let answer = try await lab.step("connect", within: .seconds(15)) {
        try await lamp.exchange(Data("hello".utf8), withService: "Gadgets", type: "_gadgets._tcp")
    }
    lab.expect(answer, equals: Data("You said: hello".utf8), "the app has answered the lamp")
    let peer = try await probe.accepted.first(within: .seconds(1), waitingFor: "the connection").event.endpoint
    let host: NWEndpoint.Host? = if case .hostPort(let host, _) = peer { host } else { nil }
    lab.expect(host, equals: try lab.gateway(), "the app knows who has connected")

    let same = ListenerProbe(
        try NWListener(service: NWListener.Service(name: "Lamp 7", type: "_lamp._tcp"), using: .tcp)
    ) { _ in Data() }
    let other = try await lab.step("be renamed", within: .seconds(15)) {
        try await same.registered.first(within: .seconds(15), waitingFor: "another name").event
    }
    lab.expect(
        other, equals: .service(name: "Lamp 7 (2)", type: "_lamp._tcp", domain: "local.", interface: nil),
        "the lamp keeps its name, and the app gets another")
    var stubborn = NWListener.Service(name: "Lamp 7", type: "_lamp._tcp")
    stubborn.noAutoRename = true
    let refused = ListenerProbe(try NWListener(service: stubborn, using: .tcp)) { _ in Data() }
    try await refused.reach(.failed(.dns(DNSServiceErrorType(kDNSServiceErr_NameConflict))))
}
