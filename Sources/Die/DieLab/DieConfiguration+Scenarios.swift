import BoardProtocol
import DieControl
import DieProtocol
import HIL
import RadioModel

extension DieConfiguration {
    /// A die out of its box.
    ///
    /// - Parameters:
    ///   - name: What it advertises, and the name of its network.
    ///   - security: How its network keeps strangers out; nil opens no network.
    ///   - passphrase: Of that network, 8 to 63 characters.
    ///   - channel: Of that network: 1 to 13, 36, 40, 44, 48, 149, 153, 157, 161 or 165.
    ///   - advertising: What it says of itself beside the name; by default its service.
    ///   - cipherSuites: How it agrees on keys for notifications, the best first.
    ///   - relay: Where its maker's relay is: ``HIL/Internet/address``; nil for a die with no way into the internet.
    ///   - misbehaviour: What it does wrong with notifications, each once, in this order.
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
