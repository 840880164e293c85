import AccessorySetupKit
import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel

/// An app that looks at what is advertised before the person sees it is told of no more than twenty accessories.
let noMoreThanTwentyAreTold = Scenario(
    "Of twenty-four dice an app that filters is told of twenty, and ends the discovery with none", .tags(.discovery),
    .covers("F1", "F3", "F4"), .budget(.seconds(90))
) { lab in
    for number in 1...24 {
        try await lab.air.add(
            .advertiser(
                AirAdvertiser(
                    named: "Die \(100 + number)", address: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8(number)])!,
                    services: [BluetoothUUID(DieGATT.service)!], interval: .milliseconds(200), metres: 3)))
    }
    let app = try await lab.phone.launch(DiceApp.self)
    let item = try app.item()
    let settings = ASPickerDisplaySettings.default
    settings.discoveryTimeout = .unbounded
    settings.options.insert(.filterDiscoveryResults)
    app.session.pickerDisplaySettings = settings

    // Nothing is let through: the app ends the discovery, and the picker says that nothing was found.
    let picker = Task { try await app.session.showPicker(for: [item]) }
    try await lab.step("hear twenty", within: .seconds(30)) {
        var place = 0
        for _ in 1...20 {
            place = try await lab.phone.log.first(
                from: place, within: .seconds(25), waitingFor: "accessoryDiscovered",
                where: { if case .told(_, let text) = $0.kind { text.hasPrefix("accessoryDiscovered") } else { false } }
            ).next
        }
    }
    try await lab.expect(
        throwing: ASError.self, "the app ends the discovery with the timeout", where: { $0.code == .discoveryTimeout }
    ) {
        try await lab.step("give up", within: .seconds(10)) {
            try await app.session.finishPickerDiscovery()
            try await picker.value
        }
    }
    let discovered = app.events.compactMap { $0.accessory as? ASDiscoveredAccessory }
    lab.expect(discovered.count, equals: 20, "no more than twenty are told in one discovery")
    lab.expect(Set(discovered).count, equals: 20, "each is told once")
    lab.expect(
        discovered.allSatisfy { ($0.bluetoothRSSI ?? 0) < 0 && $0.bluetoothIdentifier == nil },
        "with its signal, and with nothing by which it could be reached")
    lab.expect(
        lab.phone.shownScreens.filter { $0.kind == .picker }.allSatisfy(\.entries.isEmpty), "none of them is shown")
}
