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
    private let sheet: Screen?
    private let pictures: [String: String]

    /// - Parameters:
    ///   - behind: What was shown before and is still there; a question stands over it.
    ///   - pictures: Data URIs of product pictures by their paths; one that is missing leaves its frame empty.
    public init(_ screen: Screen, over behind: Screen? = nil, pictures: [String: String] = [:]) {
        self.screen = screen
        sheet = behind.flatMap { $0.kind.isQuestion || $0.kind.isSettings ? nil : $0 }
        self.pictures = pictures
    }

    /// The SVG document.
    public func svg(_ appearance: Appearance) -> String {
        let palette = Palette.of(appearance)
        var canvas = Canvas(palette: palette, pictures: pictures)
        if screen.kind == .settings {
            canvas.drawSettings(screen)
        } else if screen.kind == .switches {
            canvas.drawSwitches(screen)
        } else {
            canvas.drawWallpaper()
            if screen.kind.isQuestion {
                if let sheet {
                    canvas.drawSheet(sheet)
                    canvas.dim()
                }
                canvas.drawAlert(screen)
            } else {
                canvas.drawSheet(screen)
            }
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

extension Screen.Kind {
    /// A page of Settings, which has the whole screen.
    var isSettings: Bool { self == .settings || self == .switches }

    /// A question in the middle of the screen, over whatever is there.
    var isQuestion: Bool {
        switch self {
        case .passkey, .removeAccessory, .joinNetwork, .upgrade, .bluetoothPermission, .bluetoothIsOff: true
        case .picker, .settingUp, .rename, .setupComplete, .setupFailed, .discoveryTimeout, .migration, .forwarding,
            .settings, .switches:
            false
        }
    }
}
