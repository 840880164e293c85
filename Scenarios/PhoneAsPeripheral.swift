import AccessorySetupKit
import CoreBluetooth
import HIL

let channelsCarryBytes = Scenario(
    "An app opens an L2CAP channel at its accessory's port, and bytes go both ways in order",
    .tags(.pairing), .covers("C9")
) { lab in
    let declared = Peripheral.lamp { $0.channels = [.channel(0x85, needs: .encrypted, echoes: true), .channel(0x86)] }
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(declared)
    let channel = try await lab.step("open", within: .seconds(10)) {
        peripheral.openL2CAPChannel(0x85)
        return try await probe.nextChannel()
    }
    let number = try await lamp.events.next(.channelOpened)
    let (input, output) = (
        try lab.require(channel.inputStream, "there is a stream in"), try lab.require(channel.outputStream, "and out")
    )
    input.open()
    output.open()
    let sent = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    lab.expect(output.write(sent, maxLength: sent.count), equals: sent.count, "the phone takes all bytes")
    var heard: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    try await lab.becomes("all bytes are back", within: .seconds(20)) {
        let count = input.hasBytesAvailable ? input.read(&buffer, maxLength: buffer.count) : 0
        heard += buffer.prefix(count)
        return heard.count == sent.count
    }
    lab.expect(heard, equals: sent, "the bytes came back in order")
    try await lamp.closeChannel(number)
    try await lab.becomes("the app sees the end", within: .seconds(10)) { input.streamStatus == .atEnd }

    let mark = lamp.events.mark
    peripheral.openL2CAPChannel(0x99)
    try await probe.next(.channel(0, CBError.unknown.rawValue))
    lab.expect(lamp.events.contains(.channelOpened, since: mark), equals: false, "nobody listens at another port")
}

let phoneIsAPeripheral = Scenario(
    "A phone publishes a service and advertises it; an accessory connects, reads, writes and is notified",
    .tags(.pairing), .covers("C8", "C9")
) { lab in
    _ = try await lab.phone.launch(OpenGadgetApp.self)
    let app = PublishingApp()
    try await lab.step("publish", within: .seconds(10)) { try await app.publish() }
    let lamp = try await lab.accessory.powerOn(.lamp())
    try await lab.step("connect", within: .seconds(20)) { try await lamp.connect(toPhoneWith: PublishingApp.service) }
    lab.expect(try await lamp.readPhone("2A29"), equals: Data("hil".utf8), "a fixed value is read")
    lab.expect(try await lamp.readPhone("FF21"), equals: Data([7]), "the app answers a read")
    try await lamp.writePhone([1, 2, 3], to: "FF21")
    try await app.events.next(.event(.written(Data([1, 2, 3]))))
    try await lamp.writePhone([9], to: "FF21", withResponse: false)
    try await lab.step("take a write without response", within: .seconds(5)) {
        try await app.events.next(.event(.written(Data([9]))))
    }
    try await lamp.subscribeToPhone("FF21")
    try await app.events.next(.event(.subscribed(true)))
    lab.expect(app.notify(Data([9])), "the phone takes the value")
    lab.expect(try await lamp.events.next(.heard), equals: Data([9]), "the lamp hears the value")

    let port = try await lab.step("publish a channel", within: .seconds(10)) { try await app.publishChannel() }
    let number = try await lamp.openChannel(port: port)
    let channel = try await app.channel()
    let input = try lab.require(channel.inputStream, "there is a stream in")
    input.open()
    try await lamp.send([4, 5, 6], onChannel: number)
    try await lab.becomes("bytes come", within: .seconds(10)) { input.hasBytesAvailable }
    var buffer = [UInt8](repeating: 0, count: 9)
    lab.expect(input.read(&buffer, maxLength: 9), equals: 3, "the packet's bytes come")
    lab.expect(Array(buffer.prefix(3)), equals: [4, 5, 6], "as they were sent")
}

/// Strangers may use what the app means for everybody, and nothing else of the phone: `hil audit phoneStaysAPeripheral`.
let phoneStaysAPeripheral = Scenario(
    "An app that goes on advertising is read by an accessory", .tags(.pairing), .covers("C8"),
    .audits(
        AuditExpectations(
            of: .phone, open: ["FF21", "2A29"], shows: .number,
            accepting: [
                "air.modes": "an iPhone has classic Bluetooth",
                "pairing.debugKey": "makers of accessories use that key to read the air",
                "pairing.guesses": "each number is another one, and who comes with another address is somebody else",
                "pairing.keySize": "no source says that an iPhone refuses what the Core Specification allows",
                "pairing.legacy": "an iPhone also pairs with accessories that know nothing else",
            ]))
) { lab in
    lab.phone.personality = .iPhone16
    let app = try await lab.phone.launch(PublishingGadgetApp.self)
    try await lab.step("publish", within: .seconds(10)) { try await app.publishing.publish() }
    let lamp = try await lab.accessory.powerOn(.lamp())
    try await lab.step("connect", within: .seconds(20)) { try await lamp.connect(toPhoneWith: PublishingApp.service) }
    lab.expect(try await lamp.readPhone("FF21"), equals: Data([7]), "the app answers a read")
}

let phoneShowsItself = Scenario(
    "A bonded accessory reads the phone's battery and time, hears of a notification, reads its texts, and clears it",
    .tags(.pairing, .notifications), .covers("C15", "C16", "C23")
) { lab in
    lab.phone.personality = .iPhone16
    _ = try await lab.phone.launch(OpenGadgetApp.self)
    let app = PublishingApp()
    try await lab.step("publish", within: .seconds(10)) { try await app.publish() }
    let lamp = try await lab.accessory.powerOn(.lamp())
    try await lab.step("connect", within: .seconds(20)) { try await lamp.connect(toPhoneWith: PublishingApp.service) }
    lab.expect(try await lamp.readPhone("2A24"), equals: Data("iPhone17,3".utf8), "anybody reads the model")
    try await lab.step("pair", within: .seconds(20)) {
        lab.expect(try await lamp.readPhone("2A19"), equals: Data([80]), "the battery's level is read")
    }
    lab.expect(try await lamp.readPhone("2A2B").count, equals: 10, "the time is read")
    lab.expect(try await lamp.readPhone("FF21"), equals: Data([7]), "the app's own service answers, too")

    try await lab.exchangeNotification(with: lamp)
}

let lampHearsOfNotifications = Scenario(
    "An accessory that advertises and looks for ANCS is picked and bonded; on that link it hears of a notification, and clears it",
    .tags(.pairing, .notifications), .covers("C15", "C16")
) { lab in
    lab.phone.personality = .iPhone16
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(.notifiedLamp)
    try await lamp.events.next(.bonded)
    try await lab.step("read the phone", within: .seconds(10)) {
        lab.expect(try await lamp.readPhone("2A24"), equals: Data("iPhone17,3".utf8), "the lamp reads the model")
        lab.expect(try await lamp.readPhone("2A19"), equals: Data([80]), "and the battery's level, being bonded")
    }
    try await lab.exchangeNotification(with: lamp)
    peripheral.readValue(for: try peripheral.found("FF01"))
    try await probe.next(.value(Data([50]), nil))
}

let notificationsAreSharedAndTakenBack = Scenario(
    "A connection that requires ANCS waits for the person; she takes the permission back and gives it again, and app and accessory notice",
    .tags(.pairing, .notifications), .covers("C23", "C24")
) { lab in
    lab.phone.personality = .iPhone16
    lab.phone.person.isWilling = false
    let lamp = try await lab.accessory.powerOn(.notifiedLamp)
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"), .done)
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")

    let probe = CentralProbe()
    lab.phone.person.will(.confirmPasskey)
    let connection = Task {
        _ = try await probe.connect(
            identifier, options: [CBConnectPeripheralOptionRequiresANCS: true], within: .seconds(30))
    }
    try await lab.step("be asked", within: .seconds(20)) { try await lab.phone.shows(.notificationSharing) }
    try await lamp.events.next(.bonded)
    try await lamp.subscribeToPhone(NotificationCenterService.dataSource)
    try await lamp.subscribeToPhone(NotificationCenterService.source)
    lab.expect(try await lamp.probeCommands(), equals: 0x03, "a command is refused while the person decides")
    lab.expect(probe.told.contains(.event(.connected(identifier))), equals: false, "and the app waits")
    lab.phone.person.will(.allow, at: .notificationSharing)
    try await lab.step("connect", within: .seconds(10)) { try await connection.value }
    lab.expect(try await lamp.probeCommands(), equals: 0xA2, "now commands are answered: there is no such notification")

    lab.phone.person.will(.shareInSettings("Lamp 7", false))
    try await lab.step("hear of the end", within: .seconds(10)) {
        try await probe.next(.event(.sharing(identifier, false)))
    }
    let mark = lamp.events.mark
    lab.phone.notifications.post(PhoneNotification(app: "com.example.chat", title: "Kim", body: "Dinner at 8?"))
    lab.expect(try await lamp.probeCommands(), equals: 0x03, "commands are refused again")
    lab.expect(lamp.events.contains(.heard, since: mark), equals: false, "the accessory hears of no notification")

    lab.phone.person.will(.shareInSettings("Lamp 7", true))
    try await lab.step("hear again", within: .seconds(10)) { try await probe.next(.event(.sharing(identifier, true))) }
    lab.expect(
        try await lamp.events.next(.heard, since: mark), equals: Data([0, 0x14, 0, 1, 1, 0, 0, 0]),
        "the accessory hears of what is there")
}
