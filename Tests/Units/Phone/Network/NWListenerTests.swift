import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone
@testable import Network

@Suite("NWListener")
struct NWListenerTests {
    typealias Stand = NWConnectionTests.Stand

    /// A listener with a log of its callbacks.
    struct Listening {
        let listener: NWListener
        let states = EventLog<NWListener.State>()
        let registered = EventLog<String>()
        let connections = EventLog<NWConnection>()

        init(_ stand: Stand, port: NWEndpoint.Port = .any, service: NWListener.Service? = nil) throws {
            listener = try stand.phone.asCurrent { try NWListener(using: .tcp, on: port) }
            listener.service = service
            listener.stateUpdateHandler = { [states] in states.append($0) }
            listener.newConnectionHandler = { [connections] in connections.append($0) }
            listener.serviceRegistrationUpdateHandler = { [registered] change in
                switch change {
                case .add(let endpoint): registered.append("+\(endpoint.debugDescription)")
                case .remove(let endpoint): registered.append("-\(endpoint.debugDescription)")
                }
            }
            listener.start(queue: stand.queue)
        }

        func reach(_ state: NWListener.State) async throws {
            _ = try await states.first(within: Stand.limit, waitingFor: "\(state)") { $0 == state }
        }
    }

    static let peer = NetworkPlace(address: "192.0.2.1", port: 40_000)

    @Test("A connection is accepted and carries data, without any permission", .covers("W10"))
    func accepts() async throws {
        let stand = try await Stand(mayUseNetwork: false)
        try await stand.join()
        let listening = try Listening(stand)
        try await listening.reach(.ready)
        let port = try #require(listening.listener.port).rawValue
        let stream = try #require(stand.radio.connect(toPort: port, from: Self.peer))
        let found = try await listening.connections.first(within: Stand.limit, waitingFor: "the connection").event
        #expect(found.endpoint == .hostPort(host: "192.0.2.1", port: 40_000))
        found.stateUpdateHandler = { [log = stand.log] in log.append(.state($0)) }
        found.start(queue: stand.queue)
        stand.receive(found)
        stream.deliver(Data("hi".utf8))
        try await stand.expect(
            .state(.preparing), .state(.ready), .received(Data("hi".utf8), isComplete: false, nil))
        listening.listener.cancel()
        try await listening.reach(.cancelled)
        #expect(stand.radio.connect(toPort: port, from: Self.peer) == nil)
        #expect(found.state == .ready && !stream.isClosed)
        found.cancel()
    }

    @Test("Connections beyond the limit are closed", .covers("W10"))
    func limit() async throws {
        let stand = try await Stand()
        let listening = try Listening(stand, port: 8080)
        try await listening.reach(.ready)
        listening.listener.newConnectionLimit = 1
        _ = try #require(stand.radio.connect(toPort: 8080, from: Self.peer))
        let second = try #require(stand.radio.connect(toPort: 8080, from: Self.peer))
        await #expect(throws: RadioError.self) { _ = try await second.receive(upTo: 1) }
        _ = try await listening.connections.first(within: Stand.limit, waitingFor: "the first connection")
        #expect(listening.connections.count == 1 && listening.listener.newConnectionLimit == 0)
        listening.listener.cancel()
    }

    @Test("A port in use, and a listener without a handler, fail", .covers("W10"))
    func failures() async throws {
        let stand = try await Stand()
        let first = try Listening(stand, port: 8080)
        try await first.reach(.ready)
        let second = try Listening(stand, port: 8080)
        try await second.reach(.failed(.posix(.EADDRINUSE)))
        let bare = try stand.phone.asCurrent { try NWListener(using: .tcp) }
        let states = EventLog<NWListener.State>()
        bare.stateUpdateHandler = { states.append($0) }
        bare.start(queue: stand.queue)
        _ = try await states.first(within: Stand.limit, waitingFor: "the failure") { $0 == .failed(.posix(.EINVAL)) }
        first.listener.cancel()
    }

    @Test("A service is offered under a free name; its TXT record and the service can change", .covers("W10"))
    func service() async throws {
        let stand = try await Stand()
        stand.radio.addService(.service("Lamp", type: "_lamp._tcp", port: 1))
        var service = NWListener.Service(name: "Lamp", type: "_lamp._tcp", txtRecord: NWTXTRecord(["v": "1"]))
        let listening = try Listening(stand, port: 8080, service: service)
        _ = try await listening.registered.first(within: Stand.limit, waitingFor: "the name")
        #expect(listening.registered.events == ["+Lamp (2)._lamp._tcp.local."])
        #expect(
            stand.radio.offeredServices == [.service("Lamp (2)", type: "_lamp._tcp", port: 8080, text: ["v": "1"])])
        service.txtRecordObject = NWTXTRecord(["v": "2"])
        listening.listener.service = service
        listening.listener.service = NWListener.Service(type: "_gadgets._tcp")
        _ = try await listening.registered.first(from: 2, within: Stand.limit, waitingFor: "the new name")
        #expect(
            listening.registered.events == [
                "+Lamp (2)._lamp._tcp.local.", "-Lamp (2)._lamp._tcp.local.", "+iPhone._gadgets._tcp.local.",
            ])
        #expect(stand.radio.offeredServices.map(\.name) == ["iPhone"])
        listening.listener.cancel()
        try await listening.reach(.cancelled)
        #expect(stand.radio.offeredServices.isEmpty)
    }

    @Test(
        "A name that somebody has is an error without renaming, and so is a type that is not declared",
        .covers("W8", "W10"))
    func refusals() async throws {
        let stand = try await Stand()
        stand.radio.addService(.service("Lamp", type: "_lamp._tcp", port: 1))
        var service = NWListener.Service(name: "Lamp", type: "_lamp._tcp")
        service.noAutoRename = true
        try await Listening(stand, service: service).reach(.failed(.dns(Int32(kDNSServiceErr_NameConflict))))
        let undeclared = NWListener.Service(name: "Lamp", type: "_kettle._tcp")
        try await Listening(stand, service: undeclared).reach(.failed(.dns(Int32(kDNSServiceErr_NoAuth))))
    }

    @Test("A service waits for the person's permission", .covers("W8"))
    func permission() async throws {
        let stand = try await Stand(mayUseNetwork: false)
        let listening = try Listening(stand, service: NWListener.Service(name: "Lamp", type: "_lamp._tcp"))
        try await listening.reach(.waiting(.dns(Int32(kDNSServiceErr_PolicyDenied))))
        #expect(stand.radio.offeredServices.isEmpty)
        stand.phone.localNetworkAccess.set(true, for: NWConnectionTests.App.bundle.identifier)
        try await listening.reach(.ready)
        _ = try await listening.registered.first(within: Stand.limit, waitingFor: "the name")
        #expect(stand.radio.offeredServices.map(\.name) == ["Lamp"])
        listening.listener.cancel()
    }

    @Test("A service of a type that was never looked for asks the person itself, and then is offered", .covers("W8"))
    func asks() async throws {
        let stand = try await Stand(mayUseNetwork: nil)
        let listening = try Listening(stand, service: NWListener.Service(name: "Lamp", type: "_lamp._tcp"))
        try await listening.reach(.ready)
        _ = try await listening.registered.first(within: Stand.limit, waitingFor: "the name")
        #expect(stand.phone.shownScreens.count { $0.kind == .localNetworkPermission } == 1)
        listening.listener.cancel()
    }

    @Test(
        "A service that the person refuses later in Settings is withdrawn, and offered again when it is allowed",
        .covers("W8"))
    func refusedLater() async throws {
        let stand = try await Stand()
        let app = NWConnectionTests.App.bundle.identifier
        let listening = try Listening(stand, service: NWListener.Service(name: "Lamp", type: "_lamp._tcp"))
        _ = try await listening.registered.first(within: Stand.limit, waitingFor: "the name")
        stand.phone.localNetworkAccess.set(false, for: app)
        try await listening.reach(.waiting(.dns(Int32(kDNSServiceErr_PolicyDenied))))
        #expect(stand.radio.offeredServices.isEmpty)
        let before = listening.registered.count
        stand.phone.localNetworkAccess.set(true, for: app)
        _ = try await listening.registered.first(from: before, within: Stand.limit, waitingFor: "the name again")
        #expect(stand.radio.offeredServices.map(\.name) == ["Lamp"])
        listening.listener.cancel()
    }
}
