import AccessorySetupKit
import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel

/// Four dice in range make a carousel of four; they are set up one after another, and each is offered once only.
let fourAccessoriesAtOnce = Scenario(
    "Four dice at once make a carousel, and are set up one after another", .tags(.discovery),
    .covers("K1", "K14", "D4", "A1")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    for number in 1...3 {
        try await lab.air.add(
            .advertiser(
                AirAdvertiser(
                    named: "Die \(number)", address: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8(number)])!,
                    services: [BluetoothUUID(DieGATT.service)!], interval: .milliseconds(100), metres: 2)))
    }
    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.isWilling = false

    for (count, name) in ["Die 7", "Die 2", "Die 1", "Die 3"].enumerated() {
        let place = lab.phone.log.count
        let item = try app.item()
        let picker = Task { try await app.session.showPicker(for: [item]) }
        try await lab.step("see \(4 - count)", within: .seconds(10)) {
            try await lab.phone.shows(.picker, entries: 4 - count, since: place)
        }
        lab.phone.person.will(.pick(name), .done)
        try await lab.step("pick \(name)", within: .seconds(10)) { try await picker.value }
    }
    lab.expect(app.session.accessories.count, equals: 4, "all four are authorised")
    let carousels = lab.phone.shownScreens.filter { $0.kind == .picker }.map(\.entries.count)
    lab.expect(carousels.max(), equals: 4, "no more than four were ever offered")
    let again = try await lab.phone.launch(DiceApp.self)
    try await lab.step("relaunch", within: .seconds(5)) { try await lab.phone.told("activated", since: 0) }
    lab.expect(
        Set(again.session.accessories.compactMap(\.bluetoothIdentifier)).count, equals: 4,
        "they are there when the app is launched again")
}
