import RadioModel

// What is known of the services of devices, over links.
extension BluetoothStack {
    /// What is known of a device's services before it is connected; nil if nothing is.
    func keptTable(of device: DeviceAddress) -> GATTTable? { bonds[device]?.table ?? tables.peek(device) }

    /// Keeps a table after the end of its link, as far as it was discovered, if the device could not report a change.
    mutating func keep(_ table: GATTTable, of device: DeviceAddress) {
        let kept = personality.gattClient.keepsTables && table.lacksServiceChanged ? table : nil
        if bonds[device] != nil {
            bonds[device]?.table = kept
            tables.remove(device)
        } else if let kept {
            tables.set(device, kept)
        } else {
            tables.remove(device)
        }
    }

    /// Forgets what is kept of a device's services. A link that is up keeps what it knows until its end.
    package mutating func forgetServices(of device: DeviceAddress) -> [Output] {
        bonds[device]?.table = nil
        tables.remove(device)
        return []
    }
}
