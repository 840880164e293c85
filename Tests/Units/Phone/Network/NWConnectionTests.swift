import HILTiming
import HostRadio
import RadioModel
import Synchronization
import TestSupport
import Testing

@testable import HILPhone
@testable import Network

@Suite("NWConnection and NWPathMonitor")
struct NWConnectionTests {
    /// An app without any code of its own.
    final class App: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.gadgets", folder: fixture("GadgetApp"))
        init() {}
    }

    /// A phone, a network with a host at its router, and a log of all callbacks of connections to that host.
    final class Stand: Sendable {
        enum Callback: Sendable, Equatable {
            case state(NWConnection.State)
            case viable(Bool)
            case sent(NWError?)
            case received(Data?, isComplete: Bool, NWError?)
            case path(NWPath.Status)
        }

        /// The longest wait for one callback.
        static let limit = Duration.seconds(20)
        let radio = InMemoryRadio()
        let phone: Phone
        let log = EventLog<Callback>()
        /// The host's ends of the connections, in order.
        let accepted = EventLog<InMemoryStream>()
        let queue = DispatchQueue(label: "test")
        /// The connections, kept as an app would keep them: a released connection is cancelled.
        private let retained = Mutex<[NWConnection]>([])

        /// - Parameter mayUseNetwork: The person's answer to the app; nil if they were not asked yet.
        init(mayUseNetwork: Bool? = true) async throws {
            phone = Phone(radio: radio)
            _ = try await phone.launch(App.self)
            if let mayUseNetwork { phone.localNetworkAccess.set(mayUseNetwork, for: App.bundle.identifier) }
        }

        /// Joins a network whose router accepts connections or refuses them.
        func join(accepts: Bool = true) async throws {
            let address = DeviceAddress("02:00:00:00:00:09")!
            radio.removeNetwork(ssid: "Die 7")
            var network = InMemoryRadio.Network(
                WiFiNetwork(ssid: "Die 7", bssid: address, frequency: 2412, signal: -40, security: .open))
            if accepts { network.onStream = { [accepted] in accepted.append($0) } }
            radio.add(network)
            let (wifi, request) = (phone.network, HotspotRequest(name: .exact("Die 7")))
            let outcome = await withCheckedContinuation { (answer: CheckedContinuation<HotspotFailure?, Never>) in
                wifi.apply(request) { answer.resume(returning: $0) }
            }
            #expect(outcome == nil)
        }

        @discardableResult
        func connection(to host: NWEndpoint.Host = "192.0.2.1", isKept: Bool = true) -> NWConnection {
            let connection = phone.asCurrent { NWConnection(host: host, port: 7008, using: .tcp) }
            connection.stateUpdateHandler = { [log] in log.append(.state($0)) }
            connection.viabilityUpdateHandler = { [log] in log.append(.viable($0)) }
            if isKept { retained.withLock { $0.append(connection) } }
            connection.start(queue: queue)
            return connection
        }

        func receive(_ connection: NWConnection, least: Int = 1, most: Int = 100) {
            connection.receive(minimumIncompleteLength: least, maximumLength: most) {
                [log] data, _, isComplete, error in
                log.append(.received(data, isComplete: isComplete, error))
            }
        }

        func send(_ connection: NWConnection, _ text: String?, _ context: NWConnection.ContentContext = .defaultMessage)
        {
            connection.send(
                content: text.map { Data($0.utf8) }, contentContext: context,
                completion: .contentProcessed { [log] in log.append(.sent($0)) })
        }

        /// Waits until there were so many callbacks.
        func wait(for count: Int) async throws {
            var position = 0
            while position < count {
                position = try await log.first(
                    from: position, within: Self.limit, waitingFor: "\(count) callbacks"
                ).next
            }
        }

        /// Waits for as many callbacks as expected, and checks that the log has these and no others.
        func expect(_ expected: Callback..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await wait(for: expected.count)
            #expect(log.events == expected, sourceLocation: sourceLocation)
        }

        func host() async throws -> InMemoryStream {
            try await accepted.first(within: Self.limit, waitingFor: "a connection").event
        }
    }

    @Test("Data goes in both directions, in order, with callbacks on the queue", .covers("W4"))
    func bothWays() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        stand.send(connection, "one ")
        stand.send(connection, "two")
        let host = try await stand.host()
        let heard = EventLog<Data>()
        host.onSend { bytes, _ in heard.append(bytes) }
        try await stand.expect(.state(.preparing), .state(.ready), .viable(true), .sent(nil), .sent(nil))
        #expect(heard.events.map { String(decoding: $0, as: UTF8.self) } == ["one ", "two"])
        stand.receive(connection, least: 4, most: 6)
        stand.receive(connection)
        host.deliver(Data("abc".utf8))
        host.deliver(Data("defgh".utf8))
        try await stand.wait(for: 7)
        let rest = stand.log.events[6]
        #expect(stand.log.events[5] == .received(Data("abcdef".utf8), isComplete: false, nil))
        #expect(rest == .received(Data("gh".utf8), isComplete: false, nil))
    }

    @Test("Without a network the connection waits, and connects when the phone joins one", .covers("W4"))
    func waits() async throws {
        let stand = try await Stand()
        let connection = stand.connection()
        try await stand.expect(.state(.preparing), .state(.waiting(.posix(.ENETDOWN))))
        try await stand.join()
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .state(.ready) }
        #expect(connection.state == .ready)
    }

    @Test("A refused connection waits until restart() is called")
    func refused() async throws {
        let stand = try await Stand()
        try await stand.join(accepts: false)
        let connection = stand.connection()
        try await stand.expect(.state(.preparing), .state(.waiting(.posix(.ECONNREFUSED))))
        connection.restart()
        try await stand.expect(
            .state(.preparing), .state(.waiting(.posix(.ECONNREFUSED))), .state(.preparing),
            .state(.waiting(.posix(.ECONNREFUSED))))
    }

    @Test(
        "A host name that nobody has, or that needs a DNS server, lets the connection wait",
        arguments: ["a.local", "a.com"])
    func name(_ name: String) async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.connection(to: NWEndpoint.Host(name))
        try await stand.expect(.state(.preparing), .state(.waiting(.dns(-65554))))
    }

    @Test("A name that ends with .local is resolved on the network", .covers("W9"))
    func localName() async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.radio.addHost("die.local")
        stand.connection(to: "die.local")
        try await stand.expect(.state(.preparing), .state(.ready), .viable(true))
    }

    @Test("When the network is lost, the connection fails, and so do its waiting receives")
    func networkLost() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .viable(true) }
        stand.receive(connection)
        stand.radio.removeNetwork(ssid: "Die 7")
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the receive to fail") {
            $0 == .received(nil, isComplete: false, .posix(.ECONNABORTED))
        }
        #expect(connection.state == .failed(.posix(.ECONNABORTED)))
        let before = stand.log.count
        stand.send(connection, "too late")
        _ = try await stand.log.first(from: before, within: Stand.limit, waitingFor: "the send to fail") {
            $0 == .sent(.posix(.ECONNABORTED))
        }
    }

    @Test("A broken rig is distinguished from a peer that ends the connection")
    func rigFailure() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let host = try await stand.host()
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .viable(true) }
        host.breakDown("the agent is lost")
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the failure") {
            $0 == .state(.failed(.posix(.EIO)))
        }
        #expect(connection.state == .failed(.posix(.EIO)))
        #expect(stand.phone.rigFaults == ["speaking with 192.0.2.1, port 7008: the agent is lost"])

        stand.radio.breakWiFi("the agent is lost")
        await #expect(throws: RadioError.rig("the agent is lost")) {
            try await stand.phone.network.exchange(Data([1]), port: 7)
        }
        #expect(stand.phone.rigFaults.last == "asking 192.0.2.1, port 7: the agent is lost")
    }

    @Test("The end of the stream comes after its last data, and again for each later receive")
    func ended() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let host = try await stand.host()
        host.deliver(Data("abc".utf8))
        host.end()
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .viable(true) }
        let before = stand.log.count
        stand.receive(connection, least: 10, most: 100)
        stand.receive(connection)
        try await stand.wait(for: before + 2)
        #expect(
            Array(stand.log.events.dropFirst(before)) == [
                .received(Data("abc".utf8), isComplete: true, nil), .received(nil, isComplete: true, nil),
            ])
    }

    @Test(
        "The peer is told when this direction ends",
        arguments: [("bye", true), (nil, false), (nil, true)] as [(String?, Bool)])
    func finalMessage(text: String?, isFinal: Bool) async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let ends = EventLog<Bool>()
        try await stand.host().onSend { _, isLast in ends.append(isLast) }
        stand.send(connection, text, isFinal ? .finalMessage : .defaultMessage)
        #expect(try await ends.first(within: Stand.limit, waitingFor: "the data of the phone").event)
    }

    @Test("A cancelled connection sends its earlier data, reports its end, and then nothing more")
    func cancelled() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let host = try await stand.host()
        let heard = EventLog<Data>()
        host.onSend { bytes, _ in heard.append(bytes) }
        stand.receive(connection)
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .viable(true) }
        stand.send(connection, "last words")
        connection.cancel()
        stand.send(connection, "and more")
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the receive to end") {
            $0 == .received(nil, isComplete: false, .posix(.ECANCELED))
        }
        #expect(stand.log.events.filter { $0 == .state(.cancelled) }.count == 1)
        #expect(stand.log.events.contains(.sent(.posix(.ECANCELED))))
        #expect(heard.events == [Data("last words".utf8)])
        #expect(host.isClosed)
    }

    @Test("A connection is closed when the app releases it")
    func released() async throws {
        let stand = try await Stand()
        try await stand.join()
        var connection: NWConnection? = stand.connection(isKept: false)
        let host = try await stand.host()
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .viable(true) }
        #expect(connection?.state == .ready && !host.isClosed)
        connection = nil
        #expect(host.isClosed)
    }

    @Test("A monitor reports the current path and each change, with the router as the gateway")
    func path() async throws {
        let stand = try await Stand()
        let monitor = stand.phone.asCurrent { NWPathMonitor(requiredInterfaceType: .wifi) }
        monitor.pathUpdateHandler = { [log = stand.log] in log.append(.path($0.status)) }
        monitor.start(queue: stand.queue)
        try await stand.expect(.path(.unsatisfied))
        try await stand.join()
        try await stand.expect(.path(.unsatisfied), .path(.satisfied))
        #expect(monitor.currentPath.gateways == [.hostPort(host: "192.0.2.1", port: .any)])
        #expect(monitor.currentPath.usesInterfaceType(.wifi) && !monitor.currentPath.usesInterfaceType(.cellular))
        stand.radio.removeNetwork(ssid: "Die 7")
        try await stand.expect(.path(.unsatisfied), .path(.satisfied), .path(.unsatisfied))
        let cellular = stand.phone.asCurrent { NWPathMonitor(requiredInterfaceType: .cellular) }
        #expect(cellular.currentPath.status == .unsatisfied)
    }

    @Test("The path of a connection to a name has the address and the port that it has reached", .covers("W9"))
    func remoteEndpoint() async throws {
        let stand = try await Stand()
        stand.radio.addHost("lamp.local")
        let connection = stand.connection(to: "lamp.local")
        #expect(connection.currentPath?.remoteEndpoint == nil)
        try await stand.join()
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .state(.ready) }
        #expect(connection.currentPath?.remoteEndpoint == .hostPort(host: "192.0.2.1", port: 7008))
        #expect(stand.phone.asCurrent { NWPathMonitor() }.currentPath.remoteEndpoint == nil)
        connection.cancel()
    }

    @Test("Endpoints are parsed from text and print in the same form")
    func endpoints() {
        #expect(NWEndpoint.Host("192.168.7.1") == .ipv4(IPv4Address("192.168.7.1")!))
        #expect(NWEndpoint.Host("die.local") == .name("die.local", nil))
        #expect(IPv4Address("1.2.3") == nil && IPv4Address(Data([1, 2, 3])) == nil)
        #expect(NWEndpoint.Port("7008") == 7008 && NWEndpoint.Port("x") == nil)
        #expect(NWEndpoint.hostPort(host: "1.2.3.4", port: 5).debugDescription == "1.2.3.4:5")
    }
}
