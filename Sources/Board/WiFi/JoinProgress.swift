import RadioModel

/// Decides from the supplicant's events whether joining a network has succeeded or failed.
///
/// Pure: events in, a verdict out as soon as it is known.
package struct JoinProgress: Sendable {
    package enum Verdict: Sendable, Equatable {
        case joined
        case failed(RadioError)
    }

    /// How many searches may miss the network. The first uses old results, and a scan can miss a beacon.
    static let looksWithoutNetwork = 3
    /// How many attempts may fail for reasons other than the key.
    static let failedAttempts = 2

    private let ssid: String
    private let network: Int
    private let security: WiFiSecurity
    private var missed = 0
    private var failures = 0

    /// - Parameters:
    ///   - ssid: The name of the network, for errors.
    ///   - network: The number of the network in the supplicant.
    ///   - security: How the phone joins it. Only a passphrase can be wrong.
    package init(ssid: String, network: Int, security: WiFiSecurity) {
        self.ssid = ssid
        self.network = network
        self.security = security
    }

    /// Handles an event; returns the verdict when it is known.
    package mutating func accept(_ event: ControlEvent) -> Verdict? {
        switch event.name {
        case "CTRL-EVENT-CONNECTED" where event.number("id") == network:
            return .joined
        case "CTRL-EVENT-NETWORK-NOT-FOUND":
            missed += 1
            return missed < JoinProgress.looksWithoutNetwork ? nil : .failed(.networkNotFound(ssid: ssid))
        case "CTRL-EVENT-SSID-TEMP-DISABLED" where event.number("id") == network:
            if event.field("reason") == "WRONG_KEY" { return .failed(.wrongPassphrase(ssid: ssid)) }
            return failed("the access point refused \(event.number("auth_failures") ?? 0) times", isFinal: true)
        case "CTRL-EVENT-AUTH-REJECT":
            // SAE: the access point could not confirm our key (IEEE 802.11-2020, table 9-50: 15, challenge failure;
            // hostapd also sends 1, unspecified).
            let status = event.number("status_code") ?? 0
            if event.number("auth_type") == 3, status == 15 || status == 1 {
                return .failed(.wrongPassphrase(ssid: ssid))
            }
            return failed("authentication was refused with status \(status)")
        case "CTRL-EVENT-ASSOC-REJECT":
            return failed("association was refused with status \(event.number("status_code") ?? 0)")
        case "CTRL-EVENT-EAP-TLS-CERT-ERROR":
            let cause = event.field("err") ?? event.text
            return .failed(.associationFailed(ssid: ssid, reason: "the server's certificate is not trusted: \(cause)"))
        case "CTRL-EVENT-EAP-FAILURE":
            return .failed(.associationFailed(ssid: ssid, reason: "the server refused the login (EAP-Failure)"))
        case "CTRL-EVENT-DISCONNECTED" where event.number("reason") == 15:
            // Timeout of the 4-way handshake: the access point did not get proof of the key (table 9-49). Without a
            // passphrase, both have a key of another exchange: an access point that is slow to compute Enhanced Open gets
            // the station's request twice, and derives two.
            return security.hasPassphrase
                ? .failed(.wrongPassphrase(ssid: ssid)) : failed("the access point ended the 4-way handshake")
        default:
            return nil
        }
    }

    private mutating func failed(_ reason: String, isFinal: Bool = false) -> Verdict? {
        failures += 1
        guard isFinal || failures >= JoinProgress.failedAttempts else { return nil }
        return .failed(.associationFailed(ssid: ssid, reason: reason))
    }
}
