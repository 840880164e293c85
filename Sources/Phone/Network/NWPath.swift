import HILPhone
import RadioModel
import Synchronization

/// The network path of the phone's connections. It always goes over Wi-Fi, because this phone has nothing else.
public struct NWPath: Sendable, Equatable {
    /// Whether connections can use the path.
    public enum Status: Sendable, Equatable {
        case satisfied, unsatisfied, requiresConnection
    }

    /// Why connections cannot use a path.
    public enum UnsatisfiedReason: Sendable, Equatable {
        case notAvailable, cellularDenied, wifiDenied
        /// The person does not allow the app to use the local network.
        case localNetworkDenied
        case vpnInactive
    }

    /// Whether connections can use the path now.
    public let status: Status
    /// Why the path is unsatisfied; `notAvailable` if it is satisfied.
    public let unsatisfiedReason: UnsatisfiedReason
    /// The interfaces of the path: Wi-Fi, or none.
    public let availableInterfaces: [NWInterface]
    /// The router of the network that the phone has joined. On an accessory's own network this is the accessory.
    public let gateways: [NWEndpoint]
    /// The address and the port that a connection has reached, also if it was made to a name; nil for any other path.
    public internal(set) var remoteEndpoint: NWEndpoint?
    /// Always false: Wi-Fi does not count as expensive.
    public let isExpensive = false
    /// Always false: this phone has no Low Data Mode.
    public let isConstrained = false
    /// Always false: the networks here use IPv4.
    public let supportsIPv6 = false
    /// Always false: no network of the phone has a DNS server. Names that end with `.local` are resolved without one.
    public let supportsDNS = false

    /// The path over the joined network; unsatisfied without a network or if an interface other than Wi-Fi is required.
    init(_ link: WiFiLink?, required: NWInterface.InterfaceType = .other, isDenied: Bool = false) {
        unsatisfiedReason = isDenied && link != nil ? .localNetworkDenied : .notAvailable
        guard let link, required == .other || required == .wifi, !isDenied else {
            (status, availableInterfaces, gateways) = (.unsatisfied, [], [])
            return
        }
        status = .satisfied
        availableInterfaces = [.wifi]
        gateways = IPv4Address(link.router).map { [.hostPort(host: .ipv4($0), port: .any)] } ?? []
    }

    /// Whether the phone has joined a network; all networks here use IPv4.
    public var supportsIPv4: Bool { status == .satisfied }

    /// Whether the path goes over an interface of this kind.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
        availableInterfaces.contains { $0.type == type }
    }
}

/// Reports each change of the phone's network path.
public final class NWPathMonitor: Sendable {
    private struct State {
        var queue: DispatchQueue?
        var handler: (@Sendable (NWPath) -> Void)?
        var watch: LinkWatch?
        /// The path that the handler received last.
        var reported: NWPath?
        var isCancelled = false
    }

    private let phone = Phone.current
    private let required: NWInterface.InterfaceType
    private let state = Mutex(State())

    /// Monitors the path over any kind of interface.
    public init() { required = .other }

    /// Monitors the path over one kind of interface; `other` means any.
    public init(requiredInterfaceType: NWInterface.InterfaceType) { required = requiredInterfaceType }

    /// Called on the queue with the current path after ``start(queue:)``, and after each change.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// The queue of ``pathUpdateHandler``; nil before ``start(queue:)``.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    /// The path at this moment.
    public var currentPath: NWPath { NWPath(phone.network.link, required: required) }

    /// Starts reporting. A second call has no effect, and neither has a call after ``cancel()``.
    public func start(queue: DispatchQueue) {
        let isFirst = state.withLock { state in
            guard state.queue == nil, !state.isCancelled else { return false }
            state.queue = queue
            return true
        }
        guard isFirst else { return }
        let watch = phone.network.watchLink { [weak self] in self?.report() }
        state.withLock { $0.watch = $0.isCancelled ? nil : watch }
        report()
    }

    /// Stops. The handler is not called afterwards.
    public func cancel() {
        let watch = state.withLock { state in
            state.isCancelled = true
            state.handler = nil
            defer { state.watch = nil }
            return state.watch
        }
        withExtendedLifetime(watch) {}
    }

    private func report() {
        guard let app = phone.app else { return }
        state.withLock { state in
            let path = currentPath
            guard let queue = state.queue, !state.isCancelled, path != state.reported else { return }
            state.reported = path
            phone.deliver(to: app, on: queue) { [weak self] in self?.pathUpdateHandler?(path) }
        }
    }
}
