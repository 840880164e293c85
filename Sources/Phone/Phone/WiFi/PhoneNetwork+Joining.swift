import BoardProtocol
import Foundation
import HostRadio
import RadioModel

/// Joining the networks that apps ask for, and forgetting them.
extension PhoneNetwork {
    /// Why the request is refused at once, without asking the person or the radio. If nil, the request counts as
    /// pending.
    func refusal(of request: HotspotRequest, by app: RunningApp) -> HotspotFailure? {
        if let failure = request.formFailure { return failure }
        guard app.isInForeground else { return .notInForeground }
        return state.withLock { state in
            if state.pending.contains(ObjectIdentifier(app)) { return .pending }
            if state.isOn(request) { return .alreadyAssociated }
            state.pending.insert(ObjectIdentifier(app))
            return nil
        }
    }

    /// Asks the person, stores the configuration, and attempts to join (W17).
    ///
    /// - Parameter tell: Called once, when the app may know the outcome.
    func join(
        _ request: HotspotRequest, for app: RunningApp, on phone: Phone, tell: (HotspotFailure?) -> Void
    ) async {
        // Since it was asked, the request before it may have joined its network.
        if state.withLock({ $0.isOn(request) }) { return tell(.alreadyAssociated) }
        guard await isAllowed(request, for: app, on: phone) else { return tell(.userDenied) }
        let (completion, app) = (phone.policy.hotspotCompletion, app.bundle.identifier)
        if completion != .internalError { store(request, for: app, on: phone) }
        if completion == .whenStored { tell(nil) }
        var failure: HotspotFailure?
        do {
            guard request.hotspot20Domain == nil else { throw RadioError.unsupported("Hotspot 2.0 is not simulated") }
            let link = try await enter(request, on: phone)
            state.withLock { $0.misses = [] }
            if completion == .internalError { store(request, for: app, on: phone) }
            setLink(link) { state in
                for id in state.configurations.keys {
                    // iOS forgets a join-once network when the phone joins another.
                    state.configurations[id]?.removeAll { $0.request.joinOnce && $0.request.name != request.name }
                }
                state.update(request, of: app) { $0.ssid = link.ssid }
            }
        } catch {
            phone.note(error, during: "joining “\(request.shownName)”", by: "Wi-Fi")
            if case RadioError.wrongPassphrase = error {
                state.withLock { $0.update(request, of: app) { $0.isRefused = true } }
            }
            // The header: with Hotspot 2.0, the phone does not attempt to join.
            if request.hotspot20Domain == nil {
                phone.display.show(
                    Screen(
                        .joinFailed, title: "Unable to join the network “\(request.name.text)”", controls: [.done],
                        willing: .done))
            }
            failure = .joinFailed
            // It may come near later.
            if link == nil, case .exact(let ssid) = request.name { lookForNetwork(ssid) }
        }
        switch completion {
        case .whenStored: break
        case .afterJoining: tell(nil)
        case .internalError: tell(failure)
        }
    }

    /// Joins a network without an app, in turn with the requests of apps.
    func join(_ request: HotspotRequest) async throws -> WiFiLink {
        try await withCheckedThrowingContinuation { continuation in
            inOrder { network, phone in
                do {
                    let link = try await network.enter(request, on: phone)
                    network.setLink(link)
                    continuation.resume(returning: link)
                } catch {
                    phone.note(error, during: "joining “\(request.name.text)”", by: "Wi-Fi")
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private func enter(_ request: HotspotRequest, on phone: Phone) async throws -> WiFiLink {
        let credentials = try await find(request, on: phone)
        let link = try await phone.radio.joinWiFi(credentials)
        state.withLock { state in
            state.credentials.removeAll { $0.ssid == credentials.ssid }
            state.credentials.append(credentials)
        }
        return link
    }

    private func store(_ request: HotspotRequest, for app: String, on phone: Phone) {
        let configuration = Configuration(request: request, age: stopwatch(phone.clock))
        state.withLock { state in
            state.configurations[app, default: []].removeAll {
                $0.request.name == request.name && $0.request.hotspot20Domain == request.hotspot20Domain
            }
            state.configurations[app, default: []].append(configuration)
        }
    }

    /// Asks the person, unless the network belongs to an accessory that was set up for the app (W1).
    private func isAllowed(_ request: HotspotRequest, for app: RunningApp, on phone: Phone) async -> Bool {
        let accessories = phone.store.usableAccessories(of: app.bundle.identifier)
        if accessories.contains(where: { $0.ssid.map(request.name.matches) ?? false }) { return true }
        let screen = Screen(
            .joinNetwork, title: "“\(app.name)” Wants to Join Wi-Fi Network “\(request.shownName)”?",
            controls: [.deny, .allow], willing: .allow)
        return (try? await phone.display.ask(screen)) == .allow
    }

    /// The networks that the phone hears and can name (W11).
    ///
    /// - Parameter request: A request for a network that may hide its name.
    func heard(asking request: HotspotRequest? = nil) async throws -> [WiFiNetwork] {
        var hidden: String?
        if let request, request.isHidden, case .exact(let ssid) = request.name { hidden = ssid }
        let heard = try await phone.radio.scanWiFi(forHidden: hidden)
        return phone.policy.readsWindowsLatin1Names ? heard : heard.filter { $0.encoding == .utf8 }
    }

    /// Scans for the network, and makes the credentials that fit its security. The strongest match is tried first.
    func find(_ request: HotspotRequest, on phone: Phone) async throws -> WiFiCredentials {
        let policy = phone.policy
        var mismatch: WiFiNetwork?
        state.withLock { $0.misses = [] }
        for scan in 1...max(1, policy.hotspotScans) {
            let all = try await self.heard(asking: request)
            state.withLock { $0.misses = all.map { request.miss($0) } }
            let heard = all.filter { request.name.matches($0.ssid) }
            for network in heard.sorted(by: { $0.signal > $1.signal }) {
                if let credentials = request.credentials(for: network) {
                    state.withLock { $0.misses = [] }
                    if network.usesTKIP { phone.warn(of: .weakSecurity(network.ssid, network.security)) }
                    return credentials
                }
                mismatch = network
            }
            if scan < policy.hotspotScans { try await phone.clock.sleep(for: policy.wifiScanInterval) }
        }
        guard let mismatch else { throw RadioError.networkNotFound(ssid: request.name.text) }
        throw RadioError.associationFailed(
            ssid: mismatch.ssid, reason: request.mismatch(with: mismatch) ?? "it does not fit the request")
    }

    func forget(of app: String, on phone: Phone, _ isMeant: @Sendable (Configuration) -> Bool) async {
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
