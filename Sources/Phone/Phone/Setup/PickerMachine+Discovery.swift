import Foundation
import RadioModel

extension PickerMachine {
    mutating func start() -> [Effect] {
        guard !searchedItems.isEmpty else { return inform() }
        phase = .discovering
        let descriptors = searchedItems.map(\.descriptor)
        let listen = Effect.listen(
            bluetooth: descriptors.contains { $0.usesBluetooth },
            wifi: descriptors.contains { $0.usesWiFi && !$0.usesBluetooth },
            wifiAware: descriptors.contains { $0.usesWiFiAware && !$0.usesBluetooth })
        let timer = configuration.timeout.map { [Effect.startTimer($0)] } ?? []
        return [.tell(.pickerDidPresent), .show(picker)] + timer + [listen]
    }

    mutating func hear(_ advertisement: Advertisement) -> [Effect] {
        // The radio sent this event before it was switched off.
        guard isBluetoothOn else { return [] }
        let device = advertisement.address
        let isNear = isImmediate(advertisement)
        let identifier = configuration.identifier(device)
        guard !configuration.knownDevices.contains(identifier),
            let match = index.firstMatch(advertisement, isNear: isNear)
        else {
            unmatched.note(advertisement, from: device)
            return []
        }
        unmatched.forget(device)
        let item = presented(searchedItems[match], device: identifier, ssid: nil)
        let entry = Entry(
            item: item, name: advertisement.name ?? "", device: device, ssid: item.descriptor.ssid, address: device,
            signal: advertisement.rssi)
        return offer(entry, heardIn: advertisement)
    }

    mutating func see(_ networks: [WiFiNetwork]) -> [Effect] {
        guard isWiFiOn else { return [] }
        return networks.flatMap { network -> [Effect] in
            guard !configuration.knownNetworks.contains(where: network.ssid.isSameSSID),
                let match = index.firstMatch(network)
            else {
                unmatchedNetworks.note(network, from: network.bssid)
                return []
            }
            let item = presented(searchedItems[match], device: nil, ssid: network.ssid)
            let entry = Entry(
                item: item, name: network.ssid, device: nil, ssid: network.ssid, address: network.bssid,
                signal: network.signal)
            return offer(entry, heardIn: nil)
        }
    }

    mutating func hear(_ service: WiFiAwareService) -> [Effect] {
        let device = configuration.awareDevice(service.address)
        guard !configuration.knownAwareDevices.contains(device) else { return [] }
        guard let match = index.firstMatch(service) else { return [] }
        let entry = Entry(
            item: searchedItems[match], name: service.modelName ?? service.name, awareDevice: device,
            address: service.address)
        return offer(entry, heardIn: nil)
    }

    /// The item with the accessory's name and picture from another app that has set it up (K13).
    private func presented(_ item: PickerItem, device: UUID?, ssid: String?) -> PickerItem {
        guard let known = configuration.presentation(device, ssid) else { return item }
        var item = item
        item.name = known.displayName
        item.picture = known.picture ?? item.picture
        return item
    }

    /// Adds an entry, one for each device or network (K1). With filtering, the app gets the entry first and decides
    /// (F1).
    private mutating func offer(_ entry: Entry, heardIn advertisement: Advertisement?) -> [Effect] {
        if let known = entries.firstIndex(where: { $0.isSame(as: entry) }) { return hearAgain(entry, at: known) }
        guard configuration.filters else {
            entries.append(entry)
            return [.show(picker)]
        }
        if candidates.contains(where: { $0.isSame(as: entry) }) { return [] }
        guard reportedCount < configuration.policy.discoveredAccessories else { return [] }
        reportedCount += 1
        candidates.append(entry)
        return [.discover(discovered(entry), advertisement)]
    }

    /// Updates an entry that was heard again. Shows the picker again if its text or the order of the signals has
    /// changed.
    private mutating func hearAgain(_ heard: Entry, at index: Int) -> [Effect] {
        let before = (entry: entries[index], order: signalOrder)
        let isBack = staleEntries.remove(before.entry.id) != nil
        // With filtering, the app decides how an entry is shown.
        if !configuration.filters, !heard.name.isEmpty {
            entries[index] = heard
            entries[index].id = before.entry.id
            // For a network with several access points, the address of the first one stays.
            entries[index].address = before.entry.address
        }
        entries[index].signal = before.entry.signal
        let isChanged = entries[index] != before.entry
        entries[index].signal = heard.signal ?? before.entry.signal
        return isChanged || isBack || signalOrder != before.order ? [.show(picker)] : []
    }

    /// The indices of the visible entries, strongest signal first.
    private var signalOrder: [Int] {
        let heard = visibleEntries.enumerated().compactMap { index, entry in entry.signal.map { (index, signal: $0) } }
        return heard.sorted { ($1.signal, $0.0) < ($0.signal, $1.0) }.map(\.0)
    }

    /// The record of a match, as the app gets it: without the identifiers that would give access to the accessory.
    private func discovered(_ entry: Entry) -> AccessoryRecord {
        var record = record(of: entry)
        record.state = .unauthorized
        record.bluetoothIdentifier = nil
        record.wifiAwareDevice = 0
        return record
    }

    /// Why the picker cannot show these items (F2); nil if it can.
    func problem(with items: [FilteredItem]) -> SetupError? {
        guard case .discovering = phase, configuration.filters else {
            return SetupError(
                .invalidRequest, "the picker does not filter: set filterDiscoveryResults in its display settings")
        }
        let known = (candidates + entries).map(\.id)
        guard items.allSatisfy({ known.contains($0.accessory) }) else {
            return SetupError(.invalidRequest, "an item's accessory was not discovered by this picker")
        }
        return nil
    }

    /// Shows the items that the app has accepted, together with those that it accepted before (F2).
    mutating func update(_ items: [FilteredItem]) -> [Effect] {
        for filtered in items {
            guard var entry = (candidates + entries).first(where: { $0.id == filtered.accessory }) else { continue }
            let descriptor = entry.item.descriptor
            entry.item = filtered.item
            entry.item.descriptor = descriptor
            candidates.removeAll { $0.id == entry.id }
            if let index = entries.firstIndex(where: { $0.id == entry.id }) {
                entries[index] = entry
            } else {
                entries.append(entry)
            }
        }
        return items.isEmpty ? [] : [.show(picker)]
    }

    /// Whether the last signal reports are strong enough for immediate range (D8).
    private mutating func isImmediate(_ advertisement: Advertisement) -> Bool {
        guard let rssi = advertisement.rssi else { return false }
        let count = configuration.policy.immediateReports
        // Private addresses change, so a picker that stays open for long must forget old ones.
        if signals.count > 1024 { signals = [:] }
        let reports = (signals[advertisement.address, default: []] + [rssi]).suffix(count)
        signals[advertisement.address] = Array(reports)
        return reports.count >= count && reports.reduce(0, +) >= configuration.policy.immediateSignal * reports.count
    }

    mutating func timeOut() -> [Effect] {
        guard visibleEntries.isEmpty else { return [] }
        phase = .lastPage(SetupError(.discoveryTimeout, "no accessory was found"))
        return [.stopListening, .show(nothingFound)]
    }

    func record(of entry: Entry) -> AccessoryRecord {
        AccessoryRecord(
            id: entry.id, displayName: entry.item.name, bluetoothIdentifier: entry.device.map(configuration.identifier),
            ssid: entry.ssid, wifiAwareDevice: entry.awareDevice, picture: entry.item.picture,
            descriptor: entry.item.descriptor)
    }
}
