import RadioModel

/// The network of a home, and its router.
package struct HomeNetworkConfiguration: Sendable, Hashable, Codable {
    package var network: NetworkConfiguration
    /// The address of the router's own radio on the host board; nil if it shares the radio of the phone.
    package var radio: DeviceAddress?
    /// Whether the router passes nothing from one station to another, as in a guest network.
    package var isolatesStations: Bool
    /// Whether stations reach the simulated internet. Only with a radio of its own.
    package var hasInternet: Bool

    package init(
        _ network: NetworkConfiguration, radio: DeviceAddress? = nil, isolatesStations: Bool = false,
        hasInternet: Bool = false
    ) {
        self.network = network
        self.radio = radio
        self.isolatesStations = isolatesStations
        self.hasInternet = hasInternet
    }
}
