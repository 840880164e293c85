import BoardProtocol
import HostRadio
import RadioModel

/// The switches of Bluetooth and Wi-Fi in Settings. A person flips them with ``PersonAction/switchBluetoothOff`` and its like.
extension Phone {
    /// Switches Bluetooth on or off, as Settings does, and returns when the radio is so.
    ///
    /// Off is heard by everything on the phone before the radio ends what is under way: pairings first, then links (C6, K18).
    public func switchBluetooth(_ isOn: Bool) async {
        await flip(.bluetooth, isOn) { try await $0.setBluetoothPower(isOn) }
    }

    /// Switches Wi-Fi on or off, as Settings does, and returns when the radio is so (W6).
    public func switchWiFi(_ isOn: Bool) async {
        await flip(.wifi, isOn) { try await $0.setWiFiPower(isOn) }
    }

    private func flip(_ radio: RadioSwitch, _ isOn: Bool, _ body: (any HostRadio) async throws -> Void) async {
        setSwitch(radio, isOn)
        if !isOn {
            setIsOn(radio, false)
            // Before Settings is left: nobody is to answer what it hid.
            if radio == .bluetooth { part(PairingPrompts.self).closeAll() }
            await withCheckedContinuation { continuation in
                feed(.switchedOff(radio) { continuation.resume() })
            }
        }
        do {
            try await body(self.radio)
            setIsOn(radio, isOn)
        } catch {
            record(.rigFault("\(radio.rawValue) could not be switched \(isOn ? "on" : "off"): \(error)"))
        }
    }
}

/// One of the two switches in Settings.
enum RadioSwitch: String, Sendable, Hashable {
    case bluetooth = "Bluetooth"
    case wifi = "Wi-Fi"
}

/// What reaches the parts of the phone, in order.
enum PhoneInput: Sendable {
    /// The radio noticed something.
    case radio(RadioEvent)
    /// The person switched a radio off, which is yet to end what it is at. To be called when every part has heard of it.
    case switchedOff(RadioSwitch, heard: @Sendable () -> Void)
}
