import AccessorySetupKit
import CoreBluetooth
import HIL

/// The person does not share notifications, and every command is refused. The accessory takes the phone's service for dead
/// and unsubscribes, so that it stays silent when she shares them later.
///
/// Report: https://github.com/coredevices/PebbleOS/pull/2093
let refusedAccessoryStaysReady = Scenario(
    "An accessory with which the person does not share notifications gets them as soon as she does",
    .tags("field", .pairing, .notifications), .covers("C23"), over: Firmware.axis
) { lab, firmware in
    lab.phone.personality = .iPhone16
    lab.phone.person.will(.deny, at: .notificationSharing)
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(.notifiedLamp)
    try await lamp.events.next(.bonded)
    let mark = lab.phone.log.mark
    try await lab.step("subscribe", within: .seconds(10)) {
        try await lamp.subscribeToPhone(NotificationCenterService.dataSource)
        try await lamp.subscribeToPhone(NotificationCenterService.source)
        try await lab.phone.log.next(.shared("may not receive"), since: mark)
    }
    lab.expect(try await lamp.probeCommands(), equals: 0x03, "the accessory sees that the person shares nothing")
    if firmware == .broken { try await lamp.subscribeToPhone(NotificationCenterService.source, false) }

    lab.phone.person.will(.shareInSettings("Lamp 7", true))
    try await lab.step("share", within: .seconds(10)) {
        try await probe.next(.event(.sharing(peripheral.identifier, true)))
    }
    let heard = lamp.events.mark
    lab.phone.notifications.post(PhoneNotification(app: "com.example.chat", title: "Kim", body: "Dinner at 8?"))
    lab.expect(try await lamp.probeCommands(), equals: 0xA2, "commands are answered now")
    try await lab.expect(firmware, "the accessory hears of the notification") {
        do {
            try await lamp.events.next(.heard, since: heard, within: .seconds(firmware == .broken ? 1 : 5))
            return true
        } catch is TimedOut { return false }
    }
}

/// An app whose every connection requires ANCS: a person who does not share notifications cannot use the accessory at all.
///
/// Report: https://github.com/Mentra-Community/MentraOS/pull/3918
let refusalLeavesTheAccessoryUsable = Scenario(
    "An app uses its accessory although the person does not share notifications with it",
    .tags("field", .pairing, .notifications), .covers("C24"), over: AppVersion.axis
) { lab, version in
    lab.phone.personality = .iPhone16
    lab.phone.person.will(.deny, at: .notificationSharing)
    try await lab.accessory.powerOn(.notifiedLamp)
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add() }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe()
    let mark = lab.phone.log.mark
    let required = Task {
        _ = try? await probe.connect(identifier, options: [CBConnectPeripheralOptionRequiresANCS: true])
    }
    defer { required.cancel() }
    try await lab.step("refuse", within: .seconds(10)) {
        try await lab.phone.log.next(.shared("may not receive"), since: mark)
    }
    required.cancel()
    await required.value
    try await lab.expect(version, "the app reads a value") {
        guard version == .mended else { return probe.told.contains(.event(.connected(identifier))) }
        // After a time limit of its own.
        return try await lab.isUsable(identifier, by: probe)
    }
}
