import BoardProtocol
import Foundation
import HostRadio
import RadioModel
import Synchronization

extension Phone {
    /// The phone's Wi-Fi: the networks that apps configure through NetworkExtension, and IP over them.
    public var network: PhoneNetwork { part() }
}

/// Joins Wi-Fi networks for apps, and carries their TCP connections over the joined network.
public final class PhoneNetwork: PhoneComponent {
    struct Configuration: Sendable {
        var request: HotspotRequest
        /// The network that the request joined last; nil before the first time.
        var ssid: String?
        /// The time since the configuration was stored.
        let age: @Sendable () -> Duration
        /// Whether the network refused the passphrase, so that the phone does not return to it by itself.
        var isRefused = false

        var isExpired: Bool { request.lifeTime.map { age() >= $0 } ?? false }

        /// Whether it is for the network with this name: the one that it joined last, or names.
        func isFor(_ ssid: String) -> Bool {
            NetworkName.areEqual(self.ssid, ssid) || self.ssid == nil && request.name == .exact(ssid)
        }

        /// The name that apps see.
        var name: String { request.hotspot20Domain ?? request.name.text }
    }

    struct State {
        var link: WiFiLink?
        /// Whether the link has ended, and the watches are not called yet.
        var hasEnded = false
        /// By the app's bundle identifier, oldest first. Configurations outlive the app.
        var configurations: [String: [Configuration]] = [:]
        /// The running apps that have a request under way. That of an app that has ended does not count for its next launch.
        var pending: Set<ObjectIdentifier> = []
        /// The network that the phone was on when Wi-Fi was switched off.
        var left: String?
        /// The newest queued task; the next one waits for it, so that everything happens in order.
        var last: Task<Void, Never>?
        /// Called when the phone joins or leaves a network.
        var watches: [Int: @Sendable () -> Void] = [:]
        var lastWatch = 0
        /// What it joined its networks with, each once, the latest last.
        var credentials: [WiFiCredentials] = []
        /// The near misses of the last search for a network.
        var misses: [NearMiss] = []
        /// Waits until an app with a network of `joinOnce` has been in the background for too long.
        var backgroundWatch: Task<Void, Never>?
        /// Looks for the network that was lost.
        var returning: Task<Void, Never>?
    }

    unowned let phone: Phone
    let state = Mutex(State())
    /// The searches for services.
    let searches = ServiceSearches()

    package init(phone: Phone) { self.phone = phone }

    public var nearMisses: [NearMiss] { state.withLock { $0.misses } + searches.nearMisses }

    /// The network that the phone is on; nil if it is on none.
    public var link: WiFiLink? { state.withLock { $0.link } }

    /// What the phone joined its networks with, each once, the latest last: what any guest of them knows.
    package var credentials: [WiFiCredentials] { state.withLock { $0.credentials } }

    /// The networks that apps have configured, by the names that apps see.
    package var configured: [String] {
        state.withLock { $0.configurations.values.joined().map(\.name).sorted() }
    }

    /// Sends a request over TCP to a host on the joined network, and returns its answer, at most 1 MiB.
    ///
    /// - Parameter host: An IPv4 address in dotted form. Nil means the network's router; on an accessory's own network
    ///   that is the accessory.
    /// - Throws: `RadioError`; `invalid` if the phone is on no network.
    public func exchange(_ request: Data, with host: String? = nil, port: UInt16) async throws -> Data {
        guard let link else { throw RadioError.invalid("the phone is on no network: join one first") }
        let (phone, host) = (phone, host ?? link.router)
        do { return try await phone.radio.exchange(request, with: host, port: port) } catch {
            phone.note(error, during: "asking \(host), port \(port)", by: "Wi-Fi")
            throw error
        }
    }

    /// Opens a TCP connection, or a UDP socket, to a host on the joined network.
    ///
    /// - Parameter host: An IPv4 address in dotted form.
    /// - Throws: `RadioError`; `notConnected` if the phone is on no network.
    package func openStream(
        to host: String, port: UInt16, by transport: InternetTransport = .tcp
    ) async throws -> any RadioStream {
        guard link != nil else { throw RadioError.notConnected }
        let phone = phone
        do {
            let stream = try await phone.radio.openStream(to: host, port: port, by: transport)
            let what = transport == .tcp ? "connected to" : "sends datagrams to"
            phone.record(.note("Wi-Fi", "\(what) \(host), port \(port)"))
            return WatchedStream(stream) { [weak phone] error in
                guard case RadioError.rig = error else { return }
                phone?.note(error, during: "speaking with \(host), port \(port)", by: "Wi-Fi")
            }
        } catch {
            phone.note(error, during: "connecting to \(host), port \(port)", by: "Wi-Fi")
            throw error
        }
    }

    /// Calls `body` after each change of ``link``, on any thread.
    ///
    /// - Returns: An object to keep: the calls end when it is released.
    package func watchLink(_ body: @escaping @Sendable () -> Void) -> LinkWatch {
        let number = state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = body
            return state.lastWatch
        }
        return LinkWatch { [weak self] in self?.state.withLock { _ = $0.watches.removeValue(forKey: number) } }
    }

    /// Changes the link, and calls the watches if it is a different one.
    func setLink(_ link: WiFiLink?, with change: (inout State) -> Void = { _ in }) {
        let watches = state.withLock { state -> [Int: @Sendable () -> Void] in
            change(&state)
            guard state.link != link else { return [:] }
            state.link = link
            return state.watches
        }
        for watch in watches.values { watch() }
    }

    // MARK: From apps

    /// Joins a network for the running app.
    ///
    /// - Parameter completion: Called once, on any thread, with nil when the network is joined.
    package func apply(_ request: HotspotRequest, completion: @escaping @Sendable (HotspotFailure?) -> Void) {
        let app = runningApp
        phone.record(.app(app.bundle.identifier, "wants to join “\(request.shownName)”"))
        let tell: @Sendable (HotspotFailure?) -> Void = { [phone] failure in
            let outcome = failure.map { "\($0)" } ?? "done"
            phone.record(.told(app.bundle.identifier, "joining “\(request.shownName)”: \(outcome)"))
            completion(failure)
        }
        if let failure = refusal(of: request, by: app) { return tell(failure) }
        inOrder { network, phone in
            await network.join(request, for: app, on: phone) { failure in
                network.state.withLock { _ = $0.pending.remove(ObjectIdentifier(app)) }
                tell(failure)
            }
        }
    }

    /// Forgets a network that the running app configured; leaves it if the phone is on it.
    ///
    /// - Parameter ssid: The network's SSID, or the prefix that the app configured.
    package func removeConfiguration(ssid: String) {
        let app = runningApp.bundle.identifier
        inOrder { network, phone in
            await network.forget(of: app, on: phone) {
                NetworkName.areEqual($0.ssid, ssid) || NetworkName.areEqual($0.name, ssid)
            }
        }
    }

    /// Gives `completion` the SSIDs and prefixes that the running app configured, oldest first. Calls it on any thread.
    package func configured(_ completion: @escaping @Sendable ([String]) -> Void) {
        let app = runningApp.bundle.identifier
        inOrder { network, _ in
            completion(
                network.state.withLock { state in
                    state.configurations[app]?.removeAll(where: \.isExpired)
                    return state.configurations[app, default: []].map(\.name)
                })
        }
    }

    /// The network that the phone is on, if the running app may know it: it has the entitlement, and has configured this
    /// network itself (W16).
    package var linkKnownToApp: WiFiLink? {
        let app = runningApp
        guard app.entitlements.contains("com.apple.developer.networking.wifi-info") else {
            phone.record(
                .warning(
                    rule: "W16",
                    "\(app.bundle.identifier) asks for the current network without the entitlement "
                        + "com.apple.developer.networking.wifi-info, and gets none"))
            return nil
        }
        return state.withLock { state in
            state.link.flatMap { link in
                let isOwn = state.configurations[app.bundle.identifier, default: []].contains {
                    NetworkName.areEqual($0.ssid, link.ssid)
                }
                return isOwn ? link : nil
            }
        }
    }

    private var runningApp: RunningApp {
        guard let app = phone.app else {
            AppCrash.crash("hil", "NetworkExtension was used with no app running: launch the app on the phone first")
        }
        return app
    }

    // MARK: From the phone

    package func learn(_ event: RadioEvent) {
        state.withLock { state in
            guard let ssid = state.link?.ssid else { return }
            switch event {
            case .wifiLost(let lost, _): guard NetworkName.areEqual(ssid, lost) else { return }
            case .wifiPower(false): state.left = ssid
            default: return
            }
            (state.link, state.hasEnded) = (nil, true)
        }
    }

    package func receive(_ event: RadioEvent) {
        switch event {
        case .wifiLost(let lost, _):
            callWatches()
            lookForNetwork(lost)
        case .wifiPower(false): callWatches()
        case .wifiPower(true): inOrder { network, phone in await network.joinAgain(on: phone) }
        default: break
        }
    }

    private func callWatches() {
        let watches = state.withLock { state in
            defer { state.hasEnded = false }
            return state.hasEnded ? state.watches : [:]
        }
        for watch in watches.values { watch() }
    }

    package func ended(_ app: RunningApp) {
        inOrder { network, phone in
            await network.forget(of: app.bundle.identifier, on: phone) { $0.request.joinOnce }
        }
    }

    /// Forgets the networks of an app that was deleted, as Apple's support says: developer.apple.com/forums/thread/719422.
    package func deleted(_ app: String) {
        inOrder { network, phone in await network.forget(of: app, on: phone) { _ in true } }
    }

    // MARK: Work that takes time

    /// Runs `body` after everything that was asked for before.
    func inOrder(_ body: @escaping @Sendable (PhoneNetwork, Phone) async -> Void) {
        state.withLock { state in
            state.last = Task { [phone, previous = state.last] in
                await previous?.value
                await body(self, phone)
            }
        }
    }
}

/// Keeps a watch on the phone's network; the watch ends when this object is released.
package final class LinkWatch: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
