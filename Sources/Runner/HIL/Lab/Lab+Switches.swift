import BoardProtocol
import HILPhone
import HILRecord
import HILTiming
import RigModel

extension Lab {
    /// Lets the person switch Bluetooth on or off in Settings, and returns when the radio has followed.
    ///
    /// If Bluetooth is in this state already, it returns at once. The screen does not matter. To switch while a certain
    /// screen is shown, tell the person beforehand: `person.will(.switchBluetoothOff, at: .passkey)`.
    ///
    /// The radio follows within milliseconds, sooner than any phone's. If the accessory must have seen the end of its
    /// link before Bluetooth is on again, wait for its event: `lamp.events.next(.disconnected)`.
    ///
    /// - Throws: `RigFailure` if the radio does not follow within 10 s.
    public func switchBluetooth(
        _ isOn: Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        guard isOn != phone.bluetoothIsOn else { return }
        let place = SourceLocation(file: fileID, path: filePath, line: line)
        try await flip(isOn ? .switchBluetoothOn : .switchBluetoothOff, until: .bluetoothPower(isOn), at: place)
    }

    /// Lets the person switch Wi-Fi on or off in Settings, and returns when the radio has followed.
    ///
    /// If Wi-Fi is in this state already, it returns at once.
    ///
    /// - Throws: `RigFailure` if the radio does not follow within 10 s.
    public func switchWiFi(
        _ isOn: Bool, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        guard isOn != phone.wifiIsOn else { return }
        let place = SourceLocation(file: fileID, path: filePath, line: line)
        try await flip(isOn ? .switchWiFiOn : .switchWiFiOff, until: .wifiPower(isOn), at: place)
    }

    private func flip(_ action: PersonAction, until done: RadioEvent, at location: SourceLocation) async throws {
        try await recorder.call(at: location) {
            let mark = phone.log.mark
            phone.person.will(action)
            try await RigFailure.doing("switching a radio", on: "the phone") {
                _ = try await phone.log.first(
                    .radio(done), since: mark, within: .seconds(10), waitingFor: "the phone's radio to \(action)",
                    clock: clock)
            }
        }
    }
}
