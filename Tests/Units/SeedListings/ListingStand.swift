import AccessorySetupKit
import Foundation
import HILPhone
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

/// The app of the listings. Its folder has the property list and pictures that they need.
final class ListingApp: AppUnderTest {
    static let bundle = AppBundle(identifier: "com.example.listings", folder: folder)

    private static let folder: String = {
        let fixtures = URL(fileURLWithPath: fixture(""))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-listings-\(getpid())")
        let plist: [String: Any] = [
            "NSAccessorySetupSupports": ["Bluetooth", "WiFi"],
            "NSAccessorySetupBluetoothServices": [
                "ABCD1234-0000-1000-8000-00805F9B34FB", "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47",
            ],
        ]
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
                .write(to: folder.appendingPathComponent("Info.plist"))
            let picture = try Data(contentsOf: fixtures.appendingPathComponent("DiceApp/die@3x.png"))
            for name in ["die", "my-accessory", "AssetPreparedJustInTime"] {
                try picture.write(to: folder.appendingPathComponent("\(name)@3x.png"))
            }
        } catch { fatalError("the folder of the listings' app cannot be made: \(error)") }
        return folder.path
    }()
}

/// A phone with a manual clock, on which the app of the listings runs.
final class ListingStand: Sendable {
    static let address = DeviceAddress("9C:5A:81:00:00:07")!

    let radio = InMemoryRadio()
    let phone: Phone

    init() async throws {
        phone = Phone(radio: radio, clock: ManualClock())
        _ = try await phone.launch(ListingApp.self)
    }

    /// Puts an accessory within reach.
    func add(_ name: String, service: String) {
        let advertisement = Advertisement(
            address: Self.address, name: name, serviceUUIDs: [BluetoothUUID(service)!], rssi: -50)
        radio.add(InMemoryRadio.Device(advertisement, pairing: .justWorks))
    }

    /// Runs code of the app on this phone.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value { try phone.asCurrent(body) }

    /// Waits until the app gets an event or completion whose text has this beginning, at most 10 seconds.
    func waitForEvent(_ beginning: String) async throws {
        _ = try await phone.log.first(within: .seconds(300), waitingFor: beginning) { event in
            if case .told(_, let text) = event.kind { text.hasPrefix(beginning) } else { false }
        }
    }

    /// The names of the accessories that the app is authorised for.
    var accessories: [String] { phone.store.accessories(of: ListingApp.bundle.identifier).map(\.displayName) }
}

/// Waits for the value with which a completion handler is called.
final class Answer<Value: Sendable>: Sendable {
    private let log = EventLog<Value>()

    func callAsFunction(_ value: Value) { log.append(value) }

    var value: Value {
        get async throws { try await log.first(within: .seconds(300), waitingFor: "a completion").event }
    }
}
