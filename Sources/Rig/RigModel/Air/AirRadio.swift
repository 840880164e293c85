/// A kind of radio that boards have.
public enum AirRadio: String, Sendable, Hashable, Codable, CaseIterable {
    /// Bluetooth LE and classic Bluetooth.
    case bluetooth
    /// Wi-Fi.
    case wifi
}
