import Phone

/// Draws what the phone shows as SVG: one self-contained file, without script, of 393×852 points.
///
/// Pure: a screen goes in, text comes out. What a screen says may come from the air, and is drawn as text whatever it is.
public struct ScreenDrawing: Sendable {
    public enum Appearance: String, Sendable, Hashable, CaseIterable {
        case light, dark
    }

    /// The most screens of one scenario that are drawn.
    public static let mostScreens = 200

    /// Of the phone's screen, in points.
    static let size = (width: 393.0, height: 852.0)

    private let screen: Screen
    private let pictures: [String: String]

    /// - Parameter pictures: Data URIs of product pictures by their paths; one that is missing leaves its frame empty.
    public init(_ screen: Screen, pictures: [String: String] = [:]) {
        self.screen = screen
        self.pictures = pictures
    }

    /// The SVG document.
    public func svg(_ appearance: Appearance) -> String {
        let palette = Palette.of(appearance)
        var canvas = Canvas(palette: palette, pictures: pictures)
        switch screen.kind {
        case .settings: canvas.drawSettings(screen)
        case .passkey, .removeAccessory, .joinNetwork, .upgrade:
            canvas.drawWallpaper()
            canvas.drawAlert(screen)
        case .picker, .settingUp, .rename, .setupComplete, .setupFailed, .discoveryTimeout, .migration, .forwarding:
            canvas.drawWallpaper()
            canvas.drawSheet(screen)
        }
        return canvas.document(titled: screen.title)
    }

    /// The pictures that the drawing needs, by their paths.
    public static func picturePaths(of screen: Screen) -> [String] {
        var paths: [String] = []
        for path in screen.entries.prefix(Canvas.mostRows).compactMap(\.picture) where !paths.contains(path) {
            paths.append(path)
        }
        return paths
    }

    /// The name of a drawing among those of a scenario, without its ending: `03-setting-up`.
    ///
    /// - Parameter number: From 1.
    public static func name(of screen: Screen, number: Int) -> String {
        let words = screen.kind.rawValue.reduce(into: "") { text, character in
            if character.isUppercase { text += "-" }
            text += character.lowercased()
        }
        return (number < 10 ? "0" : "") + "\(number)-\(words)"
    }
}
