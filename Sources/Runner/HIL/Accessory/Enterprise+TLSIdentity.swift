import BoardProtocol
import HILTLS
import RadioModel

extension EnterpriseServer {
    /// A server that presents this identity.
    ///
    /// - Parameters:
    ///   - passwords: By user, for `ttls` and `peap`.
    ///   - phones: The identities of phones, or their roots, that may log in by `tls`.
    public init(
        presenting identity: TLSIdentity, methods: [EAPMethod], passwords: [String: String] = [:],
        trusting phones: [TLSIdentity] = []
    ) {
        self.init(
            methods: methods, certificate: identity.certificate, key: identity.key, passwords: passwords,
            trusting: phones.map(\.certificate))
    }
}

extension EnterpriseLogin {
    /// A login by `tls`, with this identity of the phone.
    ///
    /// - Parameter servers: The identities of servers, or their roots, that the phone trusts.
    public init(
        showing identity: TLSIdentity, user: String, trusting servers: [TLSIdentity], serverNames: [String] = []
    ) {
        self.init(
            methods: [.tls], user: user, trusting: servers.map(\.certificate), serverNames: serverNames,
            certificate: identity.certificate, key: identity.key)
    }
}

extension NetworkConfiguration {
    /// A WPA2-Enterprise network with its own authentication server.
    public static func enterprise(_ ssid: String, _ server: EnterpriseServer, channel: Int = 1) -> NetworkConfiguration
    {
        var network = NetworkConfiguration(ssid: ssid, security: .wpa2Enterprise, channel: channel)
        network.server = server
        return network
    }
}
