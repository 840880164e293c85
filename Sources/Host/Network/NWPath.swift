import Phone
import RadioModel
import Synchronization

/// The ways by which connections leave the phone: its Wi-Fi, for it has no other.
public struct NWPath: Sendable, Equatable {
    /// Whether connections can use the path.
    public enum Status: Sendable, Equatable {
        case satisfied, unsatisfied, requiresConnection
    }

    public let status: Status
    public let availableInterfaces: [NWInterface]
    /// The routers of the networks that the phone is on; on an accessory's own network the accessory.
    public let gateways: [NWEndpoint]
    public let isExpensive = false
    public let isConstrained = false
    public let supportsIPv6 = false
    /// Nobody on the phone's networks resolves names.
    public let supportsDNS = false

    /// The path over the network that the phone is on, where that is of the kind that is asked for.
    init(_ link: WiFiLink?, required: NWInterface.InterfaceType = .other) {
        guard let link, required == .other || required == .wifi else {
            (status, availableInterfaces, gateways) = (.unsatisfied, [], [])
            return
        }
        status = .satisfied
        availableInterfaces = [.wifi]
        gateways = IPv4Address(link.router).map { [.hostPort(host: .ipv4($0), port: .any)] } ?? []
    }

    public var supportsIPv4: Bool { status == .satisfied }

    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        availableInterfaces.contains { $0.type == type }
    }
}

/// Tells how the phone's way to the network changes.
public final class NWPathMonitor: Sendable {
    private struct State {
        var queue: DispatchQueue?
        var handler: (@Sendable (NWPath) -> Void)?
        var watch: LinkWatch?
        /// What was told last.
        var told: NWPath?
        var isCancelled = false
    }

    private let phone = Phone.current
    private let required: NWInterface.InterfaceType
    private let state = Mutex(State())

    /// Of every kind of interface.
    public init() { required = .other }

    public init(requiredInterfaceType: NWInterface.InterfaceType) { required = requiredInterfaceType }

    /// Called on the queue with the path as it is, and each time that it has changed.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// Where ``pathUpdateHandler`` is called; nil before ``start(queue:)``.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    public var currentPath: NWPath { NWPath(phone.network.link, required: required) }

    /// Begins; a second call has no effect, nor has one after ``cancel()``.
    public func start(queue: DispatchQueue) {
        let isFirst = state.withLock { state in
            guard state.queue == nil, !state.isCancelled else { return false }
            state.queue = queue
            return true
        }
        guard isFirst else { return }
        let watch = phone.network.watchLink { [weak self] in self?.tell() }
        state.withLock { $0.watch = $0.isCancelled ? nil : watch }
        tell()
    }

    /// Ends it; nothing is told afterwards.
    public func cancel() {
        let watch = state.withLock { state in
            state.isCancelled = true
            state.handler = nil
            defer { state.watch = nil }
            return state.watch
        }
        withExtendedLifetime(watch) {}
    }

    private func tell() {
        guard let app = phone.app else { return }
        state.withLock { state in
            let path = currentPath
            guard let queue = state.queue, !state.isCancelled, path != state.told else { return }
            state.told = path
            phone.deliver(to: app, on: queue) { [weak self] in self?.pathUpdateHandler?(path) }
        }
    }
}
