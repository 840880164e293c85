import RadioModel

/// What an app lets the phone advertise: the only two things that an app may choose.
package struct AdvertisingContent: Sendable, Hashable {
    package var name: String?
    /// In the app's order.
    package var services: [BluetoothUUID]
    /// Whether the person sees the app. In the background an iPhone advertises no name, and hides all services. Apple's
    /// documentation of `CBPeripheralManager.startAdvertising`.
    package var isForeground = true

    package init(name: String? = nil, services: [BluetoothUUID] = [], isForeground: Bool = true) {
        self.name = name
        self.services = services
        self.isForeground = isForeground
    }
}

/// How an advertisement is filled.
package struct AdvertisingLayout: Sendable, Hashable {
    /// The flags: LE General Discoverable, and LE with BR/EDR in controller and host. furiousMAC/continuity#10.
    package var flags: UInt8 = 0x1A
    /// Bytes for UUIDs and name with their headers, at most 28 beside the flags. Apple's documentation of
    /// `CBPeripheralManager.startAdvertising`.
    package var space = 28
    /// Bytes for the name with its header in the scan response, at most 31. The same documentation.
    package var nameSpace = 10
    /// Whether the transmit power is advertised, in the scan response. Assumed.
    package var showsTxPower = false
    /// In dBm. Assumed.
    package var txPower: Int8 = 0

    package init() {}
}

/// The bytes of an advertisement, and what found no room in it.
package struct AdvertisingPlan: Sendable, Hashable {
    /// At most 31 bytes.
    package private(set) var data: [UInt8] = []
    /// At most 31 bytes.
    package private(set) var scanResponse: [UInt8] = []
    /// The name as advertised, complete or shortened; nil without one.
    package private(set) var shownName: String?
    /// The services without room. An iPhone has them in its overflow area, which only other iPhones read; this phone
    /// leaves them out.
    package private(set) var hidden: [BluetoothUUID] = []
    /// Whether the person sees the app.
    package let isForeground: Bool

    /// Services come first in the advertisement, then the name. A name that does not fit there whole goes where there
    /// is more room for it: the rest of the advertisement, or the scan response.
    ///
    /// Source: Core Specification Supplement 12, Part A, 1.
    package init(_ content: AdvertisingContent, _ layout: AdvertisingLayout) {
        isForeground = content.isForeground
        let flags: [UInt8] = [2, FieldType.flags, layout.flags]
        let most = isForeground ? layout.space : 0
        var space = max(0, min(most, HCICommand.legacyDataLength - flags.count))
        data = flags + services(content.services, in: &space)
        if layout.showsTxPower {
            scanResponse = [2, FieldType.txPower, UInt8(bitPattern: layout.txPower)]
        }
        guard isForeground, let name = content.name, !name.isEmpty else { return }
        let responseSpace = min(layout.nameSpace, HCICommand.legacyDataLength - scanResponse.count)
        if name.utf8.count + 2 <= space || space >= responseSpace {
            data += field(of: name, in: space)
        } else {
            scanResponse += field(of: name, in: responseSpace)
        }
    }

    private mutating func services(_ services: [BluetoothUUID], in space: inout Int) -> [UInt8] {
        var shown: [Int: [BluetoothUUID]] = [:]
        var listed: Set<BluetoothUUID> = []
        for service in services where listed.insert(service).inserted {
            let size = service.shortest.count
            let cost = size + (shown[size] == nil ? 2 : 0)
            if cost <= space {
                shown[size, default: []].append(service)
                space -= cost
            } else {
                hidden.append(service)
            }
        }
        return FieldType.lists.flatMap { list -> [UInt8] in
            guard let members = shown[list.size] else { return [] }
            let isComplete = !hidden.contains { $0.shortest.count == list.size }
            return [UInt8(clamping: 1 + members.count * list.size), isComplete ? list.complete : list.incomplete]
                + members.flatMap { $0.shortest.reversed() }
        }
    }

    /// The name, shortened to whole characters; nothing if no character fits.
    private mutating func field(of name: String, in space: Int) -> [UInt8] {
        var shown = Substring(name)
        while shown.utf8.count > max(0, space - 2) { shown.removeLast() }
        guard !shown.isEmpty else { return [] }
        shownName = String(shown)
        let type = shown.utf8.count == name.utf8.count ? FieldType.completeName : FieldType.shortenedName
        return [UInt8(clamping: 1 + shown.utf8.count), type] + Array(shown.utf8)
    }
}

/// The numbers of advertising fields.
///
/// Source: Assigned Numbers, 2.3.
private enum FieldType {
    static let flags: UInt8 = 0x01
    static let shortenedName: UInt8 = 0x08
    static let completeName: UInt8 = 0x09
    static let txPower: UInt8 = 0x0A
    /// Lists of services by the size of their UUIDs in bytes.
    static let lists: [(size: Int, incomplete: UInt8, complete: UInt8)] = [
        (2, 0x02, 0x03), (4, 0x04, 0x05), (16, 0x06, 0x07),
    ]
}
