import BoardProtocol
import Foundation
import HILPOSIX
import HILPhone
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// The Wi-Fi network of a home, which accessories and the phone join: a router with a DHCP server.
///
/// ```swift
/// let home = try await lab.homeNetwork.open()
/// try await app.provision(accessory, ssid: home.ssid, passphrase: home.passphrase)
/// try await home.events.next(.joined)
/// ```
///
/// hostapd and dnsmasq on the host board are the router. On a virtual rig it has a radio of its own, 5 m from phone and
/// accessory, and a network of the board that the phone's programs do not see. So the phone is a station like the
/// accessory: by ``joinPhone(passphrase:fileID:filePath:line:)``, or as its app asks. A scenario in which the phone joins
/// needs `.homeRouter`: on a rig without it, the router shares the radio of the phone.
///
/// On a bench the home may be a real network. Then ``open(ssid:security:passphrase:channel:isolatesClients:hasInternet:fileID:filePath:line:)``
/// opens nothing: the name and the passphrase are those of that network. Its router says nothing and cannot be changed:
/// a scenario that waits for ``events``, closes the network or gives it a channel needs `.homeControl`.
public final class HomeNetwork: Sendable {
    private struct State {
        var ssid = "Home"
        var security = WiFiSecurity.wpa2
        var passphrase = HomeNetwork.newPassphrase()
        /// Whether it was opened since the scenario began.
        var wasOpened = false
        /// Whether a network that is open is taken as it is: a person tries again.
        var isAsItIs = false
        /// How it was opened; nil until then.
        var configuration: HomeNetworkConfiguration?
        /// The phone's address on the air, as far as it is known.
        var phone: DeviceAddress?
    }

    /// How long the board may take to open, change or close the network.
    private static let limit = Duration.seconds(30)

    /// What the router sees of stations other than the phone since the scenario began. The log ends with an error if the board is lost.
    public let events: EventLog<HomeNetworkEvent>
    private let rig: RigConnection
    private let phone: Phone
    private let recorder: ScenarioRecorder
    /// The path of the capture; nil if there is none.
    private let capture: String?
    private let state = Mutex(State())

    init(
        _ rig: RigConnection, phone: Phone, recorder: ScenarioRecorder, capture: String? = nil
    ) {
        self.rig = rig
        self.phone = phone
        self.capture = capture
        self.recorder = recorder
        events = EventLog { recorder.noteHome(.awaited($0)) }
        guard case .network(let real)? = rig.home else { return }
        state.withLock { ($0.ssid, $0.security, $0.passphrase) = (real.ssid, real.security, real.passphrase ?? "") }
        // Nobody reports what a real router sees.
        if let lack = rig.description.lack(of: [.homeControl]) { events.finish(throwing: lack) }
    }

    /// The network's name. Before
    /// ``open(ssid:security:passphrase:channel:isolatesClients:hasInternet:fileID:filePath:line:)``, the one that it would
    /// have.
    public var ssid: String { state.withLock { $0.ssid } }
    /// Its security, as it was opened.
    public var security: WiFiSecurity { state.withLock { $0.security } }
    /// The current passphrase. Logs and reports do not have it, unless a scenario writes it there.
    public var passphrase: String { state.withLock { $0.passphrase } }

    /// What kept stations from the network since it was opened, as far as the capture shows.
    package var nearMisses: [NearMiss] {
        guard state.withLock({ $0.wasOpened }), let capture,
            let content = FileManager.default.contents(atPath: capture)
        else { return [] }
        var trials = StationTrials(of: ssid, security, except: state.withLock { $0.phone })
        trials.read(Array(content))
        let told = events.events
        return trials.nearMisses(
            joined: Set(told.compactMap { if case .joined(let station) = $0 { station } else { nil } }),
            refused: Set(told.compactMap { if case .refused(let station) = $0 { station } else { nil } }))
    }

    /// Opens the network. Returns when stations can join it and get an address.
    ///
    /// - Parameters:
    ///   - passphrase: 8 to 63 characters; nil for a new one that cannot be guessed. Not used for an open network.
    ///   - channel: See `NetworkConfiguration.channel`. Without `.homeRouter`, the phone can join only networks on this
    ///     channel while the network is open.
    ///   - isolatesClients: Whether the router passes nothing from one station to another, as many guest networks do:
    ///     phone and accessory are in one network, and do not reach each other.
    ///   - hasInternet: Whether stations reach the simulated internet, at ``Internet/address``. Needs `.homeRouter`.
    /// - Returns: This object.
    /// - Throws: `RadioError.invalid` if a network is open already, or if a value is not valid;
    ///   `RigFailure`; `RigLacks` if this rig has no home's network.
    @discardableResult
    public func open(
        ssid: String = "Home", security: WiFiSecurity = .wpa2, passphrase: String? = nil, channel: Int = 1,
        isolatesClients: Bool = false, hasInternet: Bool = false, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> HomeNetwork {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try rig.require(.homeNetwork, recorder)
            if hasInternet { try rig.require(.homeRouter, recorder) }
            if case .network(let real)? = rig.home {
                let isAsItIs =
                    (ssid == "Home" || ssid == real.ssid) && (security == .wpa2 || security == real.security)
                    && passphrase == nil && channel == 1 && !isolatesClients && !hasInternet
                if !isAsItIs { try rig.require(.homeControl, recorder) }
                return self
            }
            if state.withLock({ $0.isAsItIs && $0.wasOpened }) { return self }
            let passphrase = passphrase ?? HomeNetwork.newPassphrase()
            recorder.noteCommand("open the home's network “\(PlainText.line(ssid))” with \(security)") {
                try await $0.homeNetwork.open(
                    ssid: ssid, security: security, passphrase: passphrase, channel: channel,
                    isolatesClients: isolatesClients, hasInternet: hasInternet)
            }
            let network = NetworkConfiguration(
                ssid: ssid, security: security, passphrase: security == .open ? nil : passphrase, channel: channel)
            let (radio, phone) = try await plugIn()
            let configuration = HomeNetworkConfiguration(
                network, radio: radio, isolatesStations: isolatesClients, hasInternet: hasInternet)
            try await ask { .open(configuration, $0) }
            state.withLock {
                $0 = State(
                    ssid: ssid, security: security, passphrase: passphrase, wasOpened: true,
                    configuration: configuration, phone: phone)
            }
            tellNetwork()
            return self
        }
    }

    /// From now on a network that is open is taken as it is.
    func keepAsItIs() { state.withLock { $0.isAsItIs = true } }

    /// Whether it was opened.
    var wasOpened: Bool { state.withLock { $0.wasOpened } }

    /// Restarts the network with another passphrase, as when somebody changes it on the router. Stations are
    /// disconnected, and must use the new one to join again.
    ///
    /// - Parameter passphrase: nil for a new one that cannot be guessed.
    /// - Throws: `RadioError.invalid` if no network is open, or if the passphrase is not valid;
    ///   `RigFailure`.
    public func changePassphrase(
        to passphrase: String? = nil, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try rig.require(.homeControl, recorder)
            let passphrase = passphrase ?? HomeNetwork.newPassphrase()
            recorder.noteCommand("change the passphrase of the home's network") {
                try await $0.homeNetwork.changePassphrase(to: passphrase)
            }
            try await ask { .changePassphrase(passphrase, $0) }
            state.withLock { state in
                state.passphrase = passphrase
                if state.configuration?.network.passphrase != nil {
                    state.configuration?.network.passphrase = passphrase
                }
            }
            tellNetwork()
        }
    }

    /// Notes what a person needs to know of the network that is open now.
    private func tellNetwork() {
        guard let network = state.withLock({ $0.configuration?.network }) else { return }
        recorder.noteHome(.network(HandHome(ssid: network.ssid, passphrase: network.passphrase)))
    }

    /// Closes the network, as when the router is switched off. Does nothing if it is not open.
    ///
    /// - Throws: `RigFailure`.
    public func close(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try rig.require(.homeControl, recorder)
            recorder.noteCommand("close the home's network") { try await $0.homeNetwork.close() }
            try await ask { .close($0) }
            recorder.noteHome(.network(nil))
        }
    }

    /// Opens the network again as it was, as when the router is switched on again.
    ///
    /// - Throws: `RadioError.invalid` if it was never opened, or is open; `RigFailure`.
    public func switchOn(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try rig.require(.homeControl, recorder)
            guard let configuration = state.withLock({ $0.configuration }) else {
                throw RadioError.invalid("the home's network was never opened: open it first")
            }
            recorder.noteCommand("open the home's network again") { try await $0.homeNetwork.switchOn() }
            try await ask { .open(configuration, $0) }
            tellNetwork()
        }
    }

    /// Lets the person choose the network in the phone's Settings, and type its passphrase. From then on the phone knows
    /// it: whenever it is on no network, it looks for this one and joins it.
    ///
    /// Call it first for a phone that is at home already.
    ///
    /// - Parameter passphrase: What the person types; nil for the right one.
    /// - Throws: `RadioError` if the phone cannot join it; `RigLacks` if the router has no radio of its own.
    @discardableResult
    public func joinPhone(
        passphrase: String? = nil, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> WiFiLink {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try rig.require(.homeRouter, recorder)
            let typed = security == .open ? nil : passphrase ?? self.passphrase
            return try await phone.knownNetworks.join(ssid: ssid, passphrase: typed)
        }
    }

    /// Moves the router, or a board: the home's network is this far from a board, in metres; nil is out of its range. At
    /// first it is 5 m from both.
    ///
    /// - Throws: `RigLacks` if this rig cannot set distances, or if the router has no radio of its own.
    public func setDistance(
        _ metres: Double?, from board: BoardRole, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try rig.require(.homeRouter, recorder)
            try await rig.facet(rig.distance, .distance, recorder).set(metres: metres, ofHomeFrom: board)
        }
    }

    /// Gives the router its own radio, if this rig can plug radios in.
    ///
    /// - Returns: The addresses of the router's radio and of the phone's; nil where they are not known.
    private func plugIn() async throws -> (router: DeviceAddress?, phone: DeviceAddress?) {
        switch rig.home {
        case .radio(let radio): return (radio, nil)
        case .board(_, let radio):
            // The router does not know which station is the phone.
            return (radio, try await rig.host.ask(within: HomeNetwork.limit) { .system(.powerRadios($0)) }.wifi)
        case .network, nil: break
        }
        guard rig.description.has(.homeRouter), let adapters = rig.adapters else { return (nil, nil) }
        let (router, phone) = try await rig.plugInFurtherWiFi(.homeRouter, by: adapters)
        return (router, phone)
    }

    /// Asks something of the board that is the home's router.
    private func ask(_ call: @Sendable (Reply<Done>) -> HomeCall) async throws {
        let board = if case .board(let home, _)? = rig.home { home } else { rig.host }
        try await board.ask(within: HomeNetwork.limit) { .home(call($0)) }
    }

    /// Records an event of the router.
    func take(_ event: HomeNetworkEvent) {
        // The phone itself reports what it joins. On other rigs its board leaves it out.
        if case .board? = rig.home, event.station == state.withLock({ $0.phone }) { return }
        recorder.record(.note(text: "the home's network: \(event)"))
        recorder.noteHome(.router(event))
        events.append(event)
    }

    /// The host board is gone.
    func lose(_ error: any Error) { events.finish(throwing: error) }

    private static func newPassphrase() -> String {
        String((0..<16).compactMap { _ in "abcdefghjkmnpqrstuvwxyz23456789".randomElement() })
    }
}

extension EventPattern where Event == HomeNetworkEvent, Value == DeviceAddress {
    /// A station joined; the value is its address.
    public static var joined: Self {
        Self("a station to join the home's network") { if case .joined(let station) = $0 { station } else { nil } }
    }

    /// A station left, or was disconnected; the value is its address.
    public static var left: Self {
        Self("a station to leave the home's network") { if case .left(let station) = $0 { station } else { nil } }
    }

    /// A station with another passphrase was refused; the value is its address.
    public static var refused: Self {
        Self("a station to be refused by the home's network") {
            if case .refused(let station) = $0 { station } else { nil }
        }
    }
}

extension EventPattern where Event == HomeNetworkEvent, Value == String {
    /// A station got an IPv4 address; the value is that address.
    public static var gaveAddress: Self {
        Self("a station to get an address in the home's network") {
            if case .gaveAddress(let address, _) = $0 { address } else { nil }
        }
    }
}
