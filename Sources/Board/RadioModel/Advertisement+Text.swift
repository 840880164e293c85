extension Advertisement: CustomStringConvertible {
    /// One line for people: `Lamp 7 (02:00:00:00:00:B0, −48 dBm), services 180F, manufacturer 0x004C 01 00`.
    public var description: String {
        let signal = rssi.map { ", \($0 < 0 ? "−" : "")\($0.magnitude) dBm" } ?? ""
        var parts = [name.map { "\($0) (\(address)\(signal))" } ?? "\(address)\(signal)"]
        if !serviceUUIDs.isEmpty { parts.append("services \(serviceUUIDs.map(\.namedText).joined(separator: ", "))") }
        parts += serviceData.sorted { $0.key.description < $1.key.description }.map { uuid, data in
            "data of \(uuid.namedText) \(Hex.spaced(data))"
        }
        parts += manufacturerData.sorted { $0.key < $1.key }.map { company, data in
            "manufacturer 0x\(Hex.text([UInt8(company >> 8), UInt8(company & 0xFF)])) \(Hex.spaced(data))"
        }
        return parts.joined(separator: ", ")
    }
}

extension BluetoothUUID {
    /// As apps write it: `180F`, or 36 characters.
    package var shortText: String { shortest.count < 16 ? Hex.text(shortest) : description }
}
