import Foundation
import HILPOSIX
import RadioModel

/// An app's property list cannot be used. The mistake is in the app's files, not in the accessory.
public enum AppBundleError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file is missing, or is no property list.
    case unreadable(path: String, why: String)
    /// A key has a value of another type than Apple documents.
    case wrongType(path: String, key: String, expected: String)

    public var description: String {
        switch self {
        case .unreadable(let path, let why): "the property list \(path) cannot be read: \(why)"
        case .wrongType(let path, let key, let expected): "\(key) in \(path) must be \(expected)"
        }
    }
}

/// The keys of an app's Info.plist that matter to AccessorySetupKit and CoreBluetooth.
package struct AppPropertyList: Sendable, Hashable {
    /// A technology under `NSAccessorySetupSupports`.
    package enum Technology: String, Sendable, Hashable, CaseIterable {
        case bluetooth = "Bluetooth"
        case wifi = "WiFi"
    }

    /// Apple spells this key in two ways (P1).
    static let supportsKeys = ["NSAccessorySetupSupports", "NSAccessorySetupKitSupports"]
    static let servicesKey = "NSAccessorySetupBluetoothServices"
    static let namesKey = "NSAccessorySetupBluetoothNames"
    static let backgroundModesKey = "UIBackgroundModes"
    static let bluetoothUsageKey = "NSBluetoothAlwaysUsageDescription"
    static let localNetworkUsageKey = "NSLocalNetworkUsageDescription"
    static let bonjourServicesKey = "NSBonjourServices"
    /// The names of an app, in the order in which the phone looks for one.
    static let nameKeys = ["CFBundleDisplayName", "CFBundleName"]
    static let versionKey = "CFBundleShortVersionString"
    static let companiesKey = "NSAccessorySetupBluetoothCompanyIdentifiers"
    /// All keys of AccessorySetupKit.
    static let setupKeys = supportsKeys + [servicesKey, namesKey, companiesKey]

    /// The declared technologies; empty if the key is missing.
    package var supports: Set<Technology> = []
    /// Declared strings that are not the name of a technology.
    package var unknownTechnologies: [String] = []
    /// The declared service UUIDs.
    package var services: Set<BluetoothUUID> = []
    /// The declared service UUIDs that are not written in upper case, unchanged (P5).
    package var lowerCaseServices: [String] = []
    /// The declared Bluetooth names and parts of names.
    package var names: Set<String> = []
    /// The declared Bluetooth company identifiers.
    package var companyIdentifiers: Set<UInt16> = []
    /// The declared company identifiers that are written as decimal numbers could be, unchanged (P4).
    package var digitalCompanies: [String] = []

    /// The modes of `UIBackgroundModes`: what wakes the app while it is suspended (C13).
    package var backgroundModes: Set<String> = []

    /// The reason that the person reads when the app asks for all of Bluetooth (`NSBluetoothAlwaysUsageDescription`).
    /// Nil if the app does not ask, as is usual with AccessorySetupKit.
    package var bluetoothUsage: String?

    /// The reason that the person reads when the app asks for the local network (`NSLocalNetworkUsageDescription`); nil
    /// for the phone's own text.
    package var localNetworkUsage: String?
    /// The service types under `NSBonjourServices`, in lower case and without a dot at the end: `_lamp._tcp`.
    package var bonjourServices: Set<String> = []

    /// To which hosts the app may speak HTTP without TLS (W14).
    package var transportSecurity = AppTransportSecurity()

    /// The name that the person knows the app by: `CFBundleDisplayName`, or else `CFBundleName`; nil if it has neither,
    /// or if a build setting in it has no value.
    package var displayName: String?
    /// The version that the person knows, `CFBundleShortVersionString`; nil if it has none, or if a build setting in it
    /// has no value.
    package var version: String?
    /// The build settings that the keys above refer to and that the bundle does not give, in order.
    package var missingBuildSettings: [String] = []

    package init() {}

    /// Reads an XML or binary property list.
    ///
    /// - Parameter buildSettings: The values of the settings that it refers to, such as `PRODUCT_NAME`.
    /// - Throws: ``AppBundleError``, with the file and the key.
    package init(contentsOf path: String, buildSettings: [String: String] = [:]) throws {
        let written = try AppPropertyList.dictionary(at: path)
        var settings = BuildSettings(buildSettings)
        if let name = Self.nameKeys.lazy.compactMap({ written[$0] as? String }).first(where: { !$0.isEmpty }) {
            let expanded = settings.expand(name) as? String
            displayName = settings.missing.isEmpty ? expanded : nil
        }
        if let text = written[Self.versionKey] as? String, !text.isEmpty {
            var settings = BuildSettings(buildSettings)
            let expanded = settings.expand(text) as? String
            version = settings.missing.isEmpty ? expanded : nil
        }
        // Only what the phone reads: other keys, such as the build number, may refer to settings that are not needed here.
        let read =
            Self.supportsKeys + [
                Self.servicesKey, Self.namesKey, Self.companiesKey, Self.bluetoothUsageKey, Self.backgroundModesKey,
                Self.localNetworkUsageKey, Self.bonjourServicesKey, AppTransportSecurity.key,
            ]
        let root = settings.expand(written.filter { read.contains($0.key) }) as? [String: Any] ?? [:]
        missingBuildSettings = settings.missing
        for key in AppPropertyList.supportsKeys {
            for text in try AppPropertyList.strings(root[key], key: key, path: path) {
                if let technology = Technology(rawValue: text) {
                    supports.insert(technology)
                } else {
                    unknownTechnologies.append(text)
                }
            }
        }
        for text in try AppPropertyList.strings(root[Self.servicesKey], key: Self.servicesKey, path: path) {
            guard let uuid = BluetoothUUID(text) else {
                throw AppBundleError.wrongType(
                    path: path, key: "“\(text)” under \(Self.servicesKey)", expected: "a Bluetooth UUID")
            }
            services.insert(uuid)
            if text != text.uppercased() { lowerCaseServices.append(text) }
        }
        names = Set(try AppPropertyList.strings(root[Self.namesKey], key: Self.namesKey, path: path))
        companyIdentifiers = try AppPropertyList.companies(root[Self.companiesKey], path: path)
        digitalCompanies = (root[Self.companiesKey] as? [Any] ?? []).compactMap { $0 as? String }
            .filter { UInt16($0) != nil }
        let modes = Self.backgroundModesKey
        backgroundModes = Set(try AppPropertyList.strings(root[modes], key: modes, path: path))
        bluetoothUsage = try AppPropertyList.text(root[Self.bluetoothUsageKey], Self.bluetoothUsageKey, path)
        localNetworkUsage = try AppPropertyList.text(root[Self.localNetworkUsageKey], Self.localNetworkUsageKey, path)
        transportSecurity = try AppTransportSecurity(root[AppTransportSecurity.key], path: path)
        let types = Self.bonjourServicesKey
        bonjourServices = Set(
            try AppPropertyList.strings(root[types], key: types, path: path).map(AppPropertyList.serviceType))
    }

    /// A service type as it is compared: `_lamp._tcp`.
    static func serviceType(_ text: String) -> String {
        (text.hasSuffix(".") ? String(text.dropLast()) : text).lowercased()
    }

    /// Whether the app declares a service type, such as `_lamp._tcp` or `_lamp._tcp.`.
    package func declares(serviceType: String) -> Bool { bonjourServices.contains(Self.serviceType(serviceType)) }

    /// The keys of an entitlements file whose value is not `false`.
    static func entitlements(in path: String) throws -> Set<String> {
        Set(try dictionary(at: path).filter { ($0.value as? Bool) != false }.keys)
    }

    private static func dictionary(at path: String) throws -> [String: Any] {
        let root: Any
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            root = try PropertyListReader.root(of: data)
        } catch {
            throw AppBundleError.unreadable(path: path, why: error.localizedDescription)
        }
        guard let dictionary = root as? [String: Any] else {
            throw AppBundleError.wrongType(path: path, key: "the root", expected: "a dictionary")
        }
        return dictionary
    }

    private static func text(_ value: Any?, _ key: String, _ path: String) throws -> String? {
        guard let value else { return nil }
        guard let text = value as? String else {
            throw AppBundleError.wrongType(path: path, key: key, expected: "a string")
        }
        return text
    }

    private static func strings(_ value: Any?, key: String, path: String) throws -> [String] {
        guard let value else { return [] }
        guard let strings = value as? [String] else {
            throw AppBundleError.wrongType(path: path, key: key, expected: "an array of strings")
        }
        return strings
    }

    /// How a text that is a decimal number is read, and what was perhaps meant: both are company identifiers.
    static func readings(ofCompany text: String) -> (read: UInt16, meant: UInt16)? {
        guard let meant = UInt16(text), let read = UInt16(text, radix: 16), read != meant else { return nil }
        return (read, meant)
    }

    /// Four hexadecimal digits, as Apple writes a company identifier.
    static func text(ofCompany identifier: UInt16) -> String {
        identifier.padded(to: 4, radix: 16, uppercase: true)
    }

    /// Reads company identifiers: hexadecimal strings, with or without `0x`, or numbers (P4).
    private static func companies(_ value: Any?, path: String) throws -> Set<UInt16> {
        guard let value else { return [] }
        let wrong = AppBundleError.wrongType(
            path: path, key: companiesKey, expected: "an array of hexadecimal strings of 16 bits, or of numbers")
        guard let values = value as? [Any] else { throw wrong }
        let identifiers = values.map { value -> UInt16? in
            if let text = value as? String {
                let digits = text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text[...]
                return UInt16(digits, radix: 16)
            }
            return (value as? Int).flatMap(UInt16.init(exactly:))
        }
        guard !identifiers.contains(nil) else { throw wrong }
        return Set(identifiers.compactMap(\.self))
    }
}
