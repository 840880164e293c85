/// The features of an LE controller, the first page.
///
/// Source: Core Specification 6.0, Vol 6, Part B, 4.6.
package struct LEFeatures: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let encryption = LEFeatures(rawValue: 1 << 0)
    /// Connection parameters may be asked for by the link layer.
    package static let connectionParametersRequest = LEFeatures(rawValue: 1 << 1)
    package static let extendedReject = LEFeatures(rawValue: 1 << 2)
    /// The peripheral may begin the exchange of features.
    package static let peripheralFeaturesExchange = LEFeatures(rawValue: 1 << 3)
    package static let ping = LEFeatures(rawValue: 1 << 4)
    package static let dataLengthExtension = LEFeatures(rawValue: 1 << 5)
    /// The controller makes and resolves private addresses.
    package static let privacy = LEFeatures(rawValue: 1 << 6)
    package static let extendedFilterPolicies = LEFeatures(rawValue: 1 << 7)
    package static let twoMegabitPHY = LEFeatures(rawValue: 1 << 8)
    package static let codedPHY = LEFeatures(rawValue: 1 << 11)
    package static let extendedAdvertising = LEFeatures(rawValue: 1 << 12)
    package static let channelSelectionAlgorithm2 = LEFeatures(rawValue: 1 << 14)
}

/// What an LE controller does at the same time.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.27.
package struct LEStates: OptionSet, Sendable, Hashable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let connectableAdvertisingWithActiveScan = LEStates(rawValue: 1 << 14)
    package static let activeScanWithInitiating = LEStates(rawValue: 1 << 23)
    package static let activeScanAsCentral = LEStates(rawValue: 1 << 25)
    package static let activeScanAsPeripheral = LEStates(rawValue: 1 << 27)
    package static let initiatingAsCentral = LEStates(rawValue: 1 << 28)
    package static let connectableAdvertisingWithInitiating = LEStates(rawValue: 1 << 32)
    package static let connectableAdvertisingAsCentral = LEStates(rawValue: 1 << 35)
    package static let connectableAdvertisingAsPeripheral = LEStates(rawValue: 1 << 38)
    package static let initiatingAsPeripheral = LEStates(rawValue: 1 << 41)
}
