import AccessorySetupKit
import DiceApp
import HIL

extension Lab {
    /// Switches Bluetooth off, and returns when the connected die knows that its link has ended.
    ///
    /// The simulated phone is on again within milliseconds, and bluetoothd 5.82 may handle its new link before the end
    /// of the last one. It then takes the new attribute channel for a second one of the last link and closes it (its
    /// log says "EATT channel limit reached"), and Linux ends the link 4 s later.
    func switchBluetoothOff(
        until die: Die, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        let mark = die.events.mark
        try await switchBluetooth(false, fileID: fileID, filePath: filePath, line: line)
        try await die.events.next(.disconnected, since: mark, within: .seconds(10))
    }

    /// Waits until the picker offers this many accessories and has exactly these lines below its title.
    func picker(offers count: Int, saying lines: String..., when moment: String) async throws {
        try await step("picker \(moment)", within: .seconds(15)) {
            let what = "a picker with \(count) accessories that says \(lines)"
            try await self.phone.shows(what, since: self.phone.screenMark) { screen in
                screen.kind == .picker && screen.entries.count == count && screen.lines == lines
            }
        }
    }
}
