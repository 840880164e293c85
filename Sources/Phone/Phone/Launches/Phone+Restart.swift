import BoardProtocol
import HostRadio
import RadioModel

// A restart of the phone.
extension Phone {
    /// Switches the phone off and on again, as the person does, and returns when its radios are back.
    ///
    /// Bonds, accessories, permissions and joined networks stay. No app runs, and none is launched before the phone is
    /// unlocked, if it has a passcode (``LaunchPolicy/hasPasscode``). After that, what an app waited for launches it (L5).
    ///
    /// - Parameter unlocks: Whether the person unlocks the phone. If not, call ``unlock()`` later.
    public func restart(unlocks: Bool = true) async {
        let launches = part(BackgroundLaunches.self)
        record(.note("phone", "is restarted"))
        launches.lock()
        endApp(by: .restarted, "was ended by the restart of the phone")
        bluetooth.orphans(meet: .restarted)
        let (hadBluetooth, hadWiFi) = (bluetoothIsOn, wifiIsOn)
        let end = policy.launches.linkEndAtRestart
        if hadBluetooth {
            bluetooth.expectPowerLoss(by: .restarted)
            await flip(.bluetooth, false) { radio in
                if end == .silence {
                    try await radio.cutBluetoothPower()
                } else {
                    try await radio.setBluetoothPower(false)
                }
            }
        }
        if hadWiFi { await switchWiFi(false) }
        if hadBluetooth { await switchBluetooth(true) }
        if hadWiFi { await switchWiFi(true) }
        record(.note("phone", "is on again\(policy.launches.hasPasscode ? ", and locked" : "")"))
        if unlocks || !policy.launches.hasPasscode { unlock() }
    }

    /// Lets the person unlock the phone for the first time after a restart. Does nothing if it is unlocked.
    public func unlock() {
        let launches = part(BackgroundLaunches.self)
        guard launches.isLocked else { return }
        if policy.launches.hasPasscode { record(.note("phone", "is unlocked for the first time")) }
        launches.unlock()
    }
}
