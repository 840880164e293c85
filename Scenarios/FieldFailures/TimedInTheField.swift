import AccessorySetupKit
import CoreBluetooth
import HIL

/// A connection that should be given up after a while, by a timer: its manager has a queue of its own, whose threads run
/// no run loop, so the timer never fires and the person waits for ever.
///
/// Report: https://github.com/jordanebelanger/SwiftyBluetooth/issues/21
let connectionIsGivenUpInTime = Scenario(
    "An app gives up connecting when its timer fires, because it was started on the main thread",
    .tags("field", .discovery), .covers("P9"), over: AppVersion.axis
) { lab, version in
    let lamp = try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    try await lamp.powerOff()
    let link = ImpatientApp(
        connectingTo: identifier, patience: 0.2,
        queue: version == .broken ? DispatchQueue(label: "com.example.gadgets.bluetooth") : nil)
    try await lab.step("connect", within: .seconds(5)) { try await link.events.next(.event(.asked)) }
    try await lab.expect(version, "the app gives up, on the main thread") {
        do {
            try await link.events.next(
                .event(.gaveUp(onMainThread: true)), within: .seconds(version == .broken ? 1 : 5))
            return true
        } catch is TimedOut { return false }
    }
    lab.expect(
        link.events.events.count, equals: version == .broken ? 1 : 2, "a timer on the thread of a queue never fires")
}
