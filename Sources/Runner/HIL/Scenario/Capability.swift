/// Something that not every rig can do. A scenario that needs what its rig lacks is skipped, and says what.
public enum Capability: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Bluetooth LE between the boards.
    case bluetooth
    /// Wi-Fi between the boards.
    case wifi
    /// Wi-Fi Aware service discovery between the boards.
    case wifiAware
    /// The boards can be moved apart and together.
    case distance
    /// All that is on the air is captured, on one clock.
    case capture
    /// What is sent goes through antennas, walls and the neighbours' networks.
    case realAir

    /// For people, after “lacks”.
    public var description: String {
        switch self {
        case .bluetooth: "Bluetooth"
        case .wifi: "Wi-Fi"
        case .wifiAware: "Wi-Fi Aware service discovery, which wpa_supplicant 2.10 does not have"
        case .distance: "a distance that can be set"
        case .capture: "a capture of the air"
        case .realAir: "real air between antennas"
        }
    }
}
