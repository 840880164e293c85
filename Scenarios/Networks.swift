import AccessorySetupKit
import DiceApp
import HIL
import NetworkExtension

@MainActor private var manager: NEHotspotConfigurationManager { .shared }

let dieNetworkIsJoined = Scenario(
    "The die's Wi-Fi network is joined and the die answers over IP", .tags(.wifi), .covers("W1", "W4"),
    over: Axis("security", [WiFiSecurity.open, .wpa2, .wpa3, .wpa2wpa3])
) { lab, security in
    let (die, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", security: security))
    try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
    let link = try lab.require(lab.phone.network.link, "the phone is on a network")
    lab.expect(link.ssid, equals: "Die 7", "the phone is on the die's network")
    let keyManagement: [WiFiSecurity: String] = [.open: "NONE", .wpa2: "WPA2-PSK", .wpa3: "SAE", .wpa2wpa3: "SAE"]
    lab.expect(link.keyManagement, equals: keyManagement[security], "the key management is the right one")
    lab.expect(
        link.protectsManagement, equals: [.wpa3, .wpa2wpa3].contains(security),
        "management frames are protected if the key is from SAE")
    lab.expect(!link.address.isEmpty, "the phone has an address by DHCP")
    try await lab.expectRollOverIP(5, of: die, "the die reports its last roll over IP")
}

let dieNetworkProtectsManagement = Scenario(
    "A WPA2 network that requires protected management frames is joined", .tags(.wifi), .covers("W4")
) { lab in
    let (die, app, accessory) = try await lab.pairedDie()
    try await die.openNetwork(
        .init(ssid: "Die 7", security: .wpa2, passphrase: "seven is a prime", requiresProtectedManagement: true))
    try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
    let link = lab.phone.network.link
    lab.expect(link?.protectsManagement, equals: true, "management frames are protected")
    lab.expect(link?.keyManagement, equals: "WPA2-PSK-SHA256", "the key management is that of WPA2 with protection")
    try await lab.expectRollOverIP(4, of: die, "the die answers over IP")
}

let appConfiguresHotspots = Scenario(
    "An app joins, lists and forgets networks, and the person is asked about each foreign one",
    .tags(.wifi), .covers("W1", "W2", "W3", "W5"), .budget(.seconds(90))
) { lab in
    let (die, first) = try await lab.newDie(.die(named: "Die 7", security: .wpa2))
    try await die.openNetwork(.init(ssid: "Cafe", security: .open))
    let passphrase = "seven is a prime"

    lab.phone.person.will(.deny)
    try await lab.fails("be refused", with: .userDenied, "a person who refuses keeps the phone off the network") {
        try await first.joinWiFi(ssid: "Die 7", passphrase: passphrase)
    }
    lab.expect(lab.phone.network.link == nil, "the phone is on no network")

    lab.phone.person.will(.allow)
    try await lab.step("join by prefix", within: .seconds(15)) {
        try await manager.apply(NEHotspotConfiguration(ssidPrefix: "Die", passphrase: passphrase, isWEP: false))
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the prefix led to the die's network")
    try await lab.fails("join again", with: .alreadyAssociated, "the phone is on that network already") {
        try await first.joinWiFi(ssid: "Die 7", passphrase: passphrase)
    }
    lab.expect(await manager.configuredSSIDs(), equals: ["Die"], "the configuration is listed by its prefix")

    manager.removeConfiguration(forSSID: "Die")
    lab.expect(await manager.configuredSSIDs(), equals: [], "it is forgotten")
    lab.expect(lab.phone.network.link == nil, "and the phone has left it")

    let missed = lab.phone.log.mark
    try await lab.step("miss", within: .seconds(15)) { try await first.joinWiFi(ssid: "Nowhere", passphrase: nil) }
    lab.expect(
        lab.phone.log.all(.screen, since: missed).contains { $0.kind == .joinFailed },
        "a network that is not there cannot be joined")
    manager.removeConfiguration(forSSID: "Nowhere")

    lab.phone.person.will(.allow)
    let once = NEHotspotConfiguration(ssid: "Cafe")
    once.joinOnce = true
    try await lab.step("join once", within: .seconds(15)) { try await manager.apply(once) }
    lab.expect(lab.phone.network.link?.keyManagement, equals: "NONE", "the open network needs no key")
    lab.expect(await manager.configuredSSIDs(), equals: ["Cafe"], "it is listed while the app runs")
    lab.phone.terminateApp()
    let app = try await lab.phone.launch(DiceApp.self)
    lab.expect(await manager.configuredSSIDs(), equals: [], "a network that was joined once is forgotten with the app")
    lab.expect(lab.phone.network.link == nil, "and the phone has left it")

    // A die that was found only by Bluetooth was set up without its network, so the person is asked here as well.
    let accessory = try await lab.pick(in: app, within: .seconds(15))
    let mark = lab.phone.log.mark
    lab.phone.person.will(.allow)
    try await lab.step("join the die", within: .seconds(15)) { try await app.joinWiFi(of: accessory) }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(
        lab.phone.log.all(.screen, since: mark).contains { $0.kind == .joinNetwork }, "the person was asked for it")
}

let networksAreOnManyChannels = Scenario(
    "Networks on channels 1, 6, 11, 13, 36 and 149 are heard, and the die's is found and joined on three of them",
    .tags(.wifi),
    .needs(.air, .capture),
    .covers("D9", "W4"), .budget(.seconds(90))
) { lab in
    for channel in [1, 6, 11, 36, 149] {
        try await lab.air.add(
            .accessPoint(AirAccessPoint(ssid: "Net \(channel)", bssid: .neighbour(channel), channel: channel)))
    }
    // Between two channels the app asks for the network itself.
    lab.phone.policy.networkReturnPause = nil
    let app = try await lab.phone.launch(DiceApp.self)
    let item = try app.item(named: "Wi-Fi Die", .network(exact: "Die 7"))
    let picker = Task { try await app.session.showPicker(for: [item]) }
    try await lab.step("look in vain", within: .seconds(10)) { try await lab.phone.shows(.picker) }
    // Until now, no network was on channel 13.
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3, channel: 13))
    try await lab.step("find it", within: .seconds(15)) { try await picker.value }
    lab.expect(app.session.accessories.map(\.ssid), equals: ["Die 7"], "the picker found the die's network")

    let heard = try await lab.step("hear all", within: .seconds(5)) { try await lab.phone.radio.scanWiFi() }
    lab.expect(
        heard.map { "\($0.ssid) \($0.frequency)" }.sorted(),
        equals: ["Die 7 2472", "Net 1 2412", "Net 11 2462", "Net 149 5745", "Net 36 5180", "Net 6 2437"],
        "the phone hears each network on its channel")

    for channel in [13, 36, 149] {
        if channel != 13 {
            try await die.openNetwork(
                .init(ssid: "Die 7", security: .wpa3, passphrase: "seven is a prime", channel: channel))
        }
        try await lab.join(in: app, "join on \(channel)", within: .seconds(15))
        _ = try await lab.askDieOverIP()
        let frequency = UInt16(try WiFiChannel(channel).frequency)
        // The fields of radiotap: the frequency, then the flags of the band with CCK or OFDM, as the sender chooses.
        let flags: [[UInt8]] = frequency < 4000 ? [[0xA0, 0], [0xC0, 0]] : [[0x40, 1]]
        var isCaptured = false
        for flags in flags where !isCaptured {
            isCaptured = try await lab.air.captured(
                containing: [UInt8(frequency & 0xFF), UInt8(frequency >> 8)] + flags)
        }
        lab.expect(isCaptured, "the capture has frames on \(frequency) MHz")
        let left = lab.phone.log.mark
        try await die.closeNetwork(ssid: "Die 7")
        try await lab.phone.log.next(.wifiLost(), since: left)
    }
    try await die.openNetwork(.init(ssid: "Die 7", security: .open, channel: 6))
    try await lab.expect(
        throwing: RadioError.self, "a channel that needs radar detection first is refused",
        where: { "\($0)".contains("DFS") }
    ) { try await die.openNetwork(.init(ssid: "Radar", security: .open, channel: 100)) }
    try await lab.expect(
        throwing: RadioError.self, "one radio is on one channel", where: { "\($0)".contains("channel 6") }
    ) { try await die.openNetwork(.init(ssid: "Elsewhere", security: .open, channel: 1)) }
}

let wrongPassphraseLeavesOldNetwork = Scenario(
    "The person is told of a wrong Wi-Fi passphrase, and the phone returns to the old network",
    .tags(.wifi, .robustness), .covers("W2", "W3"), over: Axis("security", [WiFiSecurity.wpa2, .wpa3])
) { lab, security in
    let (die, app) = try await lab.dieAndHome(security)
    try await lab.join("Home", "an old friend", in: app)
    try await lab.join(
        "Die 7", "eight is no prime", in: app, failing: "the person is told that the network was not joined")
    lab.expect(lab.phone.network.link?.ssid, equals: "Home", "the phone is back on the old network")
    lab.expect(await manager.configuredSSIDs(), equals: ["Home", "Die 7"], "the new network is stored all the same")
    try await lab.expectRollOverIP(2, of: die, "the old network carries packets again")
    try await lab.fails(
        "be refused", with: .invalidWPAPassphrase, "a passphrase of seven characters is refused at once",
        within: .seconds(1)
    ) { try await app.joinWiFi(ssid: "Die 7", passphrase: "7 chars") }
}

let passphraseChangesBetweenJoins = Scenario(
    "A passphrase changed between two joins throws the phone out, and only the new one lets it in again",
    .tags(.wifi, .robustness), .covers("W3", "W5"), over: Axis("security", [WiFiSecurity.wpa2, .wpa3])
) { lab, security in
    let (die, app) = try await lab.dieAndHome(security)
    try await lab.join("Die 7", "seven is a prime", in: app)
    try await lab.expect(throwing: RadioError.self, "a passphrase of seven characters is refused") {
        try await die.changePassphrase("7 chars")
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is still on the network")

    // The phone would also find out by itself that the old passphrase no longer works.
    lab.phone.policy.networkReturnPause = nil
    let mark = lab.phone.log.mark
    try await die.changePassphrase("eight is no prime")
    try await lab.phone.log.next(.wifiLost("Die 7"), since: mark)
    lab.expect(lab.phone.network.link?.ssid, equals: nil, "the phone is on no network")

    try await lab.join("Home", "an old friend", in: app)
    try await lab.join("Die 7", "seven is a prime", in: app, failing: "the old passphrase no longer works")
    lab.expect(lab.phone.network.link?.ssid, equals: "Home", "the phone is back on its previous network")

    try await lab.join("Die 7", "eight is no prime", in: app)
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the new passphrase works")
    try await lab.expectRollOverIP(5, of: die, "the die answers there")
    lab.expect(await manager.configuredSSIDs().sorted(), equals: ["Die 7", "Home"], "each network is configured once")
}
