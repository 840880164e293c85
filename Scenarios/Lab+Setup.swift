import AccessorySetupKit
import CoreBluetooth
import DiceApp
import DieProtocol
import Foundation
import HIL
import Phone
import Timing

extension DiceApp {
    /// An item for dice that is found as `describe` says, by their service unless that is changed.
    func item(
        setup: ASPickerDisplayItem.SetupOptions = [], describe: (ASDiscoveryDescriptor) -> Void = { _ in }
    ) throws -> ASPickerDisplayItem {
        ASPickerDisplayItem.setup(
            ASPickerDisplayItem(name: "Bluetooth Die", productImage: try picture, descriptor: .dice(describe)), setup)
    }

    /// The picture of a die.
    var picture: UIImage {
        get throws {
            guard let picture = UIImage(named: "die") else { throw DiceAppError.missing("the picture “die”") }
            return picture
        }
    }

    /// What the session told since it had told so much.
    func told(since place: Int) -> [ASAccessoryEventType] { events.dropFirst(place).map(\.eventType) }
}

extension ASPickerDisplayItem {
    fileprivate static func setup(_ item: ASPickerDisplayItem, _ options: SetupOptions) -> ASPickerDisplayItem {
        item.setupOptions = options
        return item
    }
}

extension ASDiscoveryDescriptor {
    /// By the die's service, unless that is changed.
    static func dice(_ describe: (ASDiscoveryDescriptor) -> Void = { _ in }) -> ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
        describe(descriptor)
        return descriptor
    }

    /// By Wi-Fi alone.
    static func network(exact ssid: String? = nil, prefix: String? = nil) -> ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        (descriptor.ssid, descriptor.ssidPrefix) = (ssid, prefix)
        return descriptor
    }
}

extension Phone {
    /// Waits until an app was told of something, by the name of the event.
    func told(_ event: String, since place: Int, within limit: Duration = .seconds(10)) async throws {
        _ = try await log.first(from: place, within: limit, waitingFor: event) {
            if case .told(_, let text) = $0.kind { text.hasPrefix(event) } else { false }
        }
    }

    /// Waits until a screen is shown.
    func shows(_ kind: Screen.Kind, entries: Int = 0, since place: Int = 0) async throws {
        _ = try await log.first(from: place, within: .seconds(10), waitingFor: "the screen \(kind)") {
            if case .screen(let screen?) = $0.kind {
                screen.kind == kind && screen.entries.count >= entries
            } else {
                false
            }
        }
    }
}
