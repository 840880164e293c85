import HILTLS
import Synchronization

/// TLS.
public enum NWProtocolTLS {
    /// The options of TLS. A connection copies them when it is made.
    public final class Options: NWProtocolOptions, @unchecked Sendable {  // A lock guards the values.
        /// The values that the functions `sec_protocol_options_…` set.
        public let securityProtocolOptions: sec_protocol_options_t

        public override init() { securityProtocolOptions = sec_protocol_options() }

        init(_ values: sec_protocol_options.Values) { securityProtocolOptions = sec_protocol_options(values) }

        /// A copy for a connection: the app may change the original afterwards.
        func copy() -> Options { Options(securityProtocolOptions.values.withLock { $0 }) }
    }
}

/// A version of TLS.
public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv10 = 0x0301
    case TLSv11 = 0x0302
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
    case DTLSv10 = 0xFEFF
    case DTLSv12 = 0xFEFD
}

/// The options of TLS for one connection.
public final class sec_protocol_options: Sendable {
    struct Values: Sendable {
        var options = TLSSession.Options()
        /// The name that the server is asked for, and that its certificate has to have; nil for that of the endpoint.
        var serverName: String?
        var verification: Verification?
    }

    /// The app's decision whether to trust a server.
    struct Verification: @unchecked Sendable {  // Called only on its queue, as Apple's is.
        let block: sec_protocol_verify_t
        let queue: DispatchQueue
    }

    let values: Mutex<Values>

    init(_ values: Values = Values()) { self.values = Mutex(values) }
}

public typealias sec_protocol_options_t = sec_protocol_options

/// The values on which both sides of a connection have agreed.
public final class sec_protocol_metadata: Sendable {
    let session: TLSSession

    init(_ session: TLSSession) { self.session = session }
}

public typealias sec_protocol_metadata_t = sec_protocol_metadata

/// Takes the app's decision: whether to trust the server.
public typealias sec_protocol_verify_complete_t = (Bool) -> Void
/// Decides whether to trust a server, and calls the last argument once.
public typealias sec_protocol_verify_t = (
    sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t
) -> Void

/// Lets the app decide whether to trust a server, in place of the system.
public func sec_protocol_options_set_verify_block(
    _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t,
    _ verify_block_queue: DispatchQueue
) {
    let verification = sec_protocol_options.Verification(block: verify_block, queue: verify_block_queue)
    options.values.withLock { $0.verification = verification }
}

/// Sets the lowest version of TLS. Versions below 1.2 count as 1.2, because Debian's OpenSSL has no lower one.
public func sec_protocol_options_set_min_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
    options.values.withLock { $0.options.minimum = version == .TLSv13 ? .v1_3 : .v1_2 }
}

/// Sets the highest version of TLS.
public func sec_protocol_options_set_max_tls_protocol_version(
    _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
    options.values.withLock { $0.options.maximum = version == .TLSv13 ? .v1_3 : .v1_2 }
}

/// Adds the name of a protocol that the app speaks over TLS (ALPN), after the earlier ones.
public func sec_protocol_options_add_tls_application_protocol(
    _ options: sec_protocol_options_t, _ application_protocol: UnsafePointer<CChar>
) {
    let name = String(cString: application_protocol)
    options.values.withLock { $0.options.applicationProtocols.append(name) }
}

/// Sets the name that the server is asked for, and that its certificate has to have.
public func sec_protocol_options_set_tls_server_name(
    _ options: sec_protocol_options_t, _ server_name: UnsafePointer<CChar>
) {
    let name = String(cString: server_name)
    options.values.withLock { $0.serverName = name }
}

/// Has no effect on an app that connects: a server is always checked, by the system or by the app.
public func sec_protocol_options_set_peer_authentication_required(
    _ options: sec_protocol_options_t, _ peer_authentication_required: Bool
) {}

@available(*, unavailable, message: "TLS with a pre-shared key is not simulated: use a certificate")
public func sec_protocol_options_add_pre_shared_key(
    _ options: sec_protocol_options_t, _ psk: Any, _ psk_identity: Any
) {}

@available(*, unavailable, message: "the phone's side of TLS shows no certificate")
public func sec_protocol_options_set_local_identity(_ options: sec_protocol_options_t, _ identity: Any) {}

/// The protocol that both sides agreed on (ALPN); nil for none. Release it by `free`.
public func sec_protocol_metadata_copy_negotiated_protocol(
    _ metadata: sec_protocol_metadata_t
) -> UnsafePointer<CChar>? {
    metadata.session.applicationProtocol.map { UnsafePointer(strdup($0)) }
}

/// The version that both sides agreed on.
public func sec_protocol_metadata_get_negotiated_tls_protocol_version(
    _ metadata: sec_protocol_metadata_t
) -> tls_protocol_version_t {
    tls_protocol_version_t(rawValue: metadata.session.version.rawValue) ?? .TLSv12
}
