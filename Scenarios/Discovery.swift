import AccessorySetupKit
import DiceApp
import HIL

let dieIsDiscoveredAndAuthorized = Scenario(
    "A die is discovered by service and name, picked and authorised", .tags(.smoke, .discovery),
    .covers("P1", "P2", "P3", "D4", "D5", "D7", "K1", "K11", "A1", "E1", "E2")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    // A device with the same service but another name than the app asks for is not offered.
    let stranger = try await lab.accessory.powerOn(.die(named: "Cube 7"))
    try await lab.findsNothing("a die of another name is not found", looking: .seconds(1)) {
        try await app.addDie(pairing: false)
    }
    try await stranger.powerOff()

    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let accessory = try await lab.pick(in: app, "pick", pairing: false)

    lab.expect(accessory.state, equals: .authorized, "the die is authorised")
    lab.expect(accessory.bluetoothIdentifier != nil, "the die has an identifier for CoreBluetooth")
    lab.expect(app.session.accessories.contains(accessory), "the session lists the die")
    lab.expect(
        app.told,
        equals: [.activated] + [.pickerDidPresent, .pickerDidDismiss]
            + [.pickerDidPresent, .accessoryAdded, .pickerDidDismiss],
        "the events come in the order that Apple documents")
    lab.expect(
        app.events.filter { $0.accessory != nil }.map(\.eventType), equals: [.accessoryAdded],
        "only the accessory's event carries the accessory")
}

let noAccessoryInRange = Scenario(
    "With no accessory in range the picker ends with discoveryTimeout", .tags(.discovery), .needs(.distance),
    .covers("K2")
) { lab in
    try await lab.air.separate()
    let (_, app) = try await lab.newDie()
    try await lab.findsNothing("the app hears that nothing was found", looking: .seconds(2)) { try await app.addDie() }
    lab.expect(lab.phone.shownScreens.last?.kind, equals: .discoveryTimeout, "the person sees that nothing was found")
    lab.expect(
        app.told, equals: [.activated, .pickerDidPresent, .pickerDidDismiss],
        "the picker comes and goes, and nothing is added")
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")

    // From nearby it is found: only the distance had prevented that.
    try await lab.air.setDistance(1)
    try await lab.step("look again", within: .seconds(10)) { try await app.addDie(pairing: false) }
}

let personCancels = Scenario("A person who cancels the picker adds nothing", .tags(.discovery), .covers("K5")) { lab in
    let (_, app) = try await lab.newDie()
    lab.phone.person.will(.cancel)
    try await lab.fails("cancel", with: .userCancelled, "the app hears that the person cancelled") {
        try await app.addDie()
    }
    lab.expect(
        app.told, equals: [.activated, .pickerDidPresent, .pickerDidDismiss],
        "the picker comes and goes, and nothing is added")
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")
}

let dieIsFoundInImmediateRange = Scenario(
    "A die is offered in immediate range and not from across the room", .tags(.discovery), .needs(.distance),
    .covers("D8")
) { lab in
    try await lab.air.setDistance(6)
    let (_, app) = try await lab.newDie()
    let descriptor = ASDiscoveryDescriptor.dice { $0.bluetoothRange = .immediate }
    var strongest: Int { lab.phone.log.all(.signal).max() ?? .min }

    try await lab.findsNothing("the die is too far away", looking: .seconds(1)) {
        try await app.addDie(describedBy: descriptor)
    }
    lab.expect(.min < strongest && strongest < -50, "the die was heard, but weakly")

    let pick = Task { try await app.addDie(describedBy: descriptor) }
    try await lab.step("walk there", within: .seconds(5)) {
        try await lab.air.move(along: [.at(6, after: .milliseconds(500)), .at(0.5, after: .seconds(2))])
    }
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await pick.value }
    lab.expect(accessory.state, equals: .authorized, "the die is authorised")
    lab.expect(strongest >= -50, "it was offered once its signal was that of an arm's length")
}

/// The app's own accessories are not offered again. A network with a new name is offered.
let dieIsFoundByItsNetwork = Scenario(
    "A die is found by its network, by name and by prefix, and joined without a prompt", .tags(.discovery, .wifi),
    .covers("P6", "D9", "K14", "O1", "A6", "W1")
) { lab in
    let (_, app) = try await lab.newDie(.die(named: "Die 7", security: .wpa2))
    let exact = try app.item(named: "Wi-Fi Die", .network(exact: "Die 7"))
    try await lab.step("pick by name", within: .seconds(15)) { try await app.session.showPicker(for: [exact]) }
    let accessory = try lab.require(app.session.accessories.first, "the app has an accessory")
    lab.expect(accessory.ssid, equals: "Die 7", "the accessory has the network's name")
    lab.expect(accessory.bluetoothIdentifier == nil, "it has no Bluetooth")

    let prefix = try app.item(named: "Wi-Fi Die", .network(prefix: "Die"))
    (prefix.setupOptions, prefix.renameOptions) = (.rename, .ssid)
    try await lab.findsNothing("the app's own accessory is not offered", looking: .seconds(3)) {
        try await app.session.showPicker(for: [prefix])
    }

    lab.phone.person.will(.rename("Lucky"), .rename("Die 7"))
    try await lab.step("rename with the network", within: .seconds(5)) {
        try await app.session.renameAccessory(accessory, options: .ssid)
    }
    lab.expect(app.session.accessories.map(\.ssid), equals: ["Lucky"], "the app knows the network by its new name")
    try await lab.step("pick by prefix", within: .seconds(15)) { try await app.session.showPicker(for: [prefix]) }
    lab.expect(
        app.session.accessories.map(\.ssid), equals: ["Lucky", "Die 7"],
        "a network with another name is another accessory")

    try await lab.join(in: app, within: .seconds(15))
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(!lab.phone.askedForNetwork, "the person was not asked")
}

/// No rig of this version can run it: the boards' wpa_supplicant 2.10 can neither publish nor find a Wi-Fi Aware
/// service.
let dieIsFoundByWiFiAware = Scenario(
    "A die is found by the Wi-Fi Aware service that it publishes", .tags(.discovery, .wifi), .covers("D10"),
    .needs(.wifiAware)
) { lab in
    let (_, app) = try await lab.newDie()
    let accessory = try await lab.pick(in: app, describedBy: .wifiAware, within: .seconds(20))
    lab.expect(accessory.wifiAwarePairedDeviceID != 0, "the accessory has an identifier for Wi-Fi Aware")
    lab.expect(accessory.bluetoothIdentifier, equals: nil, "Bluetooth was not asked for")
}

let pickerGoesOnWithoutWiFiAware = Scenario(
    "A picker for Wi-Fi Aware and Bluetooth finds the die by Bluetooth where the radio has no Wi-Fi Aware",
    .tags(.discovery), .covers("D10", "D4")
) { lab in
    let (_, app) = try await lab.newDie()
    let items = [try app.item(named: "Aware Die", .wifiAware), try app.item()]
    lab.phone.person.will(.pick("Die 7"))
    try await lab.step("pick", within: .seconds(15)) { try await app.session.showPicker(for: items) }
    lab.expect(app.session.accessories.map(\.displayName), equals: ["Bluetooth Die"], "the die is found by Bluetooth")
    lab.expect(
        lab.phone.log.contains(.note(containing: "Wi-Fi Aware")), "the story says why Wi-Fi Aware found nothing")
}
