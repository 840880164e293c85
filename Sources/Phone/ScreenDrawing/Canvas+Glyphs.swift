import Foundation

/// Draws the parts that many screens have: wallpaper, status bar, buttons and symbols.
extension Canvas {
    /// Draws the darkened background of a sheet or an alert, with the status bar.
    mutating func drawWallpaper() {
        let (width, height) = ScreenDrawing.size
        rect(0, 0, width, height, fill: "url(#wallpaper)")
        circle(60, 230, 300, fill: "url(#glow)", opacity: palette.isDark ? 0.35 : 1)
        circle(380, 560, 320, fill: "url(#glow)", opacity: palette.isDark ? 0.25 : 0.8)
        dim()
        statusBar(colour: "#ffffff")
    }

    /// Darkens everything drawn so far.
    mutating func dim() {
        let (width, height) = ScreenDrawing.size
        rect(0, 0, width, height, fill: "#000000", opacity: palette.dimming)
    }

    /// Draws the clock, the island, and the symbols for signal, Wi-Fi and battery.
    mutating func statusBar(colour: String) {
        line("9:41", at: 66, 39, size: 17, isBold: true, colour: colour, width: 60)
        rect(134, 11, 125, 37, radius: 18.5, fill: "#000000")
        for (index, height) in [4.0, 6.5, 9, 12].enumerated() {
            rect(300 + Double(index) * 4.8, 39 - height, 3.2, height, radius: 1, fill: colour)
        }
        stroke(
            "M-7.5,-6.5 A11,11 0 0 1 7.5,-6.5 M-4.6,-3.2 A6.6,6.6 0 0 1 4.6,-3.2", at: 331, 37, colour: colour,
            width: 2.3)
        circle(331, 37.3, 1.9, fill: colour)
        group("opacity=\".4\"") {
            $0.stroke(
                "M3.8,0 h17 a3.8,3.8 0 0 1 3.8,3.8 v4.6 a3.8,3.8 0 0 1 -3.8,3.8 h-17 a3.8,3.8 0 0 1 -3.8,-3.8 v-4.6 a3.8,3.8 0 0 1 3.8,-3.8 z",
                at: 346, 27, colour: colour, width: 1)
            $0.rect(372, 31, 1.6, 4.4, radius: 0.8, fill: colour)
        }
        rect(348, 29, 20.6, 8.2, radius: 2.3, fill: colour)
    }

    /// Draws the bar at the bottom, with which the person leaves the app.
    mutating func homeIndicator() {
        rect(127, 838, 139, 5, radius: 2.5, fill: palette.label)
    }

    mutating func closeButton(_ x: Double, _ y: Double) {
        circle(x, y, 15, fill: palette.fill)
        stroke("M-4.6,-4.6 L4.6,4.6 M-4.6,4.6 L4.6,-4.6", at: x, y, colour: palette.secondaryLabel, width: 2.4)
    }

    /// Draws an activity indicator. It does not move.
    mutating func spinner(_ x: Double, _ y: Double, radius: Double) {
        for spoke in 0..<8 {
            let opacity = 0.25 + 0.75 * Double(8 - spoke) / 8
            let turn = Canvas.number(Double(spoke) * -45)
            group("transform=\"translate(\(Canvas.number(x)) \(Canvas.number(y))) rotate(\(turn))\"") {
                $0.rect(
                    -radius * 0.13, -radius, radius * 0.26, radius * 0.55, radius: radius * 0.13,
                    fill: $0.palette.secondaryLabel, opacity: opacity)
            }
        }
    }

    /// Draws a round symbol over a corner of a picture, with a rim in the card's colour.
    mutating func badge(_ x: Double, _ y: Double, colour: String, path: String) {
        circle(x, y, 20, fill: palette.card)
        circle(x, y, 17, fill: colour)
        stroke(path, at: x, y, colour: "#ffffff", width: 3.2)
    }

    /// Draws a box in a frame that has no picture.
    mutating func placeholder() {
        rect(45, 15, 90, 90, radius: 22, fill: palette.fill)
        stroke(
            "M0,-26 L23,-13 V13 L0,26 L-23,13 V-13 Z M-23,-13 L0,0 L23,-13 M0,0 V26", at: 90, 60,
            colour: palette.secondaryLabel, width: 3)
    }

    /// Draws a phone that searches, with waves around it.
    mutating func searchSymbol(_ x: Double, _ y: Double) {
        for (index, radius) in [88.0, 66, 44].enumerated() {
            ring(x, y, radius, stroke: palette.tint, width: 1.5, opacity: 0.16 + 0.17 * Double(index))
            circle(x, y, radius, fill: palette.tint, opacity: 0.05)
        }
        rect(x - 13, y - 24, 26, 48, radius: 6, fill: palette.tint)
        rect(x - 10.4, y - 21.4, 20.8, 42.8, radius: 3.8, fill: palette.card)
        rect(x - 4, y - 19, 8, 2.6, radius: 1.3, fill: palette.tint)
    }

    /// Draws a magnifying glass with a cross in it.
    mutating func nothingFoundSymbol(_ x: Double, _ y: Double) {
        ring(x - 7, y - 7, 27, stroke: palette.tertiaryLabel, width: 7)
        stroke("M0,0 L21,21", at: x + 14, y + 14, colour: palette.tertiaryLabel, width: 9)
        stroke("M-8,-8 L8,8 M-8,8 L8,-8", at: x - 7, y - 7, colour: palette.tertiaryLabel, width: 5)
    }

    /// Draws a bell on a red tile, the symbol of notifications.
    mutating func bell(_ x: Double, _ y: Double) {
        rect(x - 36, y - 36, 72, 72, radius: 17, fill: palette.red)
        shape(
            "M0,-23 c2.6,0 4.4,1.7 4.4,4.1 c7.6,1.9 11.6,8 11.6,15.9 c0,9 2.6,11.6 5,14.5 c1.4,1.8 0.5,3.9 -1.8,3.9 "
                + "h-38.4 c-2.3,0 -3.2,-2.1 -1.8,-3.9 c2.4,-2.9 5,-5.5 5,-14.5 c0,-7.9 4,-14 11.6,-15.9 "
                + "c0,-2.4 1.8,-4.1 4.4,-4.1 z M-5.6,18.2 h11.2 c0,3.2 -2.4,5.4 -5.6,5.4 c-3.2,0 -5.6,-2.2 -5.6,-5.4 z",
            at: x, y, fill: "#ffffff")
    }

    mutating func chevron(_ x: Double, _ y: Double) {
        stroke("M-3,-5.5 L3,0 L-3,5.5", at: x, y, colour: palette.tertiaryLabel, width: 2.4)
    }

    /// Draws a button over the whole width of a sheet.
    mutating func button(_ title: String, _ y: Double, isPlain: Bool = false) {
        if !isPlain { rect(34, y, 325, 50, radius: 14, fill: palette.tint) }
        line(
            title, at: 196.5, y + 31, size: 17, isBold: !isPlain, colour: isPlain ? palette.tint : "#ffffff", width: 300
        )
    }
}
