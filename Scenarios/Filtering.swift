import AccessorySetupKit
import DiceApp
import HIL

/// The picker searches until the app has decided, without a time limit.
let appFiltersWhatIsFound = Scenario(
    "Of four dice the app shows the one that waits for an owner, under a name that the app chose",
    .tags(.discovery), .needs(.air), .covers("F1", "F2", "F3")
) { lab in
    // The manufacturer data: the company identifier, then whether the die has an owner.
    for number in 1...3 {
        var owned = AirAdvertiser.die(number)
        owned.data += [4, 0xFF, 0xFF, 0xFF, 1]
        try await lab.air.add(.advertiser(owned))
    }
    let (_, app) = try await lab.newDie(
        .die(named: "Die 7", advertising: DieAdvertising(manufacturerData: [0xFFFF: Data([0])])))
    let picture = try app.picture
    var told: [String] = []
    var waiting: ASDiscoveredAccessory?
    app.filterWhatIsFound { accessory in
        let data = accessory.bluetoothAdvertisementData ?? [:]
        told.append(data[CBAdvertisementDataLocalNameKey] as? String ?? "")
        if (data[CBAdvertisementDataManufacturerDataKey] as? Data)?.last == 0 { waiting = accessory }
        guard told.count == 4, let waiting else { return nil }
        return ASDiscoveredDisplayItem(name: "Your New Die", productImage: picture, accessory: waiting)
    }

    let accessory = try await lab.pick(
        .named("Your New Die"), in: app, "filter and pick", within: .seconds(20), pairing: false)
    lab.expect(Set(told), equals: ["Die 1", "Die 2", "Die 3", "Die 7"], "the app heard of each die, by its name")
    lab.expect(accessory.displayName, equals: "Your New Die", "the accessory has the name that the app gave it")
    let shown = Set(lab.phone.shownPickers.flatMap(\.entries).map(\.title))
    lab.expect(shown, equals: ["Your New Die"], "the person saw no other die")
    lab.expect(app.session.accessories, equals: [accessory], "it alone is authorised")
}

private let twentyFourDice = (1...24).map { AirAdvertiser.die($0, interval: .milliseconds(200), metres: 3) }

/// To find other accessories, an app must end the discovery and begin again.
let appIsToldOfTwentyAtMost = Scenario(
    "Of twenty-four dice an app that filters hears of twenty", .tags(.discovery), .needs(.air), .covers("F4", "F3"),
    .budget(.seconds(90))
) { lab in
    for die in twentyFourDice { try await lab.air.add(.advertiser(die)) }
    let app = try await lab.phone.launch(DiceApp.self)
    var told: Set<ASAccessory> = []
    app.filterWhatIsFound { accessory in
        told.insert(accessory)
        return nil
    }

    let pick = Task { try await app.addDie(pairing: false) }
    try await lab.step("hear all of them", within: .seconds(60)) {
        for number in 1...24 {
            try await lab.phone.log.next(.advertisement.where("die \(number)") { $0.name == "Die \(number)" })
        }
    }
    try await lab.step("end it", within: .seconds(10)) { try await app.session.finishPickerDiscovery() }
    try await lab.fails("hear the end", with: .discoveryTimeout, "the app let nothing through") { try await pick.value }
    lab.expect(told.count, equals: 20, "the app heard of twenty")
}

let noMoreThanTwentyAreTold = Scenario(
    "Of twenty-four dice an app that filters hears of twenty, and ends the discovery without a choice",
    .tags(.discovery),
    .needs(.air),
    .covers("F1", "F3", "F4"), .budget(.seconds(90))
) { lab in
    for die in twentyFourDice { try await lab.air.add(.advertiser(die)) }
    let app = try await lab.phone.launch(DiceApp.self)
    app.filterWhatIsFound()

    // The app accepts nothing and ends the discovery. The picker then says that nothing was found.
    let pick = Task { try await app.addDie(pairing: false) }
    try await lab.phone.log.next(20, .told("accessoryDiscovered"), within: .seconds(30))
    try await lab.fails("give up", with: .discoveryTimeout, "the app ends the discovery with the timeout") {
        try await app.session.finishPickerDiscovery()
        return try await pick.value
    }
    let discovered = app.events.compactMap { $0.accessory as? ASDiscoveredAccessory }
    lab.expect(discovered.count, equals: 20, "one discovery reports at most twenty")
    lab.expect(Set(discovered).count, equals: 20, "each is reported once")
    lab.expect(
        discovered.allSatisfy { ($0.bluetoothRSSI ?? 0) < 0 && $0.bluetoothIdentifier == nil },
        "with its signal, and without a means to reach it")
    lab.expect(lab.phone.shownPickers.allSatisfy(\.entries.isEmpty), "none of them is shown")
}
