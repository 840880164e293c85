import BoardProtocol
import Foundation
import RadioModel

extension SetupSession {
    /// Asks the person whether the app may use an accessory by one more technology, and finds the accessory by it (A4).
    ///
    /// Crashes the app if a picker with this descriptor would.
    ///
    /// - Parameters:
    ///   - accessory: The accessory's ``AccessoryRecord/id``.
    ///   - completion: Called once, with nil when the accessory has all technologies of the descriptor.
    package func updateAuthorization(
        for accessory: UUID, descriptor: DiscoveryDescriptor, completion: @escaping Completion
    ) {
        note("asked to use an accessory by one more technology")
        ask(about: accessory, completion) { session, record in
            let item = PickerItem(name: record.displayName, descriptor: descriptor)
            session.crashIfForbidden([item])
            if let why = SetupRules.defect(of: item, policy: session.phone.policy) {
                throw SetupError(.invalidRequest, why)
            }
            if let error = session.restriction() { throw error }
            try await session.upgrade(record, by: descriptor)
        }
    }

    private func upgrade(_ record: AccessoryRecord, by descriptor: DiscoveryDescriptor) async throws {
        let upgrade = AuthorizationUpgrade(record, by: descriptor, policy: phone.policy)
        guard record.state == .authorized, !upgrade.isEmpty else {
            throw SetupError(
                .invalidRequest,
                "the descriptor adds no technology to “\(record.displayName)”: give one that it is not authorised for")
        }
        guard setup.allowsQuestion else { throw SetupError(.pickerAlreadyActive, "a picker is open") }
        let screen = Screen(
            .upgrade, title: "Allow “\(app.name)” to Use “\(record.displayName)” by \(upgrade.names)?",
            controls: [.deny, .allow], willing: .allow)
        guard try await phone.display.ask(screen) == .allow else {
            throw SetupError(.userCancelled, "the person did not allow \(upgrade.names)")
        }
        let found = try await setup.find(upgrade)
        // The accessory may have changed, or may be gone, while the phone was looking for it.
        let changed = phone.store.update(record.id, of: app.bundle.identifier) { record in
            record.bluetoothIdentifier = found.bluetoothIdentifier
            record.ssid = found.ssid
            record.wifiAwareDevice = found.wifiAwareDevice
            record.descriptor = found.descriptor
        }
        guard let changed else {
            throw SetupError(.invalidRequest, "“\(record.displayName)” was removed meanwhile")
        }
        for session in setup.sessions(of: app.bundle.identifier) {
            session.tell(SetupEvent(.accessoryChanged, accessory: changed))
        }
    }
}

/// The search for the technologies that a descriptor adds to an accessory (A4).
struct AuthorizationUpgrade: Sendable {
    /// The accessory, with the technologies found so far.
    private(set) var record: AccessoryRecord
    /// The criteria of Bluetooth; nil if it was found or is not wanted.
    private(set) var bluetooth: DescriptorMatcher?
    /// The criteria of Wi-Fi; nil if it was found or is not wanted.
    private(set) var wifi: DescriptorMatcher?
    /// The criteria of Wi-Fi Aware; nil if it was found or is not wanted.
    private(set) var aware: DescriptorMatcher?
    /// The wanted technologies, for people: “Bluetooth and Wi-Fi”.
    let names: String

    init(_ record: AccessoryRecord, by descriptor: DiscoveryDescriptor, policy: HostPolicy) {
        var (bluetooth, wifi, aware) = (descriptor, descriptor, descriptor)
        (bluetooth.ssid, bluetooth.ssidPrefix) = (nil, nil)
        wifi.removeBluetooth()
        aware.removeBluetooth()
        (aware.ssid, aware.ssidPrefix) = (nil, nil)
        let needs = (
            bluetooth: descriptor.usesBluetooth && record.bluetoothIdentifier == nil,
            wifi: descriptor.usesWiFi && record.ssid == nil,
            aware: descriptor.usesWiFiAware && record.wifiAwareDevice == 0
        )
        if needs.bluetooth { self.bluetooth = DescriptorMatcher(bluetooth, policy: policy) }
        if needs.wifi { self.wifi = DescriptorMatcher(wifi, policy: policy) }
        if needs.aware { self.aware = DescriptorMatcher(aware, policy: policy) }
        let all = [needs.bluetooth ? "Bluetooth" : nil, needs.wifi ? "Wi-Fi" : nil, needs.aware ? "Wi-Fi Aware" : nil]
        names = all.compactMap(\.self).joined(separator: " and ")
        self.record = record
        self.record.descriptor = descriptor
        isEmpty = !(needs.bluetooth || needs.wifi || needs.aware)
        // A whole SSID needs no scan.
        if needs.wifi, let ssid = descriptor.ssid { setNetwork(ssid) }
    }

    /// Whether the descriptor adds no technology.
    let isEmpty: Bool
    /// Whether all wanted technologies are found.
    var isComplete: Bool { bluetooth == nil && wifi == nil && aware == nil }

    mutating func hear(_ event: RadioEvent, _ identifier: (DeviceAddress) -> UUID, _ device: (DeviceAddress) -> UInt64)
    {
        switch event {
        case .advertisement(let heard) where bluetooth?.matches(heard) == true:
            record.bluetoothIdentifier = identifier(heard.address)
            bluetooth = nil
        case .wifiAware(let service) where aware?.matches(service) == true:
            record.wifiAwareDevice = device(service.address)
            aware = nil
        default: break
        }
    }

    mutating func see(_ networks: [WiFiNetwork]) {
        if let network = networks.first(where: { wifi?.matches($0) == true }) { setNetwork(network.ssid) }
    }

    private mutating func setNetwork(_ ssid: String) {
        record.ssid = ssid
        wifi = nil
    }
}

extension DiscoveryDescriptor {
    fileprivate mutating func removeBluetooth() {
        (serviceUUID, companyIdentifier, nameSubstring) = (nil, nil, nil)
        (manufacturerDataBlob, manufacturerDataMask) = (nil, nil)
        (serviceDataBlob, serviceDataMask) = (nil, nil)
    }
}
