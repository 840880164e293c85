import RadioModel
import Synchronization

// The options that this phone has little use for. Source: Network, NWParameters.

extension NWParameters {
    /// What data is for. Raw values are not Apple's.
    public enum ServiceClass: Sendable, Hashable {
        case bestEffort, background, interactiveVideo, interactiveVoice, responsiveData, signaling
    }

    /// Whether a connection may use several interfaces.
    public enum MultipathServiceType: Sendable, Hashable {
        case disabled, handover, interactive, aggregate
    }

    /// Whether an address that is no longer valid may be tried.
    public enum ExpiredDNSBehavior: Sendable, Hashable {
        case systemDefault, allow, prohibit, persistent
    }

    /// Who is the cause of a connection.
    public enum Attribution: Sendable, Hashable {
        case developer, user
    }

    /// What is kept without effect.
    struct Unused: Sendable {
        var interface: NWInterface?
        var prohibitedInterfaces: [NWInterface] = []
        var reusesEndpoint = false
        var isLocalOnly = false
        var includesPeers = false
        var opensFast = false
        var prohibitsExpensive = false
        var prohibitsConstrained = false
        var avoidsProxies = false
        var serviceClass = ServiceClass.bestEffort
        var multipath = MultipathServiceType.disabled
        var expiredDNS = ExpiredDNSBehavior.systemDefault
        var attribution = Attribution.developer
        var requiresDNSSEC = false
    }

    private subscript<Value>(unused keyPath: WritableKeyPath<Unused, Value> & Sendable) -> Value {
        get { values.withLock { $0.unused[keyPath: keyPath] } }
        set { values.withLock { $0.unused[keyPath: keyPath] = newValue } }
    }

    /// The address and the port of this phone. A listener without a port of its own listens on this port. A connection
    /// gets its port from the phone in any case.
    public var requiredLocalEndpoint: NWEndpoint? {
        get { values.withLock { $0.localEndpoint } }
        set { values.withLock { $0.localEndpoint = newValue } }
    }

    /// The port of ``requiredLocalEndpoint``; `any` without one.
    var localPort: NWEndpoint.Port {
        if case .hostPort(_, let port)? = requiredLocalEndpoint { port } else { .any }
    }

    /// No effect: the phone has one interface.
    public var requiredInterface: NWInterface? {
        get { self[unused: \.interface] }
        set { self[unused: \.interface] = newValue }
    }

    /// No effect; see ``prohibitedInterfaceTypes``.
    public var prohibitedInterfaces: [NWInterface]? {
        get { self[unused: \.prohibitedInterfaces] }
        set { self[unused: \.prohibitedInterfaces] = newValue ?? [] }
    }

    /// No effect: a port is free as soon as its listener has ended.
    public var allowLocalEndpointReuse: Bool {
        get { self[unused: \.reusesEndpoint] }
        set { self[unused: \.reusesEndpoint] = newValue }
    }

    /// No effect: only hosts of the joined network reach a listener.
    public var acceptLocalOnly: Bool {
        get { self[unused: \.isLocalOnly] }
        set { self[unused: \.isLocalOnly] = newValue }
    }

    /// No effect: the phone has no peer-to-peer Wi-Fi.
    public var includePeerToPeer: Bool {
        get { self[unused: \.includesPeers] }
        set { self[unused: \.includesPeers] = newValue }
    }

    /// No effect.
    public var allowFastOpen: Bool {
        get { self[unused: \.opensFast] }
        set { self[unused: \.opensFast] = newValue }
    }

    /// No effect: Wi-Fi is not expensive.
    public var prohibitExpensivePaths: Bool {
        get { self[unused: \.prohibitsExpensive] }
        set { self[unused: \.prohibitsExpensive] = newValue }
    }

    /// No effect: the phone has no Low Data Mode.
    public var prohibitConstrainedPaths: Bool {
        get { self[unused: \.prohibitsConstrained] }
        set { self[unused: \.prohibitsConstrained] = newValue }
    }

    /// No effect: the phone has no proxies.
    public var preferNoProxies: Bool {
        get { self[unused: \.avoidsProxies] }
        set { self[unused: \.avoidsProxies] = newValue }
    }

    /// No effect.
    public var serviceClass: ServiceClass {
        get { self[unused: \.serviceClass] }
        set { self[unused: \.serviceClass] = newValue }
    }

    /// No effect.
    public var multipathServiceType: MultipathServiceType {
        get { self[unused: \.multipath] }
        set { self[unused: \.multipath] = newValue }
    }

    /// No effect: only Bonjour resolves names.
    public var expiredDNSBehavior: ExpiredDNSBehavior {
        get { self[unused: \.expiredDNS] }
        set { self[unused: \.expiredDNS] = newValue }
    }

    /// No effect.
    public var attribution: Attribution {
        get { self[unused: \.attribution] }
        set { self[unused: \.attribution] = newValue }
    }

    /// No effect: only Bonjour resolves names.
    public var requiresDNSSECValidation: Bool {
        get { self[unused: \.requiresDNSSEC] }
        set { self[unused: \.requiresDNSSEC] = newValue }
    }

    /// The protocols of a connection, by their layers.
    public final class ProtocolStack: Sendable {
        private let parameters: NWParameters

        fileprivate init(of parameters: NWParameters) { self.parameters = parameters }

        /// TLS, or nothing. Protocols of an app's own are not simulated: only TLS can be set.
        public var applicationProtocols: [NWProtocolOptions] {
            get { parameters.values.withLock { [$0.tls].compactMap(\.self) } }
            set {
                parameters.values.withLock { $0.tls = newValue.lazy.compactMap { $0 as? NWProtocolTLS.Options }.first }
            }
        }

        /// The options of TCP or UDP. Set other parameters to change them.
        public var transportProtocol: NWProtocolOptions? {
            parameters.values.withLock { values in
                values.transportOptions
                    ?? (values.transport == .udp ? NWProtocolUDP.Options() : NWProtocolTCP.Options())
            }
        }

        /// The options of IP: `NWProtocolIP.Options`.
        public var internetProtocol: NWProtocolOptions? { parameters.values.withLock { $0.ipOptions } }
    }

    /// The protocols of a connection, by their layers.
    public var defaultProtocolStack: ProtocolStack { ProtocolStack(of: self) }
}

/// IP.
public enum NWProtocolIP {
    /// The options of IP. The networks of this phone use IPv4, whatever they say.
    public final class Options: NWProtocolOptions, @unchecked Sendable {  // A lock guards the values.
        public enum Version: Sendable, Hashable {
            case any, v4, v6
        }

        public enum AddressPreference: Sendable, Hashable {
            case `default`, temporary, stable
        }

        private struct Values: Sendable {
            var version = Version.any
            var hopLimit: UInt8 = 0
            var useMinimumMTU = false
            var disableFragmentation = false
            var shouldCalculateReceiveTime = false
            var disableMulticastLoopback = false
            var preference = AddressPreference.default
        }

        private let values = Mutex(Values())

        override init() {}

        public var version: Version {
            get { values.withLock { $0.version } }
            set { values.withLock { $0.version = newValue } }
        }

        public var hopLimit: UInt8 {
            get { values.withLock { $0.hopLimit } }
            set { values.withLock { $0.hopLimit = newValue } }
        }

        public var useMinimumMTU: Bool {
            get { values.withLock { $0.useMinimumMTU } }
            set { values.withLock { $0.useMinimumMTU = newValue } }
        }

        public var disableFragmentation: Bool {
            get { values.withLock { $0.disableFragmentation } }
            set { values.withLock { $0.disableFragmentation = newValue } }
        }

        public var shouldCalculateReceiveTime: Bool {
            get { values.withLock { $0.shouldCalculateReceiveTime } }
            set { values.withLock { $0.shouldCalculateReceiveTime = newValue } }
        }

        public var disableMulticastLoopback: Bool {
            get { values.withLock { $0.disableMulticastLoopback } }
            set { values.withLock { $0.disableMulticastLoopback = newValue } }
        }

        public var localAddressPreference: AddressPreference {
            get { values.withLock { $0.preference } }
            set { values.withLock { $0.preference = newValue } }
        }
    }
}
