import Foundation
import PeripheralModel
import RadioModel

/// The phone's own services: Device Information, Battery, Current Time, and Apple Notification Center Service.
struct OwnServices {
    /// The places of the values that are not fixed.
    static let batteryLevel = AttributePlace(service: 1, characteristic: 0)
    static let currentTime = AttributePlace(service: 2, characteristic: 0)
    static let localTime = AttributePlace(service: 2, characteristic: 1)
    static let notificationSource = AttributePlace(service: 3, characteristic: 0)
    static let controlPoint = AttributePlace(service: 3, characteristic: 1)
    static let dataSource = AttributePlace(service: 3, characteristic: 2)

    let personality: PhonePersonality

    /// The services, in the order of the places above.
    var services: [PeripheralService] {
        [deviceInformation, battery, time] + (personality.hasNotificationService ? [notifications] : [])
    }

    private var deviceInformation: PeripheralService {
        PeripheralService(
            uuid: BluetoothUUID(short: 0x180A),
            characteristics: [
                fixed(0x2A29, Data(personality.manufacturer.utf8)), fixed(0x2A24, Data(personality.model.utf8)),
            ])
    }

    private var battery: PeripheralService {
        PeripheralService(
            uuid: BluetoothUUID(short: 0x180F),
            characteristics: [
                PeripheralCharacteristic(
                    uuid: BluetoothUUID(short: 0x2A19), properties: [.read, .notify], reading: .encrypted,
                    notifying: .encrypted, value: Data([min(personality.batteryLevel, 100)]))
            ])
    }

    private var time: PeripheralService {
        PeripheralService(
            uuid: BluetoothUUID(short: 0x1805),
            characteristics: [0x2A2B, 0x2A0F].map { uuid in
                PeripheralCharacteristic(
                    uuid: BluetoothUUID(short: uuid), properties: uuid == 0x2A2B ? [.read, .notify] : [.read],
                    reading: .encrypted, notifying: .encrypted, answering: PeripheralAnswering(reads: true))
            })
    }

    /// Apple Notification Center Service Specification, “Service Characteristics”.
    private var notifications: PeripheralService {
        func characteristic(
            _ uuid: String, _ properties: GATTCharacteristic.Properties, isAnswered: Bool = false
        ) -> PeripheralCharacteristic {
            PeripheralCharacteristic(
                uuid: BluetoothUUID(uuid)!,  // The literals below.
                properties: properties, reading: .encrypted, writing: .encrypted, notifying: .encrypted,
                answering: PeripheralAnswering(writes: isAnswered))
        }
        return PeripheralService(
            uuid: BluetoothUUID("7905F431-B5CE-4E99-A40F-4B1E122D00D0")!,  // A literal.
            characteristics: [
                characteristic("9FBF120D-6301-42D9-8C58-25E699A21DBD", .notify),
                characteristic("69D1D8F3-45E1-49A8-9821-9BBDFDAAD9D9", .write, isAnswered: true),
                characteristic("22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB", .notify),
            ])
    }

    private func fixed(_ uuid: UInt16, _ value: Data) -> PeripheralCharacteristic {
        PeripheralCharacteristic(uuid: BluetoothUUID(short: uuid), properties: .read, value: value)
    }

    /// The value of Current Time or Local Time Information; nil for another place.
    ///
    /// Sources: Current Time Service 1.1, 3.1 and 3.2; GATT Specification Supplement, 3.62, 3.67, 3.137.
    static func time(at place: AttributePlace, _ now: Date, in zone: TimeZone) -> Data? {
        switch place {
        case currentTime:
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second, .weekday, .nanosecond], from: now)
            func byte(_ number: Int?) -> UInt8 { UInt8(truncatingIfNeeded: number ?? 0) }
            let year = UInt16(clamping: parts.year ?? 0)
            // Foundation's week begins with Sunday, 1; Bluetooth's with Monday, 1.
            let weekday = ((parts.weekday ?? 1) + 5) % 7 + 1
            let fraction = (parts.nanosecond ?? 0) * 256 / 1_000_000_000
            return Data([
                UInt8(year & 0xFF), UInt8(year >> 8), byte(parts.month), byte(parts.day), byte(parts.hour),
                byte(parts.minute), byte(parts.second), byte(weekday), byte(fraction), 0,
            ])
        case localTime:
            let saving = zone.daylightSavingTimeOffset(for: now)
            let standard = zone.secondsFromGMT(for: now) - Int(saving)
            // Both in units of 15 minutes; of daylight saving time there are 0, 2, 4 and 8.
            return Data([UInt8(bitPattern: Int8(clamping: standard / 900)), UInt8(clamping: Int(saving) / 900)])
        default: return nil
        }
    }
}
