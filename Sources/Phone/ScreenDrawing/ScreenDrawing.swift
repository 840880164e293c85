import HILPhone

/// Draws a screen of the phone as SVG: one self-contained file without scripts, 393×852 points large.
///
/// A pure function: a screen goes in, text comes out. The texts of a screen may come from the air; they are escaped, so
/// they are always drawn as text.
package struct ScreenDrawing: Sendable {
    package enum Appearance: String, Sendable, Hashable, CaseIterable {
        case light, dark
    }

    /// How many screens of one scenario are drawn at most.
    package static let screenLimit = 200

    /// The size of the phone's screen in points.
    static let size = (width: 393.0, height: 852.0)

    private let screen: Screen
    private let sheet: Screen?
    private let pictures: [String: String]

    /// - Parameters:
    ///   - screen: The screen to draw.
    ///   - behind: The screen that was shown before and stays visible behind a question.
    ///   - pictures: Data URIs of product pictures, by their paths. A missing picture leaves its frame empty.
    package init(_ screen: Screen, over behind: Screen? = nil, pictures: [String: String] = [:]) {
        self.screen = screen
        sheet = behind.flatMap { $0.kind.isQuestion || $0.kind.isPageOfSettings ? nil : $0 }
        self.pictures = pictures
    }

    /// The whole SVG document, in light or dark appearance.
    package func svg(_ appearance: Appearance) -> String { drawn(appearance).document(titled: screen.title) }

    /// The places that a person can tap, as the screen's controls allow. They are the same in light and dark.
    package var targets: [ScreenTarget] {
        let controls = Set(screen.controls)
        return drawn(.light).targets.filter { controls.contains($0.control) }
    }

    private func drawn(_ appearance: Appearance) -> Canvas {
        let palette = Palette.of(appearance)
        var canvas = Canvas(palette: palette, pictures: pictures)
        if screen.kind == .settings {
            canvas.drawSettings(screen)
        } else if screen.kind == .switches {
            canvas.drawSwitches(screen)
        } else if screen.kind == .sharing {
            canvas.drawSharing(screen)
        } else {
            canvas.drawWallpaper()
            if screen.kind.isQuestion {
                if let sheet {
                    canvas.drawSheet(sheet)
                    canvas.targets = []
                    canvas.dim()
                }
                canvas.drawAlert(screen)
            } else {
                canvas.drawSheet(screen)
            }
        }
        return canvas
    }

    /// The paths of the pictures that the drawing of a screen needs, each once.
    package static func picturePaths(of screen: Screen) -> [String] {
        var paths: [String] = []
        for path in screen.entries.prefix(Canvas.mostRows).compactMap(\.picture)
        where !paths.contains(path) && !path.hasPrefix(ProductPicture.symbolPrefix) {
            paths.append(path)
        }
        return paths
    }

    /// The name of a drawing within its scenario, without the file extension: `03-setting-up`.
    ///
    /// - Parameter number: The position of the screen in the scenario, from 1.
    package static func name(of screen: Screen, number: Int) -> String {
        let words = screen.kind.rawValue.reduce(into: "") { text, character in
            if character.isUppercase { text += "-" }
            text += character.lowercased()
        }
        return (number < 10 ? "0" : "") + "\(number)-\(words)"
    }
}

extension Screen.Kind {
    /// Whether this is a question in the middle of the screen, drawn over the screen before it.
    var isQuestion: Bool {
        switch self {
        case .pairing, .passkey, .passkeyEntry, .passkeyDisplay, .removeAccessory, .joinNetwork, .joinFailed, .upgrade,
            .bluetoothPermission,
            .localNetworkPermission, .bluetoothIsOff, .notificationSharing:
            true
        case .picker, .settingUp, .rename, .setupComplete, .setupFailed, .discoveryTimeout, .migration, .forwarding,
            .settings, .switches, .sharing:
            false
        }
    }
}
