import AccessorySetupKit
import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel

/// In a street full of dice, an app that filters learns of twenty; to hear of others it ends the discovery and begins anew.
let appIsToldOfTwentyAtMost = Scenario(
    "Of twenty-four dice an app that filters is told of twenty", .tags(.discovery), .covers("F4", "F3"),
    .budget(.seconds(90))
) { lab in
    for number in 1...24 { try await lab.air.add(.advertiser(.die(number))) }
    let app = try await lab.phone.launch(DiceApp.self)
    var told: Set<ASAccessory> = []
    app.filter = { accessory in
        told.insert(accessory)
        return nil
    }
    let settings = ASPickerDisplaySettings.default
    settings.discoveryTimeout = .unbounded
    settings.options.insert(.filterDiscoveryResults)
    app.session.pickerDisplaySettings = settings

    let pick = Task { try await app.addDie(pairing: false) }
    try await lab.step("hear all of them", within: .seconds(60)) {
        for number in 1...24 {
            try await lab.phone.notices("die \(number) to tell its name", within: .seconds(60)) {
                if case .advertisement(let heard) = $0 { heard.name == "Die \(number)" } else { false }
            }
        }
    }
    try await lab.step("end it", within: .seconds(10)) { try await app.session.finishPickerDiscovery() }
    try await lab.expect(
        throwing: ASError.self, "nothing was let through", where: { $0.code == .discoveryTimeout }
    ) { _ = try await pick.value }
    lab.expect(told.count, equals: 20, "the app was told of twenty")
}

extension AirAdvertiser {
    fileprivate static func die(_ number: Int) -> AirAdvertiser {
        AirAdvertiser(
            named: "Die \(number)", address: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8(number)])!,
            services: [BluetoothUUID(DieGATT.service)!], interval: .milliseconds(200))
    }
}
