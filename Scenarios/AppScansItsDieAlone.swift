import CoreBluetooth
import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel
import Timing

/// Of all dice on the air, a scan gives the app the one that it was authorised for.
let appScansItsDieAlone = Scenario(
    "A scan gives an app its own die, and no other that is heard", .tags(.discovery), .covers("C1", "C2")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let probe = CentralProbe()
    try await probe.next(.state(.poweredOff))
    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.addDie(pairing: false) }
    try await probe.next(.state(.poweredOn))

    let strangers = (1...4).compactMap { DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8($0)]) }
    for address in strangers {
        try await lab.air.add(
            .advertiser(AirAdvertiser(named: "Die 8", address: address, services: [BluetoothUUID(DieGATT.service)!])))
    }
    let place = lab.phone.log.count
    probe.central.scanForPeripherals(withServices: [CBUUID(string: DieGATT.service)])
    try await lab.step("hear all", within: .seconds(20)) {
        for address in strangers {
            try await lab.phone.notices("\(address)", since: place, within: .seconds(15)) {
                if case .advertisement(let heard) = $0 { heard.address == address } else { false }
            }
        }
        try await probe.next("the die") { if case .discovered = $0 { true } else { false } }
    }
    let found = probe.told.events.compactMap { if case .discovered(let identifier) = $0 { identifier } else { nil } }
    lab.expect(
        Set(found), equals: Set([accessory.bluetoothIdentifier].compactMap(\.self)), "only the app's own is told")
    probe.central.stopScan()
}
