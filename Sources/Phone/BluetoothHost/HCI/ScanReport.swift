import RadioModel

/// A whole advertisement with its scan response, or one of them alone.
package struct ScanReport: Sendable, Hashable {
    package var address: PeerAddress
    /// Whether the controller resolved a private address, so that `address` is the identity.
    package var isResolved: Bool
    package var kind: AdvertisementKind
    /// The advertisement's bytes; none if this is a scan response alone.
    package var data: [UInt8]
    /// The scan response's bytes.
    package var scanResponse: [UInt8] = []
    /// Whether the controller did not get all of the data.
    package var isTruncated: Bool
    /// In dBm.
    package var rssi: Int8?
    /// In dBm.
    package var txPower: Int8?
    package var primaryPHY: LEPHY?
    /// nil for an advertisement on the primary channels alone.
    package var secondaryPHY: LEPHY?
    /// The advertising set ID, 0 to 15.
    package var setID: UInt8?
    /// For whom a directed advertisement is.
    package var target: PeerAddress?

    package var isConnectable: Bool { kind.contains(.connectable) }
    package var isScannable: Bool { kind.contains(.scannable) }
    package var isDirected: Bool { kind.contains(.directed) }
    /// Whether it has a scan response, with or without the advertisement.
    package var isScanResponse: Bool { kind.contains(.scanResponse) }
    package var isLegacy: Bool { kind.contains(.legacy) }

    /// From a report with all of the data; nil for an anonymous one.
    init?(_ report: AdvertisingReport) {
        guard let address = report.address else { return nil }
        self.address = address
        isResolved = report.isResolved
        kind = report.kind
        (data, scanResponse) = report.kind.contains(.scanResponse) ? ([], report.data) : (report.data, [])
        isTruncated = report.completeness == .truncated
        rssi = report.rssi
        txPower = report.txPower
        primaryPHY = report.primaryPHY
        secondaryPHY = report.secondaryPHY
        setID = report.setID
        target = report.target
    }

    /// Takes the scan response from a later report of the same device.
    mutating func take(_ response: ScanReport) {
        scanResponse = response.scanResponse
        kind.insert(.scanResponse)
        isTruncated = isTruncated || response.isTruncated
        txPower = txPower ?? response.txPower
        rssi = rssi ?? response.rssi
    }
}
