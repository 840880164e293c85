import AccessorySetupKit
import CoreBluetooth
import DiceApp
import DieProtocol
import HIL
import Phone
import Timing

/// An app that asks for accessories in immediate range is not offered a die across the room, and is as it comes near.
let dieIsFoundInImmediateRange = Scenario(
    "A die is offered in immediate range and not from across the room", .tags(.discovery), .covers("D8")
) { lab in
    try await lab.air.setDistance(6)
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
    descriptor.bluetoothRange = .immediate

    lab.phone.policy.discoveryTimeout = .seconds(1)
    try await lab.expect(
        throwing: ASError.self, "the die is too far away", where: { $0.code == .discoveryTimeout }
    ) {
        _ = try await lab.step("look from afar", within: .seconds(10)) { try await app.addDie(describedBy: descriptor) }
    }
    lab.expect(lab.phone.strongestSignal.map { $0 < -50 } ?? false, "the die was heard, and weakly")

    lab.phone.policy.discoveryTimeout = .seconds(30)
    let pick = Task { try await app.addDie(describedBy: descriptor) }
    try await lab.step("walk there", within: .seconds(5)) {
        try await lab.air.move(along: [.at(6, after: .milliseconds(500)), .at(0.5, after: .seconds(2))])
    }
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await pick.value }
    lab.expect(accessory.state, equals: .authorized, "the die is authorised")
    lab.expect(
        lab.phone.strongestSignal.map { $0 >= -50 } ?? false,
        "it was offered when its signal was that of an arm's length")
}

extension Phone {
    /// The strongest signal that any device was heard with so far, dBm.
    fileprivate var strongestSignal: Int? {
        log.events.compactMap { event in
            if case .radio(.advertisement(let heard)) = event.kind { heard.rssi } else { nil }
        }.max()
    }
}
