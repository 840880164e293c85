/// Which of a board's two radios.
public enum AirRadio: String, Sendable, Hashable, Codable, CaseIterable {
    case bluetooth
    case wifi
}
