import HIL
import NetworkExtension

/// The weak lamp's own network is open.
package let openNetwork = Scenario(
    "A lamp with a network of its own is set up", .audits(AuditExpectations(shows: .number)), .needs(.wifi),
    over: Build.axis
) { lab, build in
    try await lab.setUp(
        .lamp(network: build == .weak ? NetworkConfiguration(ssid: "Lamp", security: .open) : .hardened))
}

/// The weak lamp's own network takes the first WPA with TKIP, too.
package let oldCipher = Scenario(
    "A lamp with an encrypted network of its own is set up", .audits(AuditExpectations(shows: .number)), .needs(.wifi),
    over: Build.axis
) { lab, build in try await lab.setUp(.lamp(network: build == .weak ? .protected(by: .wpa1wpa2) : .hardened)) }

/// Anybody can send stations of the weak lamp's own network away.
package let unprotectedFrames = Scenario(
    "A lamp with a network of its own is set up, and keeps its stations", .audits(AuditExpectations(shows: .number)),
    .needs(.wifi), over: Build.axis
) { lab, build in try await lab.setUp(.lamp(network: build == .weak ? .protected(by: .wpa2) : .hardened)) }

/// The weak lamp's own network offers Wi-Fi Protected Setup.
package let setupButton = Scenario(
    "A lamp whose network takes only its passphrase is set up", .audits(AuditExpectations(shows: .number)),
    .needs(.wifi), over: Build.axis
) { lab, build in
    var network = NetworkConfiguration.hardened
    network.hasWPS = build == .weak
    try await lab.setUp(.lamp(network: network))
}

/// The weak lamp's passphrase is the end of its access point's address.
package let derivedPassphrase = Scenario(
    "A lamp with a passphrase of its own is set up", .audits(AuditExpectations(shows: .number)), .needs(.wifi),
    over: Build.axis
) { lab, build in
    var network = NetworkConfiguration.hardened
    if build == .weak { network.passphrase = "00000200" }
    try await lab.setUp(.lamp(network: network))
}

/// The weak lamp's passphrase is its serial number, which anybody reads.
package let printedPassphrase = Scenario(
    "A lamp with a serial number and a passphrase is set up", .audits(AuditExpectations(shows: .number)), .needs(.wifi),
    over: Build.axis
) { lab, build in
    let serial = "HT77-204-1138"
    var network = NetworkConfiguration.hardened
    if build == .weak { network.passphrase = serial }
    var lamp = Peripheral.lamp(network: network)
    lamp.services.append(.service("180A", [.characteristic("2A25", .read, value: Array(serial.utf8))]))
    try await lab.setUp(lamp)
}

/// The weak lamp's passphrase is that of many products. Its network has WPA3, so that nobody can try passphrases alone.
package let defaultPassphrase = Scenario(
    "A lamp with a passphrase of its own and WPA3 is set up", .audits(AuditExpectations(shows: .number)), .needs(.wifi),
    over: Build.axis
) { lab, build in
    let passphrase = build == .weak ? "12345678" : NetworkConfiguration.secret
    try await lab.setUp(.lamp(network: .protected(by: .wpa3, passphrase)))
}

/// Guests of the weak lamp's own network reach each other.
package let guestsMeet = Scenario(
    "A lamp whose network has several guests is set up", .audits(AuditExpectations(shows: .number)), .needs(.wifi),
    over: Build.axis
) { lab, build in
    var network = NetworkConfiguration.hardened
    network.isolatesStations = build == .hardened
    try await lab.setUp(.lamp(network: network))
}

extension NetworkConfiguration {
    /// A passphrase that nothing on the air tells.
    static let secret = "cinder fjord walnut"

    /// WPA2 with protected management frames.
    static var hardened: NetworkConfiguration {
        var network = protected(by: .wpa2)
        network.requiresProtectedManagement = true
        network.isolatesStations = true
        return network
    }

    static func protected(by security: WiFiSecurity, _ passphrase: String = secret) -> NetworkConfiguration {
        NetworkConfiguration(ssid: "Lamp", security: security, passphrase: passphrase)
    }
}

extension Peripheral {
    /// A lamp with a network of its own.
    static func lamp(network: NetworkConfiguration) -> Peripheral {
        var lamp = Peripheral.lamp()
        lamp.networks = [network]
        return lamp
    }
}

extension Lab {
    /// The owner's app joins the lamp's own network, and leaves it again.
    func visit(_ network: NetworkConfiguration) async throws {
        phone.person.will(.allow)
        try await step("join", within: .seconds(20)) {
            try await NEHotspotConfigurationManager.shared.apply(
                network.passphrase.map { NEHotspotConfiguration(ssid: network.ssid, passphrase: $0, isWEP: false) }
                    ?? NEHotspotConfiguration(ssid: network.ssid))
        }
        expect(phone.network.link?.ssid, equals: network.ssid, "the phone is on the lamp's network")
        NEHotspotConfigurationManager.shared.removeConfiguration(forSSID: network.ssid)
    }
}
