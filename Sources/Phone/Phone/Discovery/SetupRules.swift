import Foundation

/// A rule that the app breaks. iOS crashes the app for it, or the rule only advises against it.
package struct RuleViolation: Sendable, Hashable {
    /// The rule that the app breaks, such as `P2`.
    package var rule: String
    /// What the app did, and how to fix it.
    package var reason: String

    init(_ rule: String, _ reason: String) {
        self.rule = rule
        self.reason = reason
    }
}

/// Checks a picker's items before the picker is shown.
package enum SetupRules {
    /// The violation for which iOS crashes the app at its first call of the framework (P1); nil if there is none.
    package static func violation(in propertyList: AppPropertyList) -> RuleViolation? {
        guard propertyList.supports.isEmpty else { return nil }
        let key = AppPropertyList.supportsKeys[0]
        guard let unknown = propertyList.unknownTechnologies.first else {
            return RuleViolation("P1", "the Info.plist has no \(key): add it, with Bluetooth and/or WiFi")
        }
        return RuleViolation("P1", "“\(unknown)” under \(key) in the Info.plist is neither Bluetooth nor WiFi")
    }

    /// The first violation for which iOS crashes the app when it shows these items (P1 to P6, D2, D3); nil if there is
    /// none.
    package static func violation(in items: [PickerItem], declared propertyList: AppPropertyList) -> RuleViolation? {
        violation(in: propertyList)
            ?? items.lazy.compactMap { item in
                masks(item) ?? networks(item) ?? bluetooth(item, propertyList) ?? wifi(item, propertyList)
            }.first
    }

    /// Why an item can never match an accessory (K7); nil if it can.
    package static func defect(of item: PickerItem, policy: HostPolicy) -> String? {
        if let migration = item.migration { return defect(of: migration, item) }
        let descriptor = item.descriptor
        guard descriptor.usesBluetooth || descriptor.usesWiFi || descriptor.usesWiFiAware else {
            return "the descriptor of “\(item.name)” has no criterion"
        }
        for ssid in [descriptor.ssid, descriptor.ssidPrefix].compactMap(\.self) {
            if let why = defect(ofNetwork: ssid, item) { return why }
        }
        guard descriptor.usesBluetooth else { return nil }
        guard descriptor.serviceUUID != nil || descriptor.companyIdentifier != nil else {
            return "the descriptor of “\(item.name)” needs a service UUID or a company identifier (D1)"
        }
        let hasMore =
            descriptor.nameSubstring != nil || descriptor.manufacturerDataBlob != nil
            || descriptor.serviceDataBlob != nil || descriptor.usesWiFi
        guard hasMore || !policy.bluetoothDescriptorNeedsMore else {
            return "the descriptor of “\(item.name)” also needs a name, data with a mask, or an SSID (D1)"
        }
        return nil
    }

    /// Why an item has nothing that can be migrated (M4); nil if it has.
    private static func defect(of migration: PickerItem.Migration, _ item: PickerItem) -> String? {
        if migration.isEmpty {
            return "“\(item.name)” has nothing to migrate: set peripheralIdentifier, hotspotSSID or both"
        }
        return migration.ssid.flatMap { defect(ofNetwork: $0, item) }
    }

    /// Source: IEEE 802.11-2020, 9.4.2.2: an SSID has at most 32 bytes. Only a hidden network's SSID is empty.
    private static func defect(ofNetwork ssid: String, _ item: PickerItem) -> String? {
        (1...32).contains(ssid.utf8.count)
            ? nil : "the SSID of “\(item.name)” has \(ssid.utf8.count) bytes; an SSID must have 1 to 32"
    }

    /// Mistakes that Apple advises against, although the picker works (P5, K17).
    package static func warnings(in items: [PickerItem], declared propertyList: AppPropertyList) -> [RuleViolation] {
        let services = propertyList.lowerCaseServices.map { text in
            RuleViolation("P5", "\(text) under \(AppPropertyList.servicesKey) must be in upper case")
        }
        let pictures = items.filter { $0.picture?.hasOpaqueBackground == true }.map { item in
            RuleViolation("K17", "the picture of “\(item.name)” has an opaque background: make it transparent")
        }
        return services + pictures
    }

    private static func masks(_ item: PickerItem) -> RuleViolation? {
        let descriptor = item.descriptor
        let pairs = [
            ("manufacturer", descriptor.manufacturerDataBlob, descriptor.manufacturerDataMask),
            ("service", descriptor.serviceDataBlob, descriptor.serviceDataMask),
        ]
        for (kind, blob, mask) in pairs where blob?.count != mask?.count {
            return RuleViolation(
                "D2", "the \(kind) data of “\(item.name)” needs a blob and a mask of equal length")
        }
        if descriptor.manufacturerDataBlob != nil, descriptor.companyIdentifier == nil {
            return RuleViolation("D2", "the manufacturer data of “\(item.name)” needs the company identifier")
        }
        if descriptor.serviceDataBlob != nil, descriptor.serviceUUID == nil {
            return RuleViolation("D2", "the service data of “\(item.name)” needs the service UUID")
        }
        return nil
    }

    private static func networks(_ item: PickerItem) -> RuleViolation? {
        if item.descriptor.ssid != nil, item.descriptor.ssidPrefix != nil {
            return RuleViolation("D3", "“\(item.name)” has both ssid and ssidPrefix: set only one")
        }
        if item.descriptor.ssidPrefix == "" {
            return RuleViolation("D3", "the ssidPrefix of “\(item.name)” is empty")
        }
        return nil
    }

    private static func bluetooth(_ item: PickerItem, _ propertyList: AppPropertyList) -> RuleViolation? {
        let descriptor = item.descriptor
        guard descriptor.usesBluetooth else { return nil }
        if !propertyList.supports.contains(.bluetooth) {
            return RuleViolation(
                "P1", "“\(item.name)” is found by Bluetooth: add Bluetooth to \(AppPropertyList.supportsKeys[0])")
        }
        if let uuid = descriptor.serviceUUID, !propertyList.services.contains(uuid) {
            return undeclared("P2", "the service \(uuid)", item, AppPropertyList.servicesKey)
        }
        if let name = descriptor.nameSubstring, !propertyList.names.contains(name) {
            return undeclared("P3", "the name “\(name)”", item, AppPropertyList.namesKey)
        }
        if let company = descriptor.companyIdentifier, !propertyList.companyIdentifiers.contains(company) {
            let digits = AppPropertyList.text(ofCompany: company)
            var violation = undeclared("P4", "the company identifier 0x\(digits)", item, AppPropertyList.companiesKey)
            let decimal = propertyList.digitalCompanies.first {
                AppPropertyList.readings(ofCompany: $0)?.meant == company
            }
            if let decimal {
                violation.reason += ". “\(decimal)” there is read as 0x\(decimal), not as \(company): write “\(digits)”"
            }
            return violation
        }
        return nil
    }

    private static func wifi(_ item: PickerItem, _ propertyList: AppPropertyList) -> RuleViolation? {
        guard item.descriptor.usesWiFi || item.descriptor.usesWiFiAware, !propertyList.supports.contains(.wifi) else {
            return nil
        }
        return RuleViolation("P6", "“\(item.name)” is found by Wi-Fi: add WiFi to \(AppPropertyList.supportsKeys[0])")
    }

    private static func undeclared(_ rule: String, _ what: String, _ item: PickerItem, _ key: String) -> RuleViolation {
        RuleViolation(rule, "\(what) of “\(item.name)” is not declared: add it to \(key) in the Info.plist")
    }
}
