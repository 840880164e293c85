import HIL
import Network
import Synchronization

/// The part of an app that shows the lamps around, by Bonjour.
final class LampFinder: Sendable {
    /// What the person sees.
    enum Screen: Sendable, Equatable {
        case nothing, lamp
        /// “Allow the local network in Settings.”
        case switchInSettings
    }

    let shown = EventLog<Screen>()
    private let explains: Bool
    private let browser = Mutex<NWBrowser?>(nil)

    /// - Parameter explains: Whether it tells the person why it finds nothing.
    init(explains: Bool) {
        self.explains = explains
        lookAgain()
    }

    /// Looks anew, as when the app comes back to the foreground.
    func lookAgain() {
        let search = NWBrowser(for: .bonjour(type: "_lamp._tcp", domain: nil), using: .tcp)
        search.browseResultsChangedHandler = { [shown] results, _ in shown.append(results.isEmpty ? .nothing : .lamp) }
        search.stateUpdateHandler = { [shown, explains] state in
            guard case .waiting(let error) = state else { return }
            let isRefused = error == .dns(DNSServiceErrorType(kDNSServiceErr_PolicyDenied))
            shown.append(explains && isRefused ? .switchInSettings : .nothing)
        }
        browser.withLock { before in
            before?.cancel()
            before = search
        }
        search.start(queue: .main)
    }
}
