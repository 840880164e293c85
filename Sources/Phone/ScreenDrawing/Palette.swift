/// The colours of light or dark appearance. Values: Apple's Human Interface Guidelines for iOS.
struct Palette {
    let isDark: Bool
    /// The gradient of the wallpaper, from the upper left to the lower right.
    let wallpaper: [String]
    /// How much a sheet or an alert darkens its background, 0 to 1.
    let dimming: Double
    let page: String
    let card: String
    let alert: String
    let label: String
    let secondaryLabel: String
    let tertiaryLabel: String
    let fill: String
    let separator: String
    let tint: String
    let green: String
    let red: String

    static func of(_ appearance: ScreenDrawing.Appearance) -> Palette {
        switch appearance {
        case .light:
            Palette(
                isDark: false, wallpaper: ["#7fb2f5", "#b9a8f0", "#f6bcc4"], dimming: 0.2, page: "#f2f2f7",
                card: "#ffffff", alert: "#f4f4f6", label: "#000000", secondaryLabel: "#6c6c70",
                tertiaryLabel: "#c4c4c7", fill: "#e9e9eb", separator: "#d1d1d6", tint: "#007aff", green: "#34c759",
                red: "#ff3b30")
        case .dark:
            Palette(
                isDark: true, wallpaper: ["#16294d", "#2b2252", "#4a2340"], dimming: 0.45, page: "#000000",
                card: "#1c1c1e", alert: "#2a2a2d", label: "#ffffff", secondaryLabel: "#98989f",
                tertiaryLabel: "#48484a", fill: "#39393d", separator: "#48484b", tint: "#0a84ff", green: "#30d158",
                red: "#ff453a")
        }
    }
}
