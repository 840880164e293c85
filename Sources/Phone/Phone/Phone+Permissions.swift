extension Phone {
    /// The person opens Settings, and allows apps what they have refused: Bluetooth, the local network. The running app ends
    /// then, as on iOS.
    ///
    /// - Returns: Whether there was something.
    package func allowWhatWasRefused() -> Bool {
        let (bluetoothApps, networkApps) = (store.refusedBluetooth, localNetworkAccess.refused)
        guard !bluetoothApps.isEmpty || !networkApps.isEmpty else { return false }
        terminateApp()
        for app in bluetoothApps { bluetooth.set(true, for: app) }
        for app in networkApps { localNetworkAccess.set(true, for: app) }
        return true
    }
}
