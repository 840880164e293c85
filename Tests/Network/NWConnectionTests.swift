import HostRadio
import RadioModel
import RuleCoverage
import Synchronization
import Testing
import Timing

@testable import Network
@testable import Phone

@Suite("NWConnection and NWPathMonitor")
struct NWConnectionTests {
    /// An app that does nothing by itself.
    final class App: AppUnderTest {
        static let bundle = AppBundle(identifier: "com.example.dice", folder: "\(repository)/Fixtures/DiceApp")
        static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        init() {}
    }

    /// A phone, a network with a host at its router, and a connection there, with all that it told.
    final class Stand: Sendable {
        enum Told: Sendable, Equatable {
            case state(NWConnection.State)
            case viable(Bool)
            case sent(NWError?)
            case received(Data?, isComplete: Bool, NWError?)
            case path(NWPath.Status)
        }

        static let limit = Duration.seconds(20)
        let radio = InMemoryRadio()
        let phone: Phone
        let told = EventLog<Told>()
        /// The host's ends of connections.
        let accepted = EventLog<InMemoryStream>()
        let queue = DispatchQueue(label: "test")
        /// As an app keeps them: one that is let go of is cancelled.
        private let kept = Mutex<[NWConnection]>([])

        init() async throws {
            phone = Phone(radio: radio)
            _ = try await phone.launch(App.self)
        }

        /// Puts the phone on a network, whose router takes connections or refuses them.
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
            connection.stateUpdateHandler = { [told] in told.append(.state($0)) }
            connection.viabilityUpdateHandler = { [told] in told.append(.viable($0)) }
            if isKept { kept.withLock { $0.append(connection) } }
            connection.start(queue: queue)
            return connection
        }

        func receive(_ connection: NWConnection, least: Int = 1, most: Int = 100) {
            connection.receive(minimumIncompleteLength: least, maximumLength: most) {
                [told] data, _, isComplete, error in
                told.append(.received(data, isComplete: isComplete, error))
            }
        }

        func send(_ connection: NWConnection, _ text: String?, _ context: NWConnection.ContentContext = .defaultMessage)
        {
            connection.send(
                content: text.map { Data($0.utf8) }, contentContext: context,
                completion: .contentProcessed { [told] in told.append(.sent($0)) })
        }

        /// Waits until so many things were told.
        func wait(for count: Int) async throws {
            var place = 0
            while place < count {
                place = try await told.first(
                    from: place, within: Self.limit, waitingFor: "\(count) things to be told"
                ).next
            }
        }

        /// Waits until exactly this was told, and nothing else.
        func expect(_ expected: Told..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
            try await wait(for: expected.count)
            #expect(told.events == expected, sourceLocation: sourceLocation)
        }

        func host() async throws -> InMemoryStream {
            try await accepted.first(within: Self.limit, waitingFor: "a connection").event
        }
    }

    @Test("Data goes both ways, in order, on the queue", .covers("W4"))
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
        let told = stand.told.events[6]
        #expect(stand.told.events[5] == .received(Data("abcdef".utf8), isComplete: false, nil))
        #expect(told == .received(Data("gh".utf8), isComplete: false, nil))
    }

    @Test("Without a network it waits, and connects when there is one", .covers("W4"))
    func waits() async throws {
        let stand = try await Stand()
        let connection = stand.connection()
        try await stand.expect(.state(.preparing), .state(.waiting(.posix(.ENETDOWN))))
        try await stand.join()
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "it to connect") { $0 == .state(.ready) }
        #expect(connection.state == .ready)
    }

    @Test("Where nobody accepts it, it waits until it is told to try again")
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

    @Test("A name cannot be resolved: the connection waits for somebody who can")
    func name() async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.connection(to: "die.local")
        try await stand.expect(.state(.preparing), .state(.waiting(.dns(-65554))))
    }

    @Test("A network that is lost fails the connection, and what waits on it")
    func networkLost() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "it to connect") { $0 == .viable(true) }
        stand.receive(connection)
        stand.radio.removeNetwork(ssid: "Die 7")
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "the receipt to fail") {
            $0 == .received(nil, isComplete: false, .posix(.ECONNABORTED))
        }
        #expect(connection.state == .failed(.posix(.ECONNABORTED)))
        let before = stand.told.count
        stand.send(connection, "too late")
        _ = try await stand.told.first(from: before, within: Stand.limit, waitingFor: "the send to fail") {
            $0 == .sent(.posix(.ECONNABORTED))
        }
    }

    @Test("A rig that breaks down under a connection is told apart from a peer that ends it")
    func rigFault() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let host = try await stand.host()
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "it to connect") { $0 == .viable(true) }
        host.breakDown("the agent is lost")
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "it to fail") {
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

    @Test("The end of the stream comes after its last data, and stays")
    func ended() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let host = try await stand.host()
        host.deliver(Data("abc".utf8))
        host.end()
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "it to connect") { $0 == .viable(true) }
        let before = stand.told.count
        stand.receive(connection, least: 10, most: 100)
        stand.receive(connection)
        try await stand.wait(for: before + 2)
        #expect(
            Array(stand.told.events.dropFirst(before)) == [
                .received(Data("abc".utf8), isComplete: true, nil), .received(nil, isComplete: true, nil),
            ])
    }

    @Test(
        "What ends this direction is told to the peer",
        arguments: [("bye", true), (nil, false), (nil, true)] as [(String?, Bool)])
    func finalMessage(text: String?, isFinal: Bool) async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let ends = EventLog<Bool>()
        try await stand.host().onSend { _, isLast in ends.append(isLast) }
        stand.send(connection, text, isFinal ? .finalMessage : .defaultMessage)
        #expect(try await ends.first(within: Stand.limit, waitingFor: "what was sent").event)
    }

    @Test("A cancelled connection sends what it had, tells of its end, and then nothing")
    func cancelled() async throws {
        let stand = try await Stand()
        try await stand.join()
        let connection = stand.connection()
        let host = try await stand.host()
        let heard = EventLog<Data>()
        host.onSend { bytes, _ in heard.append(bytes) }
        stand.receive(connection)
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "it to connect") { $0 == .viable(true) }
        stand.send(connection, "last words")
        connection.cancel()
        stand.send(connection, "and more")
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "the receipt to end") {
            $0 == .received(nil, isComplete: false, .posix(.ECANCELED))
        }
        #expect(stand.told.events.filter { $0 == .state(.cancelled) }.count == 1)
        #expect(stand.told.events.contains(.sent(.posix(.ECANCELED))))
        #expect(heard.events == [Data("last words".utf8)])
        #expect(host.isClosed)
    }

    @Test("A connection that nobody holds is closed")
    func released() async throws {
        let stand = try await Stand()
        try await stand.join()
        var connection: NWConnection? = stand.connection(isKept: false)
        let host = try await stand.host()
        _ = try await stand.told.first(within: Stand.limit, waitingFor: "it to connect") { $0 == .viable(true) }
        #expect(connection?.state == .ready && !host.isClosed)
        connection = nil
        #expect(host.isClosed)
    }

    @Test("A monitor tells the path as it is and as it changes, with the router as the gateway")
    func path() async throws {
        let stand = try await Stand()
        let monitor = stand.phone.asCurrent { NWPathMonitor(requiredInterfaceType: .wifi) }
        monitor.pathUpdateHandler = { [told = stand.told] in told.append(.path($0.status)) }
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

    @Test("Endpoints are read as they are written")
    func endpoints() {
        #expect(NWEndpoint.Host("192.168.7.1") == .ipv4(IPv4Address("192.168.7.1")!))
        #expect(NWEndpoint.Host("die.local") == .name("die.local", nil))
        #expect(IPv4Address("1.2.3") == nil && IPv4Address(Data([1, 2, 3])) == nil)
        #expect(NWEndpoint.Port("7008") == 7008 && NWEndpoint.Port("x") == nil)
        #expect(NWEndpoint.hostPort(host: "1.2.3.4", port: 5).debugDescription == "1.2.3.4:5")
    }
}
