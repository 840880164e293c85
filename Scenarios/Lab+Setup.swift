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
