import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone
@testable import Network

@Suite("NWBrowser and the permission for the local network")
struct NWBrowserTests {
    typealias Stand = NWConnectionTests.Stand

    /// A browser with a log of its callbacks.
    struct Looking {
        let browser: NWBrowser
        let states = EventLog<NWBrowser.State>()
        let changes = EventLog<NWBrowser.Result.Change>()

        init(
            _ stand: Stand, for descriptor: NWBrowser.Descriptor = .bonjour(type: "_lamp._tcp", domain: nil)
        ) {
            browser = stand.phone.asCurrent { NWBrowser(for: descriptor, using: .tcp) }
            browser.stateUpdateHandler = { [states] in states.append($0) }
            browser.browseResultsChangedHandler = { [changes] _, new in for change in new { changes.append(change) } }
            browser.start(queue: stand.queue)
        }

        func reach(_ state: NWBrowser.State) async throws {
            _ = try await states.first(within: Stand.limit, waitingFor: "\(state)") { $0 == state }
        }

        func change(_ place: Int) async throws -> NWBrowser.Result.Change {
            try await changes.first(from: place, within: Stand.limit, waitingFor: "a change").event
        }
    }

    static let lamp = BonjourService.service("Lamp 7", type: "_lamp._tcp", port: 7008, text: ["fw": "1"])
    static let endpoint = NWEndpoint.service(name: "Lamp 7", type: "_lamp._tcp", domain: "local.", interface: nil)

    static func result(_ text: [String: String]?) -> NWBrowser.Result {
        NWBrowser.Result(
            endpoint: endpoint, interfaces: [.wifi],
            metadata: text.map { .bonjour(NWTXTRecord($0)) } ?? NWBrowser.Result.Metadata.none)
    }

    @Test("What is offered in another way is told to whoever searched in vain")
    func nearMisses() async throws {
        let stand = try await Stand()
        try await stand.join()
        let looking = Looking(stand)
        try await looking.reach(.ready)
        stand.radio.addService(.service("Lamp 7", type: "_lamp._udp", port: 7008))
        stand.radio.addService(.service("Lamp 8", type: "_Lamp._tcp", port: 7008))
        stand.radio.addService(.service("Other", type: "_other._tcp", port: 1))
        let search = "looking for services of _lamp._tcp: heard services of"
        try await stand.phone.log.wait(for: "the misses to be told") {
            stand.phone.nearMisses.map(\.description) == [
                "\(search) _Lamp._tcp, but their type is spelt _Lamp._tcp, wanted _lamp._tcp",
                "\(search) _lamp._udp, but they are offered over _udp, wanted _tcp",
                "\(search) _other._tcp, but their type is _other._tcp, wanted _lamp._tcp",
            ]
        }
        stand.radio.addService(Self.lamp)
        _ = try await looking.change(0)
        #expect(stand.phone.nearMisses.isEmpty)
    }

    @Test("Services are added, changed and removed, with their TXT records", .covers("W9"))
    func changes() async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.radio.addService(Self.lamp)
        stand.radio.addService(.service("Other", type: "_other._tcp", port: 1))
        let looking = Looking(stand, for: .bonjourWithTXTRecord(type: "_lamp._tcp.", domain: nil))
        #expect(try await looking.change(0) == .added(Self.result(["fw": "1"])))
        #expect(looking.browser.browseResults == [Self.result(["fw": "1"])])
        // The same again is no change.
        stand.radio.addService(Self.lamp)
        stand.radio.addService(.service("Lamp 7", type: "_lamp._tcp", port: 7008, text: ["fw": "2"]))
        let (old, new) = (Self.result(["fw": "1"]), Self.result(["fw": "2"]))
        #expect(try await looking.change(1) == .changed(old: old, new: new, flags: .metadataChanged))
        stand.radio.removeService("Lamp 7", type: "_lamp._tcp")
        #expect(try await looking.change(2) == .removed(new))
        #expect(looking.browser.browseResults.isEmpty && looking.states.events == [.ready])
        looking.browser.cancel()
        try await looking.reach(.cancelled)
    }

    @Test("Without being asked for TXT records, the browser tells none", .covers("W9"))
    func withoutText() async throws {
        let stand = try await Stand()
        let looking = Looking(stand)
        stand.radio.addService(Self.lamp)
        #expect(try await looking.change(0) == .added(Self.result(nil)))
        looking.browser.cancel()
    }

    @Test("A connection to a service finds out where it is", .covers("W9"))
    func connection() async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.radio.addService(Self.lamp)
        let connection = stand.phone.asCurrent { NWConnection(to: Self.endpoint, using: .tcp) }
        connection.start(queue: stand.queue)
        #expect(try await stand.host().port == 7008)
        stand.radio.removeService("Lamp 7", type: "_lamp._tcp")
        let other = stand.phone.asCurrent { NWConnection(to: Self.endpoint, using: .tcp) }
        other.stateUpdateHandler = { [log = stand.log] in log.append(.state($0)) }
        other.start(queue: stand.queue)
        try await stand.expect(.state(.preparing), .state(.waiting(.dns(Int32(kDNSServiceErr_NoSuchRecord)))))
        connection.cancel()
        other.cancel()
    }

    @Test("A browser that its app lets go of ends its search", .timeLimit(.minutes(1)))
    func letGo() async throws {
        let stand = try await Stand()
        try await stand.join()
        stand.radio.addService(Self.lamp)
        weak var browser: NWBrowser?
        do {
            let looking = Looking(stand)
            _ = try await looking.change(0)
            browser = looking.browser
        }
        // The limit of the test cancels it.
        while browser != nil, !Task.isCancelled { await Task.yield() }
        #expect(browser == nil)
    }

    @Test("A type that the app does not declare fails with NoAuth, and nobody is asked", .covers("W8"))
    func undeclared() async throws {
        let stand = try await Stand(mayUseNetwork: nil)
        let looking = Looking(stand, for: .bonjour(type: "_kettle._tcp", domain: nil))
        try await looking.reach(.failed(.dns(-65555)))
        #expect(looking.states.events == [.failed(.dns(-65555))])
        #expect(stand.phone.shownScreens.isEmpty)
    }

    @Test("The first use asks the person, and what they refuse waits until they allow it", .covers("W8"))
    func refused() async throws {
        let stand = try await Stand(mayUseNetwork: nil)
        stand.phone.policy.asksForAddresses = true
        stand.phone.person.will(.deny, at: .localNetworkPermission)
        try await stand.join()
        stand.radio.addService(Self.lamp)
        let looking = Looking(stand)
        try await looking.reach(.waiting(.dns(-65570)))
        let connection = stand.connection()
        try await stand.expect(.state(.preparing), .state(.waiting(.posix(.ENETDOWN))))
        #expect(connection.currentPath?.unsatisfiedReason == .localNetworkDenied)
        #expect(looking.changes.count == 0)
        stand.phone.localNetworkAccess.set(true, for: NWConnectionTests.App.bundle.identifier)
        #expect(try await looking.change(0) == .added(Self.result(nil)))
        _ = try await stand.log.first(within: Stand.limit, waitingFor: "the connection") { $0 == .state(.ready) }
        looking.browser.cancel()
    }

    @Test("A connection is prepared while the person is asked, and one question is enough", .covers("W8"))
    func asked() async throws {
        let stand = try await Stand(mayUseNetwork: nil)
        stand.phone.policy.asksForAddresses = true
        try await stand.join()
        stand.connection()
        stand.connection()
        var position = 0
        for _ in 1...2 {
            position = try await stand.log.first(from: position, within: Stand.limit, waitingFor: "both connections") {
                $0 == .state(.ready)
            }.next
        }
        #expect(!stand.log.events.contains(.state(.waiting(.posix(.ENETDOWN)))))
        #expect(stand.phone.shownScreens.count { $0.kind == .localNetworkPermission } == 1)
    }

    @Test("In the background nobody is asked, and the local network is denied", .covers("W8"))
    func background() async throws {
        let stand = try await Stand(mayUseNetwork: nil)
        stand.phone.policy.asksForAddresses = true
        try await stand.join()
        stand.phone.app?.isInForeground = false
        stand.connection()
        try await stand.expect(.state(.preparing), .state(.waiting(.posix(.ENETDOWN))))
        let looking = Looking(stand)
        try await looking.reach(.waiting(.dns(-65570)))
        looking.browser.cancel()
        let told = stand.phone.log.events.compactMap {
            if case .told(_, let what) = $0.kind, what.hasPrefix("NW") { what } else { nil }
        }
        #expect(told.contains { $0.hasPrefix("NWConnection is waiting (") }, "\(told)")
        #expect(told.last?.hasPrefix("NWBrowser is waiting (") == true, "\(told)")
    }
}
