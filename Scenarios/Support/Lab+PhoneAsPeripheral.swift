import AccessorySetupKit
import CoreBluetooth
import HIL

/// Apple Notification Center Service, as an accessory uses it.
enum NotificationCenterService {
    static let uuid = "7905F431-B5CE-4E99-A40F-4B1E122D00D0"
    static let source = "9FBF120D-6301-42D9-8C58-25E699A21DBD"
    static let controlPoint = "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9"
    static let dataSource = "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB"
}

extension Peripheral {
    /// A lamp that looks for Apple Notification Center Service on the phone that connects to it.
    static var notifiedLamp: Peripheral {
        .lamp { lamp in
            lamp.usesPhone = true
            lamp.advertising = PeripheralAdvertising(
                name: lamp.name, serviceUUIDs: [BluetoothUUID(short: 0xFF00)],
                solicitedUUIDs: [BluetoothUUID(NotificationCenterService.uuid)!])  // A literal.
        }
    }
}

extension RunningPeripheral {
    /// Asks for a notification that does not exist, to see whether the phone answers commands.
    ///
    /// - Returns: The error code of the refusal; nil for none.
    func probeCommands() async throws -> UInt8? {
        do {
            try await writePhone([0, 0xFF, 0xFF, 0xFF, 0xFF, 0], to: NotificationCenterService.controlPoint)
            return nil
        } catch RadioError.attribute(let code) { return code }
    }
}

extension Lab {
    /// Posts a notification. An accessory hears of it by ANCS, reads its texts, and clears it.
    func exchangeNotification(with lamp: RunningPeripheral) async throws {
        let (source, control, data) = (
            NotificationCenterService.source, NotificationCenterService.controlPoint,
            NotificationCenterService.dataSource
        )
        let log = phone.log.mark
        try await lamp.subscribeToPhone(data)
        try await lamp.subscribeToPhone(source)
        try await phone.log.next(.shared("may receive"), since: log, within: .seconds(10))
        let mark = lamp.events.mark
        let message = PhoneNotification(app: "com.example.chat", title: "Kim", body: "Dinner at 8?")
        phone.notifications.post(message)
        expect(
            try await lamp.events.next(.heard, since: mark), equals: Data([0, 0x10, 0, 1, 1, 0, 0, 0]),
            "the lamp hears of the notification")
        let asked = lamp.events.mark
        try await lamp.writePhone([0, 1, 0, 0, 0, 1, 32, 0, 3, 64, 0], to: control)
        let texts = Data([0, 1, 0, 0, 0, 1, 3, 0]) + Data("Kim".utf8) + Data([3, 12, 0]) + Data("Dinner at 8?".utf8)
        expect(try await lamp.events.next(.heard, since: asked), equals: texts, "the lamp reads its texts")
        let cleared = lamp.events.mark
        try await lamp.writePhone([2, 1, 0, 0, 0, 1], to: control)
        expect(
            try await lamp.events.next(.heard, since: cleared), equals: Data([2, 0x10, 0, 0, 1, 0, 0, 0]),
            "the lamp hears that it is gone")
        expect(phone.notifications.posted.isEmpty, "the notification centre is empty")
    }
}

extension EventPattern where Event == PhoneEvent, Value == Void {
    /// The phone's note about Share System Notifications that contains this text.
    static func shared(_ text: String) -> Self {
        Self("“\(text)” in the phone's notes") {
            if case .note("notifications", let note) = $0.kind, note.contains(text) { () } else { nil }
        }
    }
}
