import HILTiming
import HostRadio
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import HILPhone
@testable import Network

@Suite("Less common parts of Network")
struct NetworkSurfaceTests {
    typealias Stand = NWConnectionTests.Stand

    @Test(
        "IPv6 addresses are read and written",
        arguments: [
            ("fe80::1", "fe80::1"), ("2001:DB8:0:0:0:0:0:7", "2001:db8::7"), ("::", "::"),
            ("fe80::2%en0", "fe80::2%en0"),
        ])
    func addresses(_ text: String, _ written: String) throws {
        let address = try #require(IPv6Address(text))
        #expect(address.debugDescription == written && address.rawValue.count == 16)
        #expect(NWEndpoint.Host(text) == .ipv6(address))
        #expect(NWEndpoint.hostPort(host: .ipv6(address), port: 80).debugDescription == "\(written).80")
    }

    @Test("Other texts are no IPv6 addresses", arguments: ["", "1.2.3.4", "fe80", "fe80::1%eth0", "::g", "%en0"])
    func noAddresses(_ text: String) { #expect(IPv6Address(text) == nil) }

    @Test("A connection to an IPv6 host waits: the networks of this phone use IPv4")
    func unreachable() async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.connection(to: "fe80::1")
        try await stand.expect(.state(.preparing), .state(.waiting(.posix(.EHOSTUNREACH))))
    }

    @Test("A connection tells once that there is no better path", .covers("W4"))
    func betterPath() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.phone.asCurrent { NWConnection(host: "192.0.2.1", port: 7008, using: .tcp) }
        let told = EventLog<Bool>()
        connection.betterPathUpdateHandler = { told.append($0) }
        connection.start(queue: stand.queue)
        #expect(try await told.first(within: Stand.limit, waitingFor: "the path").event == false)
        connection.cancel()
    }

    @Test("An attempt that takes longer than the app allows waits with ETIMEDOUT, and a late answer is dropped")
    func timeout() async throws {
        let (radio, clock) = (InMemoryRadio(), ManualClock())
        let phone = Phone(radio: radio, clock: clock)
        _ = try await phone.launch(NWConnectionTests.App.self)
        phone.localNetworkAccess.set(true, for: NWConnectionTests.App.bundle.identifier)
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let accepted = EventLog<InMemoryStream>()
        var network = InMemoryRadio.Network(
            WiFiNetwork(
                ssid: "Die 7", bssid: DeviceAddress("02:00:00:00:00:09")!, frequency: 2412, signal: -40, security: .open
            ))
        network.beforeStream = { for await _ in answers { break } }
        network.onStream = { accepted.append($0) }
        radio.add(network)
        let wifi = phone.network
        let outcome = await withCheckedContinuation { (joined: CheckedContinuation<HotspotFailure?, Never>) in
            wifi.apply(HotspotRequest(name: .exact("Die 7"))) { joined.resume(returning: $0) }
        }
        #expect(outcome == nil)
        let options = NWProtocolTCP.Options()
        options.connectionTimeout = 5
        let connection = phone.asCurrent {
            NWConnection(host: "192.0.2.1", port: 7008, using: NWParameters(tls: nil, tcp: options))
        }
        let states = EventLog<NWConnection.State>()
        connection.stateUpdateHandler = { states.append($0) }
        connection.start(queue: DispatchQueue(label: "test"))
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        _ = try await states.first(within: Stand.limit, waitingFor: "the limit") { $0 == .waiting(.posix(.ETIMEDOUT)) }
        connection.restart()
        answer.yield()
        answer.yield()
        _ = try await states.first(within: Stand.limit, waitingFor: "the connection") { $0 == .ready }
        #expect(states.events == [.preparing, .waiting(.posix(.ETIMEDOUT)), .preparing, .ready])
        #expect(accepted.events.count == 2)
        connection.cancel()
    }

    @Test("Without Wi-Fi among the allowed interfaces there is no path")
    func prohibited() async throws {
        let stand = try await Stand()
        try await stand.join()
        let parameters = NWParameters()
        parameters.prohibitedInterfaceTypes = [.cellular]
        #expect(parameters.pathType == .other)
        parameters.prohibitedInterfaceTypes = [.cellular, .wifi]
        let connection = stand.phone.asCurrent { NWConnection(host: "192.0.2.1", port: 7008, using: parameters) }
        connection.stateUpdateHandler = { [log = stand.log] in log.append(.state($0)) }
        connection.start(queue: stand.queue)
        try await stand.expect(.state(.preparing), .state(.waiting(.posix(.ENETDOWN))))
    }

    @Test("A listener listens on the port of its required local endpoint, unless it has one of its own", .covers("W10"))
    func localEndpoint() async throws {
        let stand = try await Stand()
        try await stand.join()
        func port(_ own: NWEndpoint.Port) async throws -> NWEndpoint.Port? {
            let parameters = NWParameters.tcp
            parameters.allowLocalEndpointReuse = true
            parameters.requiredLocalEndpoint = .hostPort(host: .ipv4(.loopback), port: 8088)
            let listener = try stand.phone.asCurrent { try NWListener(using: parameters, on: own) }
            let states = EventLog<NWListener.State>()
            listener.stateUpdateHandler = { states.append($0) }
            listener.newConnectionHandler = { $0.cancel() }
            listener.start(queue: stand.queue)
            _ = try await states.first(within: Stand.limit, waitingFor: "ready") { $0 == .ready }
            defer { listener.cancel() }
            return listener.port
        }
        #expect(try await port(.any) == 8088)
        #expect(try await port(8089) == 8089)
    }

    @Test("Options that the phone has no use for are kept, and copied; IP's options and TLS are in the stack")
    func keptOptions() throws {
        let parameters = NWParameters(tls: nil, tcp: NWProtocolTCP.Options())
        (parameters.includePeerToPeer, parameters.acceptLocalOnly, parameters.prohibitExpensivePaths) = (
            true, true, true
        )
        (parameters.serviceClass, parameters.multipathServiceType) = (.responsiveData, .handover)
        (parameters.expiredDNSBehavior, parameters.attribution, parameters.preferNoProxies) = (.allow, .user, true)
        (parameters.allowFastOpen, parameters.prohibitConstrainedPaths, parameters.requiresDNSSECValidation) = (
            true, true, true
        )
        let ip = try #require(parameters.defaultProtocolStack.internetProtocol as? NWProtocolIP.Options)
        (ip.version, ip.hopLimit, ip.disableFragmentation) = (.v4, 9, true)
        let copy = parameters.copy()
        parameters.includePeerToPeer = false
        #expect(copy.includePeerToPeer && copy.acceptLocalOnly && copy.serviceClass == .responsiveData)
        #expect(
            copy.multipathServiceType == .handover && copy.expiredDNSBehavior == .allow && copy.attribution == .user)
        #expect((copy.defaultProtocolStack.internetProtocol as? NWProtocolIP.Options)?.version == .v4)
        #expect(copy.defaultProtocolStack.transportProtocol is NWProtocolTCP.Options)
        #expect(NWParameters.udp.defaultProtocolStack.transportProtocol is NWProtocolUDP.Options)
        #expect(copy.defaultProtocolStack.applicationProtocols.isEmpty && copy.tls == nil)
        copy.defaultProtocolStack.applicationProtocols.insert(NWProtocolTLS.Options(), at: 0)
        #expect(copy.tls != nil && NWParameters.tls.defaultProtocolStack.applicationProtocols.count == 1)
        #expect(parameters.debugDescription == "tcp" && copy.debugDescription == "tls, tcp")
    }
}
