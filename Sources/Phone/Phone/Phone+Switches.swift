import BoardProtocol
import HostRadio
import RadioModel

/// The switches of Bluetooth and Wi-Fi in Settings.
///
/// A person uses them through ``PersonAction/switchBluetoothOff`` and the actions next to it.
extension Phone {
    /// Where the person switches Bluetooth.
    public enum SwitchPlace: Sendable, Hashable, CaseIterable {
        /// In Settings.
        case settings
        /// In Control Center.
        case controlCenter
    }

    /// Switches Bluetooth on or off, as Settings does, and returns when the radio has done it.
    ///
    /// When it goes off, every part of the phone hears it before the radio ends its work: pairings first, then links
    /// (C6, K18).
    ///
    /// - Parameter place: Where the person does it. To apps and accessories both are the same; only the app that is not
    ///   running differs: after Control Center it may still be launched (L3).
    public func switchBluetooth(_ isOn: Bool, in place: SwitchPlace = .settings) async {
        if !isOn { bluetooth.expectPowerLoss(by: place == .settings ? .bluetoothToggled : .controlCenterToggled) }
        await flip(.bluetooth, isOn) { try await $0.setBluetoothPower(isOn) }
    }

    /// Switches Wi-Fi on or off, as Settings does, and returns when the radio has done it (W6).
    public func switchWiFi(_ isOn: Bool) async {
        await flip(.wifi, isOn) { try await $0.setWiFiPower(isOn) }
    }

    /// Switches Airplane Mode on or off: Wi-Fi, and Bluetooth unless the person keeps it on.
    ///
    /// The person does not switch on with it what was off before.
    ///
    /// - Parameter keepsBluetooth: Whether Bluetooth stays as it is, as on a phone whose person has switched it on in Airplane
    ///   Mode once.
    public func switchAirplaneMode(_ isOn: Bool, keepsBluetooth: Bool = false) async {
        record(
            .note("Settings", "Airplane Mode is \(isOn ? "on" : "off")\(keepsBluetooth ? ", and keeps Bluetooth" : "")")
        )
        await switchWiFi(!isOn)
        guard keepsBluetooth else { return await switchBluetooth(!isOn) }
        if isOn { bluetooth.orphans(meet: .airplaneModeToggled) }
    }

    func flip(_ radio: RadioSwitch, _ isOn: Bool, _ body: (any HostRadio) async throws -> Void) async {
        setSwitch(radio, isOn)
        if !isOn {
            setIsOn(radio, false)
            // Before Settings closes: the person must not answer a prompt that was hidden behind it.
            if radio == .bluetooth { part(PairingPrompts.self).closeAll() }
            await withCheckedContinuation { continuation in
                feed(.switchedOff(radio) { continuation.resume() })
            }
        }
        do {
            try await body(self.radio)
            setIsOn(radio, isOn)
        } catch {
            record(.rigFailure("\(radio.rawValue) could not be switched \(isOn ? "on" : "off"): \(error)"))
        }
    }
}

/// A radio with a switch in Settings.
enum RadioSwitch: String, Sendable, Hashable {
    case bluetooth = "Bluetooth"
    case wifi = "Wi-Fi"
}

/// An event for every part of the phone. The phone handles them one at a time, in order.
enum PhoneInput: Sendable {
    /// The radio reported an event.
    case radio(RadioEvent)
    /// The person switched a radio off, and the radio is still on. `heard` is called when every part has handled this.
    case switchedOff(RadioSwitch, heard: @Sendable () -> Void)
}
