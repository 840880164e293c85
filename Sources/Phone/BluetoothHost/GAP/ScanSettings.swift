/// How to scan.
package struct ScanSettings: Sendable, Hashable {
    /// Whether to ask advertisers for their scan response.
    package var isActive = true
    /// Time between the beginnings of two scans, in units of 0.625 ms, 4 to 16384: 40 ms.
    package var interval: UInt16 = 64
    /// Duration of a scan, in units of 0.625 ms, at most `interval`: 30 ms.
    package var window: UInt16 = 48
    /// Whether the controller reports a device only once.
    package var dropsDuplicates = false
    /// Whether only devices in the controller's filter accept list are heard, and asked for their scan response.
    package var hearsAcceptListOnly = false

    package init() {}
}

/// What the controller was told about a scan.
struct ScanOrder: Sendable, Hashable {
    var settings: ScanSettings
    var ownAddress: OwnAddress

    var parameters: ScanParameters {
        var parameters = ScanParameters()
        parameters.isActive = settings.isActive
        parameters.interval = settings.interval
        parameters.window = settings.window
        parameters.ownAddress = ownAddress
        parameters.filter = settings.hearsAcceptListOnly ? .acceptList : .all
        return parameters
    }
}
