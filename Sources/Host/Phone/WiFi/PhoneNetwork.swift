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
    private struct Configuration {
        var request: HotspotRequest
        /// The network that the request joined.
        var ssid: String
    }

    private struct State {
        var link: WiFiLink?
        /// Whether the link has ended, and the watches are not called yet.
        var hasEnded = false
        /// By the app's bundle identifier, oldest first. Configurations outlive the app.
        var configurations: [String: [Configuration]] = [:]
        /// The apps that have a request under way.
        var pending: Set<String> = []
        /// The network that the phone was on when Wi-Fi was switched off.
        var left: String?
        /// The newest queued task; the next one waits for it, so that everything happens in order.
        var last: Task<Void, Never>?
        /// Called when the phone joins or leaves a network.
        var watches: [Int: @Sendable () -> Void] = [:]
        var lastWatch = 0
        /// The near misses of the last search for a network.
        var misses: [NearMiss] = []
    }

    unowned let phone: Phone
    private let state = Mutex(State())
    /// The searches for services.
    let searches = ServiceSearches()

    public init(phone: Phone) { self.phone = phone }

    public var nearMisses: [NearMiss] { state.withLock { $0.misses } + searches.nearMisses }

    /// The network that the phone is on; nil if it is on none.
    public var link: WiFiLink? { state.withLock { $0.link } }

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
    public func openStream(
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
    public func watchLink(_ body: @escaping @Sendable () -> Void) -> LinkWatch {
        let number = state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = body
            return state.lastWatch
        }
        return LinkWatch { [weak self] in self?.state.withLock { _ = $0.watches.removeValue(forKey: number) } }
    }

    /// Changes the link, and calls the watches if it is a different one.
    private func setLink(_ link: WiFiLink?, with change: (inout State) -> Void = { _ in }) {
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
    public func apply(_ request: HotspotRequest, completion: @escaping @Sendable (HotspotFailure?) -> Void) {
        let app = runningApp
        phone.record(.app(app.bundle.identifier, "wants to join “\(request.name.text)”"))
        if let failure = refusal(of: request, by: app) { return completion(failure) }
        inOrder { network, phone in
            let failure = await network.join(request, for: app, on: phone)
            network.state.withLock { _ = $0.pending.remove(app.bundle.identifier) }
            let outcome = failure.map { "\($0)" } ?? "done"
            phone.record(.told(app.bundle.identifier, "joining “\(request.name.text)”: \(outcome)"))
            completion(failure)
        }
    }

    /// Forgets a network that the running app configured; leaves it if the phone is on it.
    ///
    /// - Parameter ssid: The network's SSID, or the prefix that the app configured.
    public func removeConfiguration(ssid: String) {
        let app = runningApp.bundle.identifier
        inOrder { network, phone in
            await network.forget(of: app, on: phone) {
                NetworkName.areEqual($0.ssid, ssid) || NetworkName.areEqual($0.request.name.text, ssid)
            }
        }
    }

    /// Gives `completion` the SSIDs and prefixes that the running app configured, oldest first. Calls it on any thread.
    public func configured(_ completion: @escaping @Sendable ([String]) -> Void) {
        let app = runningApp.bundle.identifier
        inOrder { network, _ in
            completion(network.state.withLock { $0.configurations[app, default: []].map(\.request.name.text) })
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

    public func learn(_ event: RadioEvent) {
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

    public func receive(_ event: RadioEvent) {
        switch event {
        case .wifiLost, .wifiPower(false):
            let watches = state.withLock { state in
                defer { state.hasEnded = false }
                return state.hasEnded ? state.watches : [:]
            }
            for watch in watches.values { watch() }
        case .wifiPower(true): inOrder { network, phone in await network.joinAgain(on: phone) }
        default: break
        }
    }

    public func ended(_ app: RunningApp) {
        inOrder { network, phone in
            await network.forget(of: app.bundle.identifier, on: phone) { $0.request.joinOnce }
        }
    }

    // MARK: Work that takes time

    private func inOrder(_ body: @escaping @Sendable (PhoneNetwork, Phone) async -> Void) {
        state.withLock { state in
            state.last = Task { [phone, previous = state.last] in
                await previous?.value
                await body(self, phone)
            }
        }
    }

    /// Why the request is refused at once, without asking the person or the radio. If nil, the request counts as
    /// pending.
    private func refusal(of request: HotspotRequest, by app: RunningApp) -> HotspotFailure? {
        if let failure = request.formFailure { return failure }
        guard app.isInForeground else { return .notInForeground }
        return state.withLock { state in
            if state.pending.contains(app.bundle.identifier) { return .pending }
            if let link = state.link, request.name.matches(link.ssid) { return .alreadyAssociated }
            state.pending.insert(app.bundle.identifier)
            return nil
        }
    }

    /// Joins a network without an app, in turn with the requests of apps.
    func join(_ request: HotspotRequest) async throws -> WiFiLink {
        try await withCheckedThrowingContinuation { continuation in
            inOrder { network, phone in
                do {
                    let link = try await phone.radio.joinWiFi(try await network.find(request, on: phone))
                    network.setLink(link)
                    continuation.resume(returning: link)
                } catch {
                    phone.note(error, during: "joining “\(request.name.text)”", by: "Wi-Fi")
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private func join(_ request: HotspotRequest, for app: RunningApp, on phone: Phone) async -> HotspotFailure? {
        guard await isAllowed(request, for: app, on: phone) else { return .userDenied }
        do {
            let credentials = try await find(request, on: phone)
            let link = try await phone.radio.joinWiFi(credentials)
            state.withLock { $0.misses = [] }
            let configuration = Configuration(request: request, ssid: link.ssid)
            setLink(link) { state in
                // iOS forgets a join-once network when the phone joins another.
                for id in state.configurations.keys { state.configurations[id]?.removeAll { $0.request.joinOnce } }
                state.configurations[app.bundle.identifier, default: []].removeAll { $0.request.name == request.name }
                state.configurations[app.bundle.identifier, default: []].append(configuration)
            }
            return nil
        } catch {
            phone.note(error, during: "joining “\(request.name.text)”", by: "Wi-Fi")
            return phone.policy.hotspotJoinFailure == .silence ? nil : .joinFailed
        }
    }

    /// Joins the network again that the phone was on when Wi-Fi was switched off, if an app still has it configured
    /// (W6).
    private func joinAgain(on phone: Phone) async {
        let request: HotspotRequest? = state.withLock { state in
            defer { state.left = nil }
            guard state.link == nil, let left = state.left else { return nil }
            let known = state.configurations.values.joined().first { NetworkName.areEqual($0.ssid, left) }
            return known.map { HotspotRequest($0.request, ssid: left) }
        }
        guard let request, phone.policy.joinsAgainWhenWiFiIsOn else { return }
        do {
            let link = try await phone.radio.joinWiFi(try await find(request, on: phone))
            setLink(link)
            phone.record(.note("Wi-Fi", "joined “\(link.ssid)” again"))
        } catch { phone.note(error, during: "joining “\(request.name.text)” again", by: "Wi-Fi") }
    }

    /// Asks the person, unless the network belongs to an accessory that was set up for the app (W1).
    private func isAllowed(_ request: HotspotRequest, for app: RunningApp, on phone: Phone) async -> Bool {
        let accessories = phone.store.usableAccessories(of: app.bundle.identifier)
        if accessories.contains(where: { $0.ssid.map(request.name.matches) ?? false }) { return true }
        let screen = Screen(
            .joinNetwork, title: "“\(app.name)” Wants to Join Wi-Fi Network “\(request.name.text)”?",
            controls: [.deny, .allow], willing: .allow)
        return (try? await phone.display.ask(screen)) == .allow
    }

    /// The networks that the phone hears and can name (W11).
    func heard() async throws -> [WiFiNetwork] {
        let heard = try await phone.radio.scanWiFi()
        return phone.policy.readsWindowsLatin1Names ? heard : heard.filter { $0.encoding == .utf8 }
    }

    /// Scans for the network, and makes the credentials that fit its security. The strongest match is tried first.
    private func find(_ request: HotspotRequest, on phone: Phone) async throws -> WiFiCredentials {
        let policy = phone.policy
        var mismatch: WiFiNetwork?
        state.withLock { $0.misses = [] }
        for scan in 1...max(1, policy.hotspotScans) {
            let all = try await self.heard()
            state.withLock { $0.misses = all.map { request.miss($0) } }
            let heard = all.filter { request.name.matches($0.ssid) }
            for network in heard.sorted(by: { $0.signal > $1.signal }) {
                if let credentials = request.credentials(for: network) {
                    state.withLock { $0.misses = network.weakness(for: request).map { [$0] } ?? [] }
                    return credentials
                }
                mismatch = network
            }
            if scan < policy.hotspotScans { try await phone.clock.sleep(for: policy.wifiScanInterval) }
        }
        guard let mismatch else { throw RadioError.networkNotFound(ssid: request.name.text) }
        throw RadioError.associationFailed(
            ssid: mismatch.ssid, reason: "the network is \(mismatch.security), the app asks for \(request.security)")
    }

    private func forget(of app: String, on phone: Phone, _ isMeant: @Sendable (Configuration) -> Bool) async {
        let isOnIt = state.withLock { state in
            let gone = state.configurations[app, default: []].filter(isMeant)
            state.configurations[app, default: []].removeAll(where: isMeant)
            return gone.contains { NetworkName.areEqual($0.ssid, state.link?.ssid) }
        }
        guard isOnIt else { return }
        do {
            try await phone.radio.leaveWiFi()
            setLink(nil)
        } catch { phone.note(error, during: "leaving the network", by: "Wi-Fi") }
    }
}

/// Keeps a watch on the phone's network; the watch ends when this object is released.
public final class LinkWatch: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

extension WiFiNetwork {
    /// Why the wanted network will not be joined; nil if no reason is known.
    fileprivate func weakness(for request: HotspotRequest) -> NearMiss? {
        guard lacksProtectedFrames, let capabilities = rsnCapabilities else { return nil }
        let bytes = Hex.text([UInt8(capabilities >> 8), UInt8(capabilities & 0xFF)])
        return NearMiss(
            search: "joining “\(request.name.text)”", heard: heardAs,
            reasons: ["it offers SAE without protected management frames (RSN capabilities 0x\(bytes))"], held: 1)
    }
}

extension HotspotRequest {
    /// Why a network is not the wanted one.
    fileprivate func miss(_ network: WiFiNetwork) -> NearMiss {
        let difference = NearMiss.name(network.ssid, wanted: name.text, isPrefix: name != .exact(name.text))
        return NearMiss(
            search: "joining “\(name.text)”", heard: network.heardAs,
            reasons: [difference ?? "it is \(network.security), and the app asks for \(security)"],
            held: difference == nil ? 1 : 0)
    }

    /// The security that the app asks for, as the end of an error message.
    fileprivate var security: String {
        if passphrase == nil { "an open network" } else { isWEP ? "WEP" : "WPA" }
    }
}
