import BoardProtocol
import Foundation
import RadioModel
import Synchronization

extension Phone {
    /// The networks that the person has joined in Settings.
    package var knownNetworks: KnownNetworks { part() }
}

/// The networks that the person has joined in Settings, such as that of the home.
///
/// Whenever the phone is on no network, it looks for these, and joins the strongest (W21). Apps are not asked.
package final class KnownNetworks: PhoneComponent {
    private struct State {
        /// Oldest first.
        var requests: [HotspotRequest] = []
        var watch: LinkWatch?
        var search: Task<Void, Never>?
    }

    private unowned let phone: Phone
    private let state = Mutex(State())

    package init(phone: Phone) { self.phone = phone }

    deinit { state.withLock { $0.search }?.cancel() }

    /// Lets the person choose a network in Settings, and type its passphrase.
    ///
    /// - Parameter passphrase: nil for an open network.
    /// - Throws: `RadioError` if the phone cannot join it. It then does not know it, and is where it was.
    package func join(ssid: String, passphrase: String?) async throws -> WiFiLink {
        phone.record(.note("Settings", "the person chooses the network “\(ssid)”"))
        let request = HotspotRequest(name: .exact(ssid), passphrase: passphrase)
        let link = try await phone.network.join(request)
        let isFirst = state.withLock { state in
            state.requests.removeAll { $0.name == request.name }
            state.requests.append(request)
            return state.watch == nil
        }
        if isFirst {
            let watch = phone.network.watchLink { [weak self] in self?.searchIfAlone() }
            state.withLock { $0.watch = watch }
        }
        return link
    }

    /// Forgets a network, as the person does in Settings. The phone stays on it.
    package func forget(ssid: String) {
        state.withLock { $0.requests.removeAll { NetworkName.areEqual($0.name.text, ssid) } }
    }

    package func receive(_ event: RadioEvent) {
        switch event {
        case .wifiPower(true): searchIfAlone()
        case .wifiPower(false): state.withLock { $0.search }?.cancel()
        default: break
        }
    }

    /// Looks for the networks until the phone is on one.
    private func searchIfAlone() {
        state.withLock { state in
            state.search?.cancel()
            guard phone.network.link == nil, phone.wifiIsOn, !state.requests.isEmpty else { return state.search = nil }
            let (clock, pause) = (phone.clock, phone.policy.wifiScanInterval)
            state.search = Task { [weak phone = self.phone] in
                while !Task.isCancelled, await !KnownNetworks.joinsAny(phone) { try? await clock.sleep(for: pause) }
            }
        }
    }

    /// Lets a phone that still exists join a network, and keeps it meanwhile.
    ///
    /// - Returns: Whether the search is over.
    private static func joinsAny(_ phone: Phone?) async -> Bool { await phone?.knownNetworks.joinAny() ?? true }

    private func joinAny() async -> Bool {
        let requests = state.withLock { $0.requests }
        guard phone.wifiIsOn, let heard = try? await phone.network.heard() else { return !phone.wifiIsOn }
        let found = heard.sorted { $0.signal > $1.signal }.lazy.compactMap { network in
            requests.first { $0.name.matches(network.ssid) }
        }
        guard phone.network.link == nil else { return true }
        guard let request = found.first else { return false }
        do {
            let link = try await phone.network.join(request)
            phone.record(.note("Wi-Fi", "joined “\(link.ssid)”, which it knows"))
            return true
        } catch { return false }
    }
}
