import RadioModel

/// A radio that is switched off and on while the picker is up (K18).
extension PickerMachine {
    /// What can be picked now: not what was heard before its radio was switched off and was not heard again.
    var offered: [Entry] { entries.filter { !unheard.contains($0.id) } }

    /// What the picker says of radios that it needs and that are off.
    var missingRadios: [String] {
        let descriptors = offers.map(\.descriptor)
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

    /// Whoever listens for the picker goes on by itself.
    private func lookAgain() -> [Effect] {
        if case .discovering = phase { [.show(picker)] } else { [] }
    }

    /// The radio by which these are reached is off: what is being paired or bridged over it has failed (K10).
    private mutating func lose(_ lost: [Entry], _ why: String) -> [Effect] {
        switch phase {
        case .discovering:
            unheard.formUnion(lost.map(\.id))
            return [.show(picker)]
        case .pairing(let entry) where lost.contains(entry), .bridging(let entry) where lost.contains(entry):
            return fail(entry, why)
        default: return []
        }
    }
}
