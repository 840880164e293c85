import AccessorySetupKit
import CoreBluetooth
import HIL

let restartKeepsWhatWasSetUp = Scenario(
    "A restarted phone keeps its bond, and launches the app for its lamp once it is unlocked",
    .tags(.pairing, .robustness),
    .needs(.capture), .covers("L3", "L5"), .budget(.seconds(90)),
    over: Axis("links", LaunchPolicy.LinkEnd.allCases)
) { lab, end in
    lab.phone.policy.launches.linkEndAtRestart = end
    let (lamp, _, identifier) = try await lab.connectedWatch()
    let bonds = lab.phone.log.all(.bonded).count
    let mark = lamp.events.mark
    await lab.phone.restart(unlocks: false)
    _ = try await lab.step("hear the end of the link", within: .seconds(10)) {
        try await lamp.events.next(.disconnected, since: mark)
    }
    let reasons = try await lab.air.capturedHCI(of: .accessory).reasonsOfLinkEnds
    lab.expect(reasons.last, equals: end == .powerOff ? 0x15 : 0x08, "the reason at the accessory")
    try await lab.step("connect again", within: .seconds(20)) {
        _ = try await lamp.events.next(.connected, since: mark)
    }
    lab.expect(
        !(try await lab.phone.launches(WatchingApp.self, within: .seconds(2))), "nothing is launched on a locked phone")
    lab.phone.unlock()
    let app = try await lab.step("be launched", within: .seconds(5)) {
        try await lab.phone.launched(WatchingApp.self)
    }
    let watch = try lab.require(app.watch, "the app has made its central manager")
    try await lab.step("subscribe again", within: .seconds(15)) {
        try await watch.events.next(.event(.connected))
        try await watch.events.next(.event(.subscribed))
    }
    lab.expect(watch.events.events.first, equals: .restored([.connecting]), "the app is restored first")
    lab.expect(lab.phone.log.all(.bonded).count, equals: bonds, "nobody pairs again")
    let session = ASAccessorySession()
    let activated = EventLog<ASAccessoryEventType>()
    session.activate(on: .main) { activated.append($0.eventType) }
    try await activated.next(.event(.activated), within: .seconds(5))
    lab.expect(session.accessories.map(\.bluetoothIdentifier), equals: [identifier], "the accessory is still the app's")
}

let controlCenterKeepsAppsWaiting = Scenario(
    "Bluetooth off and on: after Control Center the ended app is still launched by its lamp, after Settings it is not",
    .tags(.robustness), .covers("L3"), .budget(.seconds(60)), over: Axis("in", Phone.SwitchPlace.allCases)
) { lab, place in
    let (lamp, _, _) = try await lab.connectedWatch()
    lab.phone.terminateApp(bySystem: true)
    let mark = lamp.events.mark
    await lab.phone.switchBluetooth(false, in: place)
    await lab.phone.switchBluetooth(true, in: place)
    let comesBack = try await lab.phone.launches(
        WatchingApp.self, within: place == .settings ? .seconds(4) : .seconds(15))
    lab.expect(comesBack, equals: place == .controlCenter, "the app is launched again")
    lab.expect(
        lamp.events.contains(.connected, since: mark), equals: place == .controlCenter, "and its lamp connected")
}

let deletedAppStartsLikeNew = Scenario(
    "A deleted app leaves no accessory and no bond behind, and starts like a new one", .tags(.pairing),
    .covers("L6", "A5"), .budget(.seconds(60))
) { lab in
    let (lamp, _, _) = try await lab.connectedWatch()
    let mark = lamp.events.mark
    await lab.phone.deleteApp(WatchingApp.bundle.identifier)
    lab.expect(lab.phone.store.accessories(of: WatchingApp.bundle.identifier).isEmpty, "no accessory is left")
    _ = try await lab.step("lose the link", within: .seconds(10)) {
        try await lamp.events.next(.disconnected, since: mark)
    }
    try await lamp.notify([60], of: "FF01")
    lab.expect(!(try await lab.phone.launches(WatchingApp.self, within: .seconds(2))), "nothing launches it")

    try await lamp.forgetBonds()
    let app = try await lab.phone.launch(GadgetApp.self)
    try await app.told.next(.event(.activated), within: .seconds(5))
    lab.expect(app.session.accessories.isEmpty, "the new installation has no accessory")
    let bonds = lab.phone.log.all(.bonded).count
    lab.phone.person.will(.pick("Lamp 7"))
    _ = try await lab.step("pick again", within: .seconds(15)) { try await app.add() }
    lab.expect(lab.phone.log.all(.bonded).count, equals: bonds + 1, "the phone pairs anew")
}

extension [HCIPacket] {
    /// The reasons for the ends of links that the controller has reported, oldest first.
    ///
    /// Source: Core Specification 6.0, Vol 4, Part E, 7.7.5.
    fileprivate var reasonsOfLinkEnds: [UInt8] {
        compactMap { packet in
            // Status, handle (2), reason.
            guard case .event(0x05, let parameters) = packet, parameters.count == 4 else { return nil }
            return parameters[3]
        }
    }
}
