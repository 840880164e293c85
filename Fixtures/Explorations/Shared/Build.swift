import HIL

/// Whether an app, or a firmware, has its fault.
enum Build: String, CaseIterable, Sendable {
    case faulty, mended

    /// The scenario's case for each, where the app is at fault.
    static var ofApp: Axis<Build> { Axis("app", allCases) }
    /// The scenario's case for each, where the accessory is at fault.
    static var ofFirmware: Axis<Build> { Axis("firmware", allCases) }
}
