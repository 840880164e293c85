import HIL
import HILTiming
import Network
import NetworkExtension

@MainActor private var manager: NEHotspotConfigurationManager { .shared }

/// Applies a configuration of the lamp's network, and returns whether the phone is on it then.
@MainActor
private func joins(_ configuration: NEHotspotConfiguration, on lab: Lab) async throws -> Bool {
    try await lab.step("apply", within: .seconds(30)) { try await manager.apply(configuration) }
    return lab.phone.network.link?.ssid == configuration.ssid
}

private func lampNetwork(hidden: Bool = false) -> NEHotspotConfiguration {
    let network = LampSite.network
    let configuration = NEHotspotConfiguration(ssid: network.ssid, passphrase: network.passphrase ?? "", isWEP: false)
    configuration.hidden = hidden
    return configuration
}

/// An app that does not say that a network is hidden.
///
/// Report: https://github.com/CadisRaziel/plugin_wifi_connect/pull/213
let hiddenNetworkIsJoined = Scenario(
    "A hidden network is joined", .tags("field", .wifi), .covers("W4"), over: AppVersion.axis
) { lab, version in
    try await lab.accessory.powerOn(
        .lamp { lamp in
            lamp.networks = [LampSite.network]
            lamp.networks[0].isHidden = true
        })
    _ = try await lab.phone.launch(GadgetApp.self)
    try await lab.expect(version, "the phone is on the hidden network") {
        try await joins(lampNetwork(hidden: version == .mended), on: lab)
    }
    if version == .broken {
        lab.expect(
            lab.phone.network.nearMisses.contains { "\($0)".contains("it hides its name") },
            "the report says that a network hides its name")
    }
}

/// An access point that encrypts with TKIP for older stations: an iPhone shows “Weak Security” under the network's name.
///
/// Report: https://github.com/espressif/esp-idf/issues/5963
let networkIsNotWeak = Scenario(
    "A network is joined without the warning “Weak Security”", .tags("field", .wifi), .covers("W4", "W19"),
    over: Firmware.axis, Axis("security", [WiFiSecurity.wpa1, .wpa1wpa2])
) { lab, firmware, security in
    _ = try await lab.joinedLamp { if firmware == .broken { $0.networks[0].security = security } }
    let link = try lab.require(lab.phone.network.link, "the phone is on the network")
    lab.expect(
        link.keyManagement, equals: firmware == .broken && security == .wpa1 ? "WPA-PSK" : "WPA2-PSK",
        "the newest key management of the network is used")
    try await lab.expect(firmware, "there is no warning") {
        !lab.phone.log.events.contains { if case .warning("W19", _) = $0.kind { true } else { false } }
    }
    lab.expect(
        try await lab.phone.radio.exchange(LampSite.question, with: link.router, port: 80), equals: LampSite.page,
        "data goes through")
}

/// WPA3 with protected management frames switched off.
///
/// Report: https://github.com/openwrt/openwrt/issues/16039
let networkProtectsItsFrames = Scenario(
    "A WPA3 network is joined, because it protects its management frames", .tags("field", .wifi), .covers("W4"),
    over: Firmware.axis
) { lab, firmware in
    try await lab.accessory.powerOn(
        .lamp { lamp in
            lamp.networks = [LampSite.network]
            lamp.networks[0].security = .wpa3
            lamp.networks[0].lacksProtectedManagement = firmware == .broken
        })
    _ = try await lab.phone.launch(GadgetApp.self)
    try await lab.expect(firmware, "the phone is on the network") { try await joins(lampNetwork(), on: lab) }
    if firmware == .broken {
        lab.expect(
            lab.phone.log.contains(.note(containing: "SAE without protected management frames (RSN capabilities 0x")),
            "the cause is in the story, with the bytes that were heard")
    }
}

let phoneJoinsByTheWeakerWay = Scenario(
    "WPA2/WPA3 without protected management frames is joined by WPA2, and Enhanced Open without a passphrase",
    .tags(.wifi), .covers("W4"), over: Axis("security", [WiFiSecurity.wpa2wpa3, .enhancedOpen])
) { lab, security in
    try await lab.accessory.powerOn(
        .lamp { lamp in
            lamp.networks = [LampSite.network]
            lamp.networks[0].security = security
            if security == .enhancedOpen {
                lamp.networks[0].passphrase = nil
            } else {
                lamp.networks[0].lacksProtectedManagement = true
            }
        })
    _ = try await lab.phone.launch(GadgetApp.self)
    let configuration = security == .enhancedOpen ? NEHotspotConfiguration(ssid: "Lamp 7") : lampNetwork()
    lab.expect(try await joins(configuration, on: lab), "the phone is on the network")
    lab.expect(
        lab.phone.network.link?.keyManagement, equals: security == .enhancedOpen ? "OWE" : "WPA2-PSK",
        "by the key management that the network's beacon allows")
}

// MARK: WPA2-Enterprise

/// What an app does wrong, while the server is right.
private enum Login: String, CaseIterable {
    case right, wrongPassword, wrongServerName, unknownServer
}

/// An app whose login fails, and that is never told why: only the person is.
///
/// Report: https://github.com/lionheart/openradar-mirror/issues/19526
let enterpriseLoginSucceeds = Scenario(
    "An app logs in to a WPA2-Enterprise network by PEAP and EAP-TTLS", .tags("field", .wifi), .covers("W4", "W17"),
    over: Axis("method", [EAPMethod.peap, .ttls]), Axis("login", Login.allCases)
) { lab, method, login in
    let identity = try TLSIdentity.selfSigned(for: "radius.example.com")
    let server = EnterpriseServer(
        presenting: identity, methods: [method], passwords: ["kim": "swordfish"])
    try await lab.accessory.powerOn(.lamp { $0.networks = [.enterprise("Campus", server)] })
    _ = try await lab.phone.launch(GadgetApp.self)
    let settings = NEHotspotEAPSettings()
    settings.supportedEAPTypes = [NSNumber(value: method.rawValue)]
    settings.username = "kim"
    settings.password = login == .wrongPassword ? "sword" : "swordfish"
    settings.trustedServerNames = [login == .wrongServerName ? "radius.example.org" : "radius.example.com"]
    let trusted = login == .unknownServer ? try TLSIdentity.selfSigned(for: "radius.example.com") : identity
    let certificate = try lab.require(
        SecCertificateCreateWithData(nil, Data(trusted.certificate) as CFData), "the certificate can be read")
    lab.expect(settings.setTrustedServerCertificates([certificate]), "the phone takes the certificate")
    let isOn = try await joins(NEHotspotConfiguration(ssid: "Campus", eapSettings: settings), on: lab)
    lab.expect(isOn, equals: login == .right, "the phone is on the network, with the right login only")
    switch login {
    case .right:
        lab.expect(lab.phone.network.link?.keyManagement, equals: "WPA2/IEEE 802.1X/EAP", "by the login")
    case .wrongPassword:
        lab.expect(
            lab.phone.log.contains(.note(containing: "the server refused the login")), "the cause is in the story")
    case .wrongServerName, .unknownServer:
        lab.expect(
            lab.phone.log.contains(.note(containing: "the server's certificate is not trusted")),
            "the cause is in the story")
    }
}

let phoneLogsInByCertificate = Scenario(
    "The phone logs in to a WPA2-Enterprise network by EAP-TLS, with a certificate that the server trusts",
    .tags(.wifi),
    .covers("W4"), over: Axis("certificate", ["trusted", "unknown"])
) { lab, certificate in
    let (identity, phone) = (
        try TLSIdentity.selfSigned(for: "radius.example.com"), try TLSIdentity.selfSigned(for: "kim")
    )
    let trusted = certificate == "trusted" ? phone : try TLSIdentity.selfSigned(for: "kim")
    let server = EnterpriseServer(presenting: identity, methods: [.tls], trusting: [trusted])
    try await lab.accessory.powerOn(.lamp { $0.networks = [.enterprise("Campus", server)] })
    let login = EnterpriseLogin(
        showing: phone, user: "kim", trusting: [identity], serverNames: ["radius.example.com"])
    let credentials = WiFiCredentials(ssid: "Campus", security: .wpa2Enterprise, login: login)
    if certificate == "trusted" {
        let link = try await lab.step("join", within: .seconds(20)) { try await lab.phone.radio.joinWiFi(credentials) }
        lab.expect(link.keyManagement, equals: "WPA2/IEEE 802.1X/EAP", "the phone is on the network by its certificate")
    } else {
        try await lab.expect(throwing: RadioError.self, "the server refuses an unknown certificate") {
            _ = try await lab.step("join in vain", within: .seconds(20)) {
                try await lab.phone.radio.joinWiFi(credentials)
            }
        }
    }
}
