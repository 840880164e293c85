/// A kind of radio that boards have.
public enum AirRadio: String, Sendable, Hashable, Codable, CaseIterable {
    case bluetooth
    case wifi
}
