import RadioModel

/// Handles radios that are switched off and on while the picker is open (K18).
extension PickerMachine {
    /// The entries that can be picked now.
    var visibleEntries: [Entry] { entries.filter { !staleEntries.contains($0.id) } }

    /// The picker's hints about radios that it needs and that are off.
    var missingRadios: [String] {
        let descriptors = searchedItems.map(\.descriptor)
        let needsBluetooth = descriptors.contains { $0.usesBluetooth }
        let needsWiFi = descriptors.contains { ($0.usesWiFi || $0.usesWiFiAware) && !$0.usesBluetooth }
        return [(needsBluetooth, isBluetoothOn, "Bluetooth"), (needsWiFi, isWiFiOn, "Wi-Fi")]
            .filter { $0.0 && !$0.1 }.map { "Turn on \($0.2) in Settings to find accessories." }
    }

    mutating func bluetoothIs(on isOn: Bool) -> [Effect] {
        guard isOn != isBluetoothOn else { return [] }
        isBluetoothOn = isOn
        return isOn ? lookAgain() : lose(entries.filter { $0.device != nil }, "Bluetooth was switched off")
    }

    mutating func wifiIs(on isOn: Bool) -> [Effect] {
        guard isOn != isWiFiOn else { return [] }
        isWiFiOn = isOn
        return isOn ? lookAgain() : lose(entries.filter { $0.device == nil }, "Wi-Fi was switched off")
    }

    /// Shows the picker again. Discovery and scans continue anyway.
    private func lookAgain() -> [Effect] {
        if case .discovering = phase { [.show(picker)] } else { [] }
    }

    /// Handles entries whose radio was switched off: they are hidden, and their pairing or bridging has failed (K10).
    private mutating func lose(_ lost: [Entry], _ why: String) -> [Effect] {
        switch phase {
        case .discovering:
            staleEntries.formUnion(lost.map(\.id))
            return [.show(picker)]
        case .pairing(let entry) where lost.contains(entry): return fail(entry, why)
        case .bridging(let entry, let confirmed) where lost.contains(entry):
            return (confirmed.map { takeBack($0) } ?? []) + fail(entry, why)
        default: return []
        }
    }
}
