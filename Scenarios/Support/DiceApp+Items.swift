import AccessorySetupKit
import DiceApp
import HIL

extension DiceApp {
    /// An item for dice. They are found by their service, unless `describe` changes that.
    func item(
        setup: ASPickerDisplayItem.SetupOptions = [], describe: (ASDiscoveryDescriptor) -> Void = { _ in }
    ) throws -> ASPickerDisplayItem {
        let item = try item(named: "Bluetooth Die", .dice(describe))
        item.setupOptions = setup
        return item
    }

    /// An item with this name and the picture of a die.
    func item(named name: String, _ descriptor: ASDiscoveryDescriptor) throws -> ASPickerDisplayItem {
        ASPickerDisplayItem(name: name, productImage: try picture, descriptor: descriptor)
    }

    /// An item for a die that the app used before AccessorySetupKit.
    func oldDie(_ identifier: UUID) throws -> ASMigrationDisplayItem {
        let item = ASMigrationDisplayItem(name: "My Old Die", productImage: try picture, descriptor: .dice())
        item.peripheralIdentifier = identifier
        return item
    }

    /// Lets the app filter discovered accessories before the person sees them, without a time limit.
    func filterWhatIsFound(_ filter: @escaping (ASDiscoveredAccessory) -> ASDiscoveredDisplayItem? = { _ in nil }) {
        self.filter = filter
        let settings = ASPickerDisplaySettings.default
        settings.discoveryTimeout = .unbounded
        settings.options.insert(.filterDiscoveryResults)
        session.pickerDisplaySettings = settings
    }
}

extension ASDiscoveryDescriptor {
    /// Describes dice by their service, unless `describe` changes that.
    static func dice(_ describe: (ASDiscoveryDescriptor) -> Void = { _ in }) -> ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
        describe(descriptor)
        return descriptor
    }

    /// Describes dice by their Wi-Fi network only.
    static func network(exact ssid: String? = nil, prefix: String? = nil) -> ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        (descriptor.ssid, descriptor.ssidPrefix) = (ssid, prefix)
        return descriptor
    }

    /// Describes dice by Wi-Fi Aware only.
    static var wifiAware: ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.wifiAwareServiceName = "_die._tcp"
        descriptor.wifiAwareModelNameMatch = ASPropertyCompareString(string: "die", compareOptions: .caseInsensitive)
        return descriptor
    }
}
