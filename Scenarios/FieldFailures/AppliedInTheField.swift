import HIL
import HILTiming
import Network
import NetworkExtension

@MainActor private var manager: NEHotspotConfigurationManager { .shared }

/// An app that may ask which network the phone is on.
@MainActor
final class NetworkReader: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        var bundle = GadgetApp.bundle
        bundle.identifier = "com.example.network-reader"
        bundle.entitlements = (bundle.infoPlist as NSString).deletingLastPathComponent + "/WiFiInfo.entitlements"
        return bundle
    }

    init() async throws {}

    /// Applies a configuration, and returns whether the app takes the phone to be on the network.
    ///
    /// - Parameter looks: Whether the app looks, for as long as an attempt to join may take.
    func joins(_ configuration: NEHotspotConfiguration, andLooks looks: Bool, on lab: Lab) async throws -> Bool {
        try await manager.apply(configuration)
        guard looks else { return true }
        do {
            try await lab.becomes("the phone is on the network, or the person was told", within: .seconds(15)) {
                lab.phone.network.link?.ssid == configuration.ssid
                    || lab.phone.shownScreens.contains { $0.kind == .joinFailed }
            }
        } catch is TimedOut { return false }
        return await NEHotspotNetwork.fetchCurrent()?.ssid == configuration.ssid
    }
}

/// An app that takes `apply` without an error for a joined network: the accessory was out of range, and the app speaks to nobody.
///
/// Reports: https://github.com/lionheart/openradar-mirror/issues/21129,
/// https://github.com/JuanSeBestia/react-native-wifi-reborn/pull/301
let appLooksWhetherItHasJoined = Scenario(
    "An app finds out that the network it applied is not near, although apply succeeded", .tags("field", .wifi),
    .covers("W16", "W17"),
    over: AppVersion.axis, Axis("completes", [HostPolicy.HotspotCompletion.afterJoining, .whenStored])
) { lab, version, completion in
    lab.phone.policy.hotspotCompletion = completion
    let app = try await lab.phone.launch(NetworkReader.self)
    let absent = NEHotspotConfiguration(ssid: "Lamp 7", passphrase: "light is fast", isWEP: false)
    try await lab.expect(version, "the app knows that it is not on the network") {
        try await lab.step("apply", within: .seconds(20)) {
            try await !app.joins(absent, andLooks: version == .mended, on: lab)
        }
    }
    try await lab.becomes("the person is told", within: .seconds(15)) {
        lab.phone.shownScreens.contains { $0.kind == .joinFailed }
    }
    lab.expect(await manager.configuredSSIDs(), equals: ["Lamp 7"], "the configuration is stored")
    lab.expect(lab.phone.network.link == nil, "the phone is on no network")
}

/// A network of `joinOnce`, and a person who looks at another app for longer than 15 seconds during the setup.
///
/// Report: https://github.com/JuanSeBestia/react-native-wifi-reborn/issues/2
let networkOutlivesTheBackground = Scenario(
    "The accessory's network stays joined while the person is in another app for a while", .tags("field", .wifi),
    .covers("W5"), over: AppVersion.axis
) { lab, version in
    // iOS waits for 15 s.
    lab.phone.policy.joinOnceBackgroundTime = .seconds(1)
    try await lab.accessory.powerOn(.lamp { $0.networks = [LampSite.network] })
    _ = try await lab.phone.launch(GadgetApp.self)
    let configuration = NEHotspotConfiguration(
        ssid: "Lamp 7", passphrase: LampSite.network.passphrase ?? "", isWEP: false)
    configuration.joinOnce = version == .broken
    try await lab.step("join", within: .seconds(15)) { try await manager.apply(configuration) }
    let mark = lab.phone.log.mark
    lab.phone.suspendApp()
    try await lab.expect(version, "the phone is still on the network") {
        do {
            try await lab.phone.log.next(.note(containing: "joinOnce ends"), since: mark, within: .seconds(3))
            return false
        } catch is TimedOut { return true }
    }
    lab.phone.resumeApp()
    lab.expect(
        await manager.configuredSSIDs(), equals: version == .mended ? ["Lamp 7"] : [],
        "only a configuration without joinOnce is still there")
    lab.expect(lab.phone.network.link?.ssid, equals: version == .mended ? "Lamp 7" : nil, "and so is its network")
}

/// An accessory that restarts its access point on another channel, as one radio has to when it joins a home's network too,
/// and loses the passphrase on the way.
///
/// Reports: https://github.com/ruuvi/ruuvi.gateway_esp.c/issues/1257,
/// https://github.com/flutternetwork/WiFiFlutter/issues/385
let phoneReturnsToTheNetwork = Scenario(
    "The phone goes back by itself to a network that comes again on another channel", .tags("field", .wifi),
    .covers("W18"), over: Firmware.axis
) { lab, firmware in
    lab.phone.policy.networkReturnPause = .seconds(1)
    let (lamp, _) = try await lab.joinedLamp()
    let mark = lab.phone.log.mark
    try await lamp.closeNetwork(ssid: LampSite.network.ssid)
    try await lab.phone.log.next(.wifiLost(), since: mark, within: .seconds(15))
    var network = LampSite.network
    network.channel = 11
    if firmware == .broken { network.passphrase = "light is gone" }
    try await lamp.openNetwork(network)
    try await lab.expect(firmware, "the phone is on the network again") {
        let end = try await lab.phone.log.next(.note(containing: "again"), since: mark, within: .seconds(40))
        return "\(end)".contains("joined “Lamp 7” again")
    }
    lab.expect(
        lab.phone.network.link?.ssid, equals: firmware == .mended ? "Lamp 7" : nil,
        "the phone is on that network, or none")
}

/// An app with the address of the access point in its code, and an accessory that has another one.
///
/// Report: https://github.com/espressif/esp-idf-provisioning-ios/issues/34
let accessoryHasTheAppsAddress = Scenario(
    "An accessory answers at the address that is written in its app", .tags("field", .wifi), .covers("W4"),
    over: Firmware.axis, Axis("address", ["192.168.4.1", "192.168.10.1", "10.10.100.254"])
) { lab, firmware, address in
    _ = try await lab.joinedLamp {
        if firmware == .mended { $0.networks[0].address = address }
    }
    try await lab.expect(firmware, "the accessory answers at \(address)") {
        do {
            return try await withDeadline(.seconds(8), waitingFor: "an answer") {
                try await lab.phone.radio.exchange(LampSite.question, with: address, port: 80)
            } == LampSite.page
        } catch is TimedOut { return false } catch is RadioError { return false }
    }
    if firmware == .mended {
        lab.expect(lab.phone.network.link?.router, equals: address, "the phone's router is the accessory")
    }
}

/// An app that goes on with the connection that it had before it was suspended: iOS has closed its socket meanwhile.
///
/// Reports: https://github.com/project-chip/connectedhomeip/issues/9360,
/// https://github.com/WalletConnect-Labs/WalletConnectSwiftV2/issues/170
let appConnectsAfterSuspension = Scenario(
    "An app that was suspended speaks with the accessory again", .tags("field", .wifi), .covers("W20"),
    over: AppVersion.axis
) { lab, version in
    _ = try await lab.joinedLamp()
    let host = try lab.gateway()
    var probe = SocketProbe(NWConnection(host: host, port: 7, using: .tcp))
    try await probe.reach(.ready)
    lab.phone.suspendApp()
    lab.expect(lab.phone.app?.isSuspended == true, "the app is suspended")
    lab.phone.resumeApp()
    try await probe.reach(.failed(.posix(.ECONNABORTED)))
    if version == .mended {
        probe = SocketProbe(NWConnection(host: host, port: 7, using: .tcp))
        try await probe.reach(.ready)
    }
    try await lab.expect(version, "the accessory answers") {
        probe.send(Data("on".utf8))
        return await probe.receive().bytes == Data("on".utf8)
    }
}
