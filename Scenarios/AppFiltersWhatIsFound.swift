import AccessorySetupKit
import BoardProtocol
import CoreBluetooth
import DiceApp
import DieLab
import DieProtocol
import Foundation
import HIL
import Phone
import RadioModel

/// The app sees what each die advertises before the person sees anything, and lets through the one that waits for an owner,
/// under a name of its own. The picker looks until the app has decided, however long that takes.
let appFiltersWhatIsFound = Scenario(
    "Of four dice the app shows the one that waits for an owner, under a name of its own",
    .tags(.discovery), .covers("F1", "F2", "F3")
) { lab in
    for number in 1...3 { try await lab.air.add(.advertiser(.ownedDie(number))) }
    try await lab.accessory.powerOn(
        .die(named: "Die 7", advertising: DieAdvertising(manufacturerData: [0xFFFF: Data([0])])))
    let app = try await lab.phone.launch(DiceApp.self)
    var told: [String] = []
    var waiting: ASDiscoveredAccessory?
    app.filter = { accessory in
        let data = accessory.bluetoothAdvertisementData ?? [:]
        told.append(data[CBAdvertisementDataLocalNameKey] as? String ?? "")
        // The company identifier, then whether it has an owner.
        if (data[CBAdvertisementDataManufacturerDataKey] as? Data)?.last == 0 { waiting = accessory }
        guard told.count == 4, let waiting, let picture = UIImage(named: "die") else { return nil }
        return ASDiscoveredDisplayItem(name: "Your New Die", productImage: picture, accessory: waiting)
    }
    let settings = ASPickerDisplaySettings.default
    settings.discoveryTimeout = .unbounded
    settings.options.insert(.filterDiscoveryResults)
    app.session.pickerDisplaySettings = settings

    lab.phone.person.will(.pick("Your New Die"))
    let accessory = try await lab.step("filter and pick", within: .seconds(20)) { try await app.addDie(pairing: false) }
    lab.expect(Set(told), equals: ["Die 1", "Die 2", "Die 3", "Die 7"], "the app was told of each die, by its name")
    lab.expect(accessory.displayName, equals: "Your New Die", "the accessory has the name that the app gave it")
    let shown = Set(lab.phone.shownScreens.filter { $0.kind == .picker }.flatMap { $0.entries.map(\.title) })
    lab.expect(shown, equals: ["Your New Die"], "the person saw no other die")
    lab.expect(app.session.accessories, equals: [accessory], "it alone is authorised")
}

extension AirAdvertiser {
    /// A die that has an owner, and says so.
    fileprivate static func ownedDie(_ number: Int) -> AirAdvertiser {
        var die = AirAdvertiser(
            named: "Die \(number)", address: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8(number)])!,
            services: [BluetoothUUID(DieGATT.service)!], metres: 2)
        die.data += [4, 0xFF, 0xFF, 0xFF, 1]
        return die
    }
}
