import BoardProtocol
import DieProtocol
import HIL
import RadioModel

extension DieConfiguration {
    /// A new die.
    ///
    /// - Parameters:
    ///   - name: The name that it advertises and the name of its network.
    ///   - security: The security of its network; nil for no network.
    ///   - passphrase: The passphrase of the network, 8 to 63 characters.
    ///   - channel: The channel of the network: 1 to 13, 36, 40, 44, 48, 149, 153, 157, 161 or 165.
    ///   - advertising: The advertised fields in addition to the name; by default its service.
    ///   - cipherSuites: The cipher suites for notifications, the best first.
    ///   - relay: The address of its maker's relay: ``HIL/Internet/address``; nil for a die without internet access.
    ///   - misbehaviour: Its faults with notifications, each once, in this order.
    package static func die(
        named name: String, security: WiFiSecurity? = nil, passphrase: String = "seven is a prime", channel: Int = 1,
        pairing: Pairing = .accepts, advertising: DieAdvertising = DieAdvertising(),
        cipherSuites: [CipherSuite] = CipherSuite.allCases, relay: String? = nil, misbehaviour: [Misbehaviour] = []
    ) -> DieConfiguration {
        let networks = security.map { security in
            [
                NetworkConfiguration(
                    ssid: name, security: security, passphrase: security == .open ? nil : passphrase, channel: channel)
            ]
        }
        return DieConfiguration(
            name: name, advertising: advertising, pairing: pairing, networks: networks ?? [],
            cipherSuites: cipherSuites, relay: relay, misbehaviour: misbehaviour)
    }
}
