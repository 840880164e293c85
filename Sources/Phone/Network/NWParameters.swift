import RadioModel
import Synchronization

/// The options of a new connection.
///
/// What this phone has no use for is kept and has no effect: its networks are Wi-Fi, IPv4, and neither expensive nor
/// constrained.
public final class NWParameters: Sendable, CustomDebugStringConvertible {
    struct Values: Sendable {
        var interface = NWInterface.InterfaceType.other
        var prohibited: [NWInterface.InterfaceType] = []
        /// In seconds; 0 is no limit.
        var timeout = 0
        var tls: NWProtocolTLS.Options?
        var transport = InternetTransport.tcp
        /// The options of TCP or UDP that the app gave.
        var transportOptions: NWProtocolOptions?
        var ipOptions = NWProtocolIP.Options()
        var localEndpoint: NWEndpoint?
        var unused = Unused()
    }

    let values = Mutex(Values())

    /// New parameters for plain TCP.
    public init() {}

    /// New parameters for TCP.
    ///
    /// - Parameter tls: The options of TLS; nil for a connection without it.
    public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
        values.withLock { ($0.timeout, $0.tls, $0.transportOptions) = (tcp.connectionTimeout, tls, tcp) }
    }

    /// New parameters for plain TCP, without TLS.
    public class var tcp: NWParameters { NWParameters() }

    /// New parameters for TLS over TCP. This phone has no root certificates, so only an app that decides itself trusts
    /// a server: ``sec_protocol_options_set_verify_block(_:_:_:)``.
    public class var tls: NWParameters { NWParameters(tls: NWProtocolTLS.Options()) }

    /// New parameters for UDP.
    ///
    /// - Parameters:
    ///   - dtls: Nil. DTLS is not simulated: a connection with it waits with `EOPNOTSUPP`.
    ///   - udp: The options of UDP.
    public init(dtls: NWProtocolTLS.Options?, udp: NWProtocolUDP.Options = NWProtocolUDP.Options()) {
        values.withLock { ($0.transport, $0.tls, $0.transportOptions) = (.udp, dtls, udp) }
    }

    /// New parameters for UDP, without DTLS.
    public class var udp: NWParameters { NWParameters(dtls: nil) }

    /// The transport of the data.
    var transport: InternetTransport { values.withLock { $0.transport } }

    /// The kind of interface that a connection must use; `other` means any.
    public var requiredInterfaceType: NWInterface.InterfaceType {
        get { values.withLock { $0.interface } }
        set { values.withLock { $0.interface = newValue } }
    }

    /// The kinds of interface that a connection must not use. Without Wi-Fi it never finds a path.
    public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]? {
        get { values.withLock { $0.prohibited } }
        set { values.withLock { $0.prohibited = newValue ?? [] } }
    }

    /// The required kind of path: one that the phone lacks if Wi-Fi is prohibited.
    var pathType: NWInterface.InterfaceType {
        values.withLock { $0.prohibited.contains(.wifi) ? .cellular : $0.interface }
    }

    /// How long an attempt to connect may take; nil is no limit.
    var timeout: Duration? { values.withLock { $0.timeout > 0 ? .seconds($0.timeout) : nil } }

    /// The options of TLS; nil without it.
    var tls: sec_protocol_options.Values? {
        values.withLock { $0.tls }?.securityProtocolOptions.values.withLock { $0 }
    }

    /// A copy: the app may change the original afterwards.
    public func copy() -> NWParameters {
        let copy = NWParameters()
        var values = values.withLock { $0 }
        values.tls = values.tls?.copy()
        copy.values.withLock { [values] in $0 = values }
        return copy
    }

    public var debugDescription: String {
        values.withLock { "\($0.tls == nil ? "" : "tls, ")\($0.transport)" }
    }
}
