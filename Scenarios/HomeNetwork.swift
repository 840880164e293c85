import AccessorySetupKit
import CoreBluetooth
import HIL
import HILURLLoading
import Network
import NetworkExtension

let lampIsFoundAtHome = Scenario(
    "A lamp gets the home's credentials over Bluetooth, is found there by Bonjour, and its page loads",
    .tags(.smoke, .wifi), .covers("C4", "W8", "W9", "W21"), .needs(.homeRouter, .homeControl),
    over: Axis("security", [WiFiSecurity.wpa2, .wpa3])
) { lab, security in
    let home = try await lab.homeNetwork.open(security: security)
    try await home.joinPhone()
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(.homeLamp(), pairing: false)
    let outcome = try await lab.step("provision", within: .seconds(30)) {
        try await lab.provision(peripheral, with: home.credentials, probe)
    }
    try lab.require(outcome == 0, "the lamp says that it has joined")
    lab.expect(try await lamp.events.next(.joinedNetwork), equals: home.ssid, "the lamp is in the home's network")
    let address = try await home.events.next(.gaveAddress)

    let found = try await lab.foundAtHome()
    lab.expect(found.endpoint, equals: HomeLamp.endpoint, "the service has its name, its type and its domain")
    try await lab.expectPage(from: NWConnection(to: found.endpoint, using: .tcp), "the lamp answers by its name")
    let (page, _) = try await lab.step("load", within: .seconds(15)) {
        try await URLSession.shared.data(from: URL(string: "http://\(address)/")!)
    }
    lab.expect(String(decoding: page, as: UTF8.self), equals: "on", "its page loads over the home's network")
    lab.expect(
        lab.phone.shownScreens.map(\.kind).filter { $0 == .localNetworkPermission }.count, equals: 1,
        "the person was asked once for the local network")
    lab.expect(home.events.all(.joined).count, equals: 1, "the router reports the lamp, not the phone")
    let link = try lab.require(lab.phone.network.link, "the phone is on a network")
    lab.expect(link.router != link.address && address != link.address, "phone, lamp and router differ")
}

let homeIsJoinedByApp = Scenario(
    "An app joins the home's network by its configuration, and finds the lamp that is there", .tags(.wifi),
    .covers("W1", "W9"), .needs(.homeRouter), over: Axis("channel", [1, 36])
) { lab, channel in
    let home = try await lab.homeNetwork.open(channel: channel)
    let lamp = try await lab.accessory.powerOn(.homeLamp())
    try await lamp.join(ssid: home.ssid, passphrase: home.passphrase)
    _ = try await lab.phone.launch(GadgetApp.self)
    try await lab.step("join", within: .seconds(15)) {
        try await NEHotspotConfigurationManager.shared.join(
            NEHotspotConfiguration(ssid: home.ssid, passphrase: home.passphrase, isWEP: false))
    }
    let found = try await lab.foundAtHome()
    try await lab.expectPage(from: NWConnection(to: found.endpoint, using: .tcp), "the lamp answers by its name")
    lab.expect(
        lab.phone.shownScreens.map(\.kind), equals: [.joinNetwork, .localNetworkPermission],
        "the person was asked for the network and for what is in it")
}

let routerComesAgain = Scenario(
    "The home's router is switched off and on again: phone and lamp are back, and the lamp is found again",
    .tags(.wifi), .covers("W21", "W9"), .needs(.homeRouter, .homeControl), .budget(.seconds(90)),
    over: Axis("off", [RouterLoss.switchedOff, .outOfRange])
) { lab, loss in
    let (home, lamp) = try await lab.lampAtHome()
    let found = try await lab.foundAtHome()
    let mark = lamp.events.mark
    if loss == .switchedOff {
        try await home.close()
    } else {
        for board in BoardRole.allCases { try await home.setDistance(nil, from: board) }
    }
    try await lab.step("lose it", within: .seconds(30)) {
        try await lamp.events.next(.lostNetwork, since: mark, within: .seconds(30))
        try await lab.becomes("the phone is on no network", within: .seconds(30)) { lab.phone.network.link == nil }
    }
    if loss == .switchedOff {
        try await home.switchOn()
    } else {
        for board in BoardRole.allCases { try await home.setDistance(3, from: board) }
    }
    try await lab.step("come back", within: .seconds(40)) {
        try await lamp.events.next(.joinedNetwork, since: mark, within: .seconds(40))
        try await lab.becomes("the phone is at home", within: .seconds(40)) {
            lab.phone.network.link?.ssid == home.ssid
        }
    }
    try await lab.expectPage(from: NWConnection(to: found.endpoint, using: .tcp), "the lamp answers again")
}

/// How a router goes.
enum RouterLoss: String, CaseIterable {
    /// It tells its stations.
    case switchedOff
    /// It falls silent.
    case outOfRange
}

let lampIsOutOfTheHomesRange = Scenario(
    "A lamp out of the home's range cannot join, and can once it is nearer", .tags(.wifi),
    .needs(.homeRouter, .distance),
    .budget(.seconds(60))
) { lab in
    let home = try await lab.homeNetwork.open()
    try await home.joinPhone()
    try await home.setDistance(nil, from: .accessory)
    let lamp = try await lab.accessory.powerOn(.homeLamp())
    try await lab.expect(
        throwing: RadioError.self, "the lamp does not hear the home",
        where: { $0 == .networkNotFound(ssid: home.ssid) },
        from: { try await lamp.join(ssid: home.ssid, passphrase: home.passphrase) })
    lab.expect(lab.phone.network.link?.ssid, equals: home.ssid, "the phone is at home")
    try await home.setDistance(10, from: .accessory)
    let link = try await lamp.join(ssid: home.ssid, passphrase: home.passphrase)
    lab.expect(link.ssid, equals: home.ssid, "the lamp has joined")
}

let homeHasInternet = Scenario(
    "On the home's network the phone reaches the internet if the home has it", .tags(.wifi), .needs(.homeRouter),
    over: Axis("internet", [true, false])
) { lab, hasInternet in
    try await lab.homeNetwork.open(hasInternet: hasInternet)
    try await lab.homeNetwork.joinPhone()
    let isReached = await lab.reachesInternet()
    lab.expect(isReached, equals: hasInternet, "the push service is reached")
}
