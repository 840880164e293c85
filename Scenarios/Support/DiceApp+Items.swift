import AccessorySetupKit
import DiceApp
import HIL

extension DiceApp {
    /// An item for dice that are found as `describe` says, by their service unless that is changed.
    func item(
        setup: ASPickerDisplayItem.SetupOptions = [], describe: (ASDiscoveryDescriptor) -> Void = { _ in }
    ) throws -> ASPickerDisplayItem {
        let item = try item(named: "Bluetooth Die", .dice(describe))
        item.setupOptions = setup
        return item
    }

    /// An item of this name with the picture of a die.
    func item(named name: String, _ descriptor: ASDiscoveryDescriptor) throws -> ASPickerDisplayItem {
        ASPickerDisplayItem(name: name, productImage: try picture, descriptor: descriptor)
    }

    /// What the app shows of a die that it had before AccessorySetupKit.
    func oldDie(_ identifier: UUID) throws -> ASMigrationDisplayItem {
        let item = ASMigrationDisplayItem(name: "My Old Die", productImage: try picture, descriptor: .dice())
        item.peripheralIdentifier = identifier
        return item
    }

    /// Has the app look at what is found before the person sees it, for as long as the app takes.
    func filterWhatIsFound(_ filter: @escaping (ASDiscoveredAccessory) -> ASDiscoveredDisplayItem? = { _ in nil }) {
        self.filter = filter
        let settings = ASPickerDisplaySettings.default
        settings.discoveryTimeout = .unbounded
        settings.options.insert(.filterDiscoveryResults)
        session.pickerDisplaySettings = settings
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

    /// By Wi-Fi Aware alone.
    static var wifiAware: ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.wifiAwareServiceName = "_die._tcp"
        descriptor.wifiAwareModelNameMatch = ASPropertyCompareString(string: "die", compareOptions: .caseInsensitive)
        return descriptor
    }
}
