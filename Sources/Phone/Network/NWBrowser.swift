import HILPhone
import HostRadio
import RadioModel
import Synchronization

/// Looks for the services of one type on the network that the phone has joined.
///
/// The type must be in the app's Info.plist under `NSBonjourServices`, and the person must allow the local network;
/// otherwise the state says why. Callbacks are called on the queue that ``start(queue:)`` names, in the order of the
/// events. A browser that the app releases is cancelled.
public final class NWBrowser: Sendable, CustomDebugStringConvertible {
    /// The state of a browser.
    public enum State: Sendable, Equatable {
        /// The browser is not started yet.
        case setup
        /// The browser is looking.
        case ready
        /// It cannot look, and will not try again: `NoAuth` for a type that the app does not declare.
        case failed(NWError)
        /// The app has ended it. No callback follows.
        case cancelled
        /// It cannot look now: `PolicyDenied` while the person does not allow the local network.
        case waiting(NWError)
    }

    /// What to look for.
    public enum Descriptor: Sendable, Equatable {
        /// Services of a type (`_lamp._tcp`), without their TXT records. A nil domain means `local.`.
        case bonjour(type: String, domain: String?)
        /// Services with their TXT records.
        case bonjourWithTXTRecord(type: String, domain: String?)

        var type: String {
            switch self {
            case .bonjour(let type, _), .bonjourWithTXTRecord(let type, _): type
            }
        }

        var domain: String? {
            switch self {
            case .bonjour(_, let domain), .bonjourWithTXTRecord(_, let domain): domain
            }
        }

        var readsText: Bool { if case .bonjourWithTXTRecord = self { true } else { false } }
    }

    /// A service that was found.
    public struct Result: Sendable, Hashable {
        /// Details besides the name.
        public enum Metadata: Sendable, Hashable {
            case none
            /// The TXT record of the service.
            case bonjour(NWTXTRecord)
        }

        /// How the results have changed.
        public enum Change: Sendable, Hashable {
            /// The parts of a result that have changed.
            public struct Flags: OptionSet, Sendable, Hashable {
                public let rawValue: UInt8
                public init(rawValue: UInt8) { self.rawValue = rawValue }

                public static let identical = Flags(rawValue: 1)
                public static let interfaceAdded = Flags(rawValue: 2)
                public static let interfaceRemoved = Flags(rawValue: 4)
                public static let metadataChanged = Flags(rawValue: 8)
            }

            case identical
            case added(Result)
            case removed(Result)
            case changed(old: Result, new: Result, flags: Flags)
        }

        /// The service, for an ``NWConnection``.
        public let endpoint: NWEndpoint
        /// The interfaces on which it was found: the phone's Wi-Fi.
        public let interfaces: [NWInterface]
        public let metadata: Metadata
    }

    private struct Shared {
        var state = State.setup
        var queue: DispatchQueue?
        var onState: (@Sendable (State) -> Void)?
        var onResults: (@Sendable (Set<Result>, Set<Result.Change>) -> Void)?
        var results: [BonjourName: Result] = [:]
        var permission: LinkWatch?
        var search: Task<Void, Never>?
        var browser: (any RadioBrowser)?
    }

    /// The services that the browser looks for.
    public let descriptor: Descriptor
    /// The options of the browser, copied when it was made.
    public let parameters: NWParameters
    private let phone: Phone
    private let app: RunningApp
    private let shared = Mutex(Shared())

    /// Makes a browser that ``start(queue:)`` will start. Ends the program if no app runs on the phone.
    public init(for descriptor: Descriptor, using parameters: NWParameters) {
        (phone, app) = Phone.running
        self.descriptor = descriptor
        self.parameters = parameters.copy()
    }

    deinit { end(silently: true) }

    /// The current state.
    public var state: State { shared.withLock { $0.state } }
    /// The current results.
    public var browseResults: Set<Result> { shared.withLock { Set($0.results.values) } }
    /// The queue of the callbacks; nil before ``start(queue:)``.
    public var queue: DispatchQueue? { shared.withLock { $0.queue } }

    /// Called after each change of ``state``.
    public var stateUpdateHandler: (@Sendable (State) -> Void)? {
        get { shared.withLock { $0.onState } }
        set { shared.update { $0.onState = newValue } }
    }

    /// Called with all results and with the changes since the last call.
    public var browseResultsChangedHandler: (@Sendable (Set<Result>, Set<Result.Change>) -> Void)? {
        get { shared.withLock { $0.onResults } }
        set { shared.update { $0.onResults = newValue } }
    }

    /// Starts looking. A second call has no effect.
    public func start(queue: DispatchQueue) {
        let isFirst = shared.withLock { shared in
            guard shared.queue == nil, shared.state == .setup else { return false }
            shared.queue = queue
            return true
        }
        guard isFirst else { return }
        guard phone.localNetworkAccess.isDeclared(descriptor.type, by: app) else { return enter(.failed(.noAuth)) }
        let watch = phone.localNetworkAccess.watch { [weak self] in self?.permissionChanged() }
        shared.withLock { $0.permission = $0.state == .cancelled ? nil : watch }
        permissionChanged(asking: true)
    }

    /// Ends the browser.
    public func cancel() { end(silently: false) }

    public var debugDescription: String { "[NWBrowser for \(descriptor), \(state)]" }

    // MARK: Looking

    private func permissionChanged(asking: Bool = false) {
        let access = phone.localNetworkAccess
        switch asking ? access.request(for: app) : access.answer(for: app) {
        case .allowed: look()
        case .denied: stop(in: .waiting(.policyDenied))
        // In the foreground the person is asked now. In the background the person is not asked.
        case .undetermined: enter(app.isInForeground ? .ready : .waiting(.policyDenied))
        }
    }

    private func look() {
        let isNew = shared.withLock { shared in
            guard shared.search == nil, shared.state != .cancelled else { return false }
            shared.search = Task { [weak self, phone, descriptor] in
                do {
                    let browser = try await phone.network.browse(
                        NWEndpoint.plainType(descriptor.type), domain: descriptor.domain,
                        readingText: descriptor.readsText)
                    guard self?.keep(browser) ?? false else { return browser.close() }
                    while true {
                        // Waited for first: `self?.take(try await …)` waits for nothing once the app has let the browser go.
                        let changes = try await browser.changes()
                        guard let self else { return browser.close() }
                        take(changes)
                    }
                } catch { self?.searchEnded(error) }
            }
            return true
        }
        if isNew { enter(.ready) }
    }

    private func keep(_ browser: any RadioBrowser) -> Bool {
        shared.withLock { shared in
            guard shared.search != nil else { return false }
            shared.browser = browser
            return true
        }
    }

    private func searchEnded(_ error: any Error) {
        guard shared.withLock({ $0.search != nil }) else { return }
        stop(in: .failed(NWError(bonjour: error)))
    }

    private func take(_ changes: [BonjourChange]) {
        shared.withLock { shared in
            // A search that was ended may still have reported.
            guard shared.search != nil else { return }
            let told = Set(changes.compactMap { Self.apply($0, to: &shared.results) })
            guard !told.isEmpty, let handler = shared.onResults, let queue = shared.queue else { return }
            let results = Set(shared.results.values)
            phone.deliver(to: app, on: queue) { handler(results, told) }
        }
    }

    private static func apply(_ change: BonjourChange, to results: inout [BonjourName: Result]) -> Result.Change? {
        switch change {
        case .found(let name, let text):
            let new = Result(
                endpoint: .service(name: name.name, type: name.type, domain: name.domain, interface: nil),
                interfaces: [.wifi], metadata: text.map { .bonjour(NWTXTRecord(strings: $0)) } ?? .none)
            guard let old = results.updateValue(new, forKey: name) else { return .added(new) }
            return old == new ? nil : .changed(old: old, new: new, flags: .metadataChanged)
        case .lost(let name): return results.removeValue(forKey: name).map { .removed($0) }
        case .otherType: return nil
        }
    }

    // MARK: Ending

    /// Ends the search, and forgets the results without a callback.
    private func stop(in state: State) {
        let browser = shared.withLock { shared in
            shared.search = nil
            shared.results = [:]
            defer { shared.browser = nil }
            return shared.browser
        }
        browser?.close()
        enter(state)
    }

    private func end(silently: Bool) {
        shared.update { if silently { $0.onState = nil } }
        stop(in: .cancelled)
        let watch = shared.update { shared in
            (shared.onState, shared.onResults) = (nil, nil)
            defer { shared.permission = nil }
            return shared.permission
        }
        withExtendedLifetime(watch) {}
    }

    private func enter(_ state: State) {
        shared.withLock { shared in
            guard shared.state != state, shared.state != .cancelled else { return }
            shared.state = state
            guard let handler = shared.onState, let queue = shared.queue else { return }
            switch state {
            case .waiting(let error): phone.note("NWBrowser", "is waiting", error, toldTo: app)
            case .failed(let error): phone.note("NWBrowser", "has failed", error, toldTo: app)
            default: break
            }
            phone.deliver(to: app, on: queue) { handler(state) }
        }
    }
}

extension Phone {
    /// The phone of the running code, and the app on it. Ends the program without an app.
    static var running: (Phone, RunningApp) {
        let phone = Phone.current
        guard let app = phone.app else {
            AppCrash.crash("hil", "Network was used with no app running: launch the app on the phone first")
        }
        return (phone, app)
    }
}
