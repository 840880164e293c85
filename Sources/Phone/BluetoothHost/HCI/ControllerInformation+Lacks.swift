extension ControllerInformation {
    /// What a phone needs and this controller does not have, in plain words.
    package var lacks: [String] {
        let missingFeatures = ControllerInformation.neededFeatures.filter { !features.contains($0.feature) }
        let missingStates = ControllerInformation.neededStates.filter { !states.contains($0.state) }
        return missingFeatures.map(\.text) + missingStates.map(\.text)
    }

    private static let neededFeatures: [(feature: LEFeatures, text: String)] = [
        (.encryption, "LE encryption"),
        (.extendedAdvertising, "extended advertising"),
        (.dataLengthExtension, "data length extension"),
        (.twoMegabitPHY, "the 2M PHY"),
        (.privacy, "link layer privacy: private addresses are not resolved by the controller"),
    ]

    private static let neededStates: [(state: LEStates, text: String)] = [
        (.connectableAdvertisingWithActiveScan, "advertising during a scan"),
        (.activeScanWithInitiating, "scanning while it connects"),
        (.activeScanAsCentral, "scanning with a link as central"),
        (.activeScanAsPeripheral, "scanning with a link as peripheral"),
        (.initiatingAsCentral, "connecting with another link as central"),
        (.initiatingAsPeripheral, "connecting with a link as peripheral"),
        (.connectableAdvertisingWithInitiating, "advertising while it connects"),
        (.connectableAdvertisingAsCentral, "advertising with a link as central"),
        (.connectableAdvertisingAsPeripheral, "advertising with a link as peripheral"),
    ]
}
