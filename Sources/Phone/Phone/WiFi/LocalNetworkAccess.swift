import Foundation
import RadioModel
import Synchronization

extension Phone {
    /// Which apps may use the local network.
    public var localNetworkAccess: LocalNetworkAccess { part() }
}

/// The person's permission for apps to use the local network (W8).
///
/// Source: Apple, TN3179, “Understanding local network privacy”.
public final class LocalNetworkAccess: PhoneComponent {
    /// The permission of an app.
    public enum Answer: Sendable, Hashable {
        /// The person has allowed it.
        case allowed
        /// The person has refused it.
        case denied
        /// The person has not answered yet, or was not asked because the app is in the background.
        case undetermined
    }

    private struct State {
        /// By the app's bundle identifier.
        var answers: [String: Bool] = [:]
        var questions: [String: Task<Void, Never>] = [:]
        var watches: [Int: @Sendable () -> Void] = [:]
        var lastWatch = 0
    }

    private unowned let phone: Phone
    private let state = Mutex(State())

    package init(phone: Phone) { self.phone = phone }

    /// The permission of an app, without asking.
    public func answer(for app: RunningApp) -> Answer {
        state.withLock { $0.answers[app.bundle.identifier] }.map { $0 ? .allowed : .denied } ?? .undetermined
    }

    /// The permission of an app that wants to use the local network now. If it is undetermined, the person is asked, as
    /// long as the app is in the foreground; a watch reports the answer.
    package func request(for app: RunningApp) -> Answer {
        let known = answer(for: app)
        if known == .undetermined, app.isInForeground { ask(for: app) }
        return answer(for: app)
    }

    /// Whether an app's Info.plist declares a service type. If it does not, that is a warning.
    package func isDeclared(_ type: String, by app: RunningApp) -> Bool {
        let isDeclared = app.propertyList.declares(serviceType: type)
        if !isDeclared { phone.warn(of: .undeclaredService(type)) }
        return isDeclared
    }

    static let multicastEntitlement = "com.apple.developer.networking.multicast"

    /// Whether an app may send datagrams to an address (W15): those for several hosts need an entitlement. Without it, that is a
    /// warning.
    package func allowsDatagrams(to address: String, by app: RunningApp) -> Bool {
        guard phone.network.isForSeveral(address), !app.entitlements.contains(Self.multicastEntitlement) else {
            return true
        }
        phone.warn(of: .noMulticastEntitlement(address))
        return false
    }

    /// Whether an app may speak HTTP without TLS to a host, by its name (W14). If not, that is a warning.
    package func allowsInsecureLoad(from host: String, by app: RunningApp) -> Bool {
        let isAllowed = app.propertyList.transportSecurity.allowsInsecureLoads(from: host)
        if !isAllowed { phone.warn(of: .insecureLoad(host: host)) }
        return isAllowed
    }

    /// The apps that may not use the local network.
    var refused: [String] { state.withLock { $0.answers.filter { !$0.value }.map(\.key).sorted() } }

    /// The person's choice in Settings.
    public func set(_ isAllowed: Bool, for app: String) {
        let watches = state.withLock { state -> [Int: @Sendable () -> Void] in
            guard state.answers.updateValue(isAllowed, forKey: app) != isAllowed else { return [:] }
            return state.watches
        }
        phone.record(.note("local network", "\(app) may \(isAllowed ? "use" : "not use") it"))
        for watch in watches.values { watch() }
    }

    /// Calls `body` after each answer, on any thread.
    ///
    /// - Returns: An object to keep: the calls end when it is released.
    package func watch(_ body: @escaping @Sendable () -> Void) -> LinkWatch {
        let number = state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = body
            return state.lastWatch
        }
        return LinkWatch { [weak self] in self?.state.withLock { _ = $0.watches.removeValue(forKey: number) } }
    }

    private func ask(for app: RunningApp) {
        let identifier = app.bundle.identifier
        let screen = Screen(
            .localNetworkPermission, title: "Allow “\(app.name)” to find devices on local networks?",
            lines: [
                app.propertyList.localNetworkUsage
                    ?? "This will allow the app to discover, connect to, and collect data from devices on your networks."
            ], controls: [.deny, .allow], willing: .allow)
        let isFirst = state.withLock { state in
            guard state.questions[identifier] == nil else { return false }
            state.questions[identifier] = Task { [phone] in
                if let answer = try? await phone.display.ask(screen) { self.set(answer == .allow, for: identifier) }
                self.state.withLock { $0.questions[identifier] = nil }
            }
            return true
        }
        if isFirst, app.propertyList.localNetworkUsage == nil { phone.warn(of: .noLocalNetworkUsage) }
    }

    package func deleted(_ app: String) { state.withLock { $0.answers[app] = nil } }

    package func ended(_ app: RunningApp) {
        state.withLock { $0.questions.removeValue(forKey: app.bundle.identifier) }?.cancel()
    }
}
