import Foundation
import HostRadio
import RadioModel

/// Returning to a known network, and leaving those of `joinOnce`, without the app.
extension PhoneNetwork {
    /// The longest pause between two looks for a network that was lost.
    private static let longestPause = Duration.seconds(60)

    /// Looks for a network that was lost, or was not near, until the phone is on one, if an app has it configured (W18).
    func lookForNetwork(_ ssid: String) {
        guard let first = phone.policy.networkReturnPause, request(returningTo: ssid) != nil else { return }
        let task = Task { [weak self, clock = phone.clock] in
            var pause = first
            while (try? await clock.sleep(for: pause)) != nil, await self?.look(for: ssid) == true {
                pause = min(pause * 2, PhoneNetwork.longestPause)
            }
        }
        let previous = state.withLock { state in
            defer { state.returning = task }
            return state.returning
        }
        previous?.cancel()
    }

    /// Joins the network if it is heard.
    ///
    /// - Returns: Whether to look again.
    private func look(for ssid: String) async -> Bool {
        await withCheckedContinuation { continuation in
            inOrder { network, phone in
                guard network.link == nil, phone.wifiIsOn, let request = network.request(returningTo: ssid) else {
                    return continuation.resume(returning: false)
                }
                continuation.resume(returning: await network.joinAgain(request, of: ssid, on: phone))
            }
        }
    }

    /// - Returns: Whether another attempt may succeed.
    private func joinAgain(_ request: HotspotRequest, of ssid: String, on phone: Phone) async -> Bool {
        do {
            let heard = try await heard(asking: request)
            guard
                let credentials = heard.filter({ NetworkName.areEqual($0.ssid, ssid) })
                    .sorted(by: { $0.signal > $1.signal }).lazy.compactMap({ request.credentials(for: $0) }).first
            else { return true }
            let link = try await phone.radio.joinWiFi(credentials)
            setLink(link) { $0.update(configurationsFor: ssid) { $0.ssid = link.ssid } }
            phone.record(.note("Wi-Fi", "joined “\(link.ssid)” again"))
            return false
        } catch {
            phone.note(error, during: "joining “\(ssid)” again", by: "Wi-Fi")
            switch error {
            case RadioError.networkNotFound, RadioError.associationFailed, RadioError.noAddress: return true
            case RadioError.wrongPassphrase:
                state.withLock { $0.update(configurationsFor: ssid) { $0.isRefused = true } }
                return false
            default: return false
            }
        }
    }

    /// The request by which the phone returns to a network without the app; nil if there is none.
    private func request(returningTo ssid: String) -> HotspotRequest? {
        state.withLock { state in
            state.configurations.values.joined().first {
                !$0.request.joinOnce && !$0.isRefused && !$0.isExpired && $0.isFor(ssid)
            }.map { HotspotRequest($0.request, ssid: ssid) }
        }
    }

    /// Joins the network again that the phone was on when Wi-Fi was switched off, if an app still has it configured
    /// (W6).
    func joinAgain(on phone: Phone) async {
        let request: HotspotRequest? = state.withLock { state in
            defer { state.left = nil }
            guard state.link == nil, let left = state.left else { return nil }
            let known = state.configurations.values.joined().first {
                !$0.isExpired && NetworkName.areEqual($0.ssid, left)
            }
            return known.map { HotspotRequest($0.request, ssid: left) }
        }
        guard let request, phone.policy.joinsAgainWhenWiFiIsOn else { return }
        do {
            let link = try await phone.radio.joinWiFi(try await find(request, on: phone))
            setLink(link)
            phone.record(.note("Wi-Fi", "joined “\(link.ssid)” again"))
        } catch { phone.note(error, during: "joining “\(request.name.text)” again", by: "Wi-Fi") }
    }

    // MARK: joinOnce

    package func foregroundChanged(of app: RunningApp) {
        let identifier = app.bundle.identifier
        let previous = state.withLock { state in
            defer { state.backgroundWatch = nil }
            return state.backgroundWatch
        }
        previous?.cancel()
        let hasAny = state.withLock { state in
            state.configurations[identifier, default: []].contains { $0.request.joinOnce }
        }
        guard hasAny, !app.isInForeground else { return }
        let limit = phone.policy.joinOnceBackgroundTime
        let watch = Task { [weak self, clock = phone.clock] in
            guard (try? await clock.sleep(for: limit)) != nil, !app.isInForeground, app.isRunning else { return }
            self?.inOrder { network, phone in
                phone.record(
                    .note("Wi-Fi", "\(app.name) was in the background for \(limit): its network of joinOnce ends"))
                await network.forget(of: identifier, on: phone) { $0.request.joinOnce }
            }
        }
        state.withLock { $0.backgroundWatch = watch }
    }
}
