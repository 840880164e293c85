import BoardProtocol
import Foundation
import HILPhone
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// The Wi-Fi network of a home, which accessories join: a router with a DHCP server, beside the phone.
///
/// ```swift
/// let home = try await lab.homeNetwork.open()
/// try await app.provision(accessory, ssid: home.ssid, passphrase: home.passphrase)
/// try await home.events.next(.joined)
/// ```
///
/// hostapd and dnsmasq on the host board are the router. The phone itself cannot join this network: its radio is the
/// router's as well. For a network with internet access that phones join, see ``Internet``.
public final class HomeNetwork: Sendable {
    private struct State {
        var ssid = "Home"
        var security = WiFiSecurity.wpa2
        var passphrase = HomeNetwork.newPassphrase()
        /// Whether it was opened since the scenario began.
        var wasOpened = false
    }

    /// How long the board may take to open, change or close the network.
    private static let limit = Duration.seconds(30)

    /// What the router sees of stations since the scenario began. The log ends with an error if the board is lost.
    public let events = EventLog<HomeNetworkEvent>()
    private let board: BoardClient
    private let description: RigDescription
    private let recorder: ScenarioRecorder
    /// The path of the capture; nil if there is none.
    private let capture: String?
    private let state = Mutex(State())

    init(
        _ board: BoardClient, of description: RigDescription, recorder: ScenarioRecorder, capture: String? = nil
    ) {
        self.board = board
        self.capture = capture
        self.description = description
        self.recorder = recorder
    }

    /// The network's name. Before ``open(ssid:security:passphrase:channel:fileID:filePath:line:)``, the one that it
    /// would have.
    public var ssid: String { state.withLock { $0.ssid } }
    public var security: WiFiSecurity { state.withLock { $0.security } }
    /// The current passphrase. Logs and reports do not have it, unless a scenario writes it there.
    public var passphrase: String { state.withLock { $0.passphrase } }

    /// What kept stations from the network since it was opened, as far as the capture shows.
    public var nearMisses: [NearMiss] {
        guard state.withLock({ $0.wasOpened }), let capture,
            let content = FileManager.default.contents(atPath: capture)
        else { return [] }
        var trials = StationTrials(of: ssid, security)
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
    ///   - channel: See `NetworkConfiguration.channel`. While the network is open, the phone can join
    ///     only networks on this channel.
    /// - Returns: This object.
    /// - Throws: `RadioError.invalid` if a network is open already, or if a value is not valid;
    ///   `RigFailure`; `RigLacks` if this rig has no home's network.
    @discardableResult
    public func open(
        ssid: String = "Home", security: WiFiSecurity = .wpa2, passphrase: String? = nil, channel: Int = 1,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> HomeNetwork {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            if let lack = description.lack(of: [.homeNetwork]) {
                recorder.record(.lacks(lack))
                throw lack
            }
            let passphrase = passphrase ?? HomeNetwork.newPassphrase()
            let network = NetworkConfiguration(
                ssid: ssid, security: security, passphrase: security == .open ? nil : passphrase, channel: channel)
            try await order(.openHomeNetwork(network), "opening the home's network")
            state.withLock {
                $0 = State(ssid: ssid, security: security, passphrase: passphrase, wasOpened: true)
            }
            return self
        }
    }

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
            let passphrase = passphrase ?? HomeNetwork.newPassphrase()
            try await order(.changeHomePassphrase(passphrase), "changing the passphrase of the home's network")
            state.withLock { $0.passphrase = passphrase }
        }
    }

    /// Closes the network, as if the router were switched off. Does nothing if it is not open.
    ///
    /// - Throws: `RigFailure`.
    public func close(fileID: String = #fileID, filePath: String = #filePath, line: Int = #line) async throws {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await order(.closeHomeNetwork, "closing the home's network")
        }
    }

    private func order(_ command: BoardCommand, _ action: String) async throws {
        guard case .done = try await board.ask(command, within: HomeNetwork.limit) else {
            throw RigFailure(action, on: "the host board", "it answered something else")
        }
    }

    /// Records an event of the router.
    func take(_ event: HomeNetworkEvent) {
        recorder.record(.note(text: "the home's network: \(event)"))
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
