import AccessorySetupKit
import CoreBluetooth
import HIL

extension Lab {
    /// Posts a notification. An accessory hears of it by ANCS, reads its texts, and clears it.
    func exchangeNotification(with lamp: RunningPeripheral) async throws {
        let (source, control, data) = (
            "9FBF120D-6301-42D9-8C58-25E699A21DBD", "69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9",
            "22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB"
        )
        try await lamp.subscribeToPhone(data)
        try await lamp.subscribeToPhone(source)
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
