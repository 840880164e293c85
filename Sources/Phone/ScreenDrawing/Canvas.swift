import HILPhone

/// A drawing to which shapes and texts are added. Positions are in points from the upper left corner of the screen.
struct Canvas {
    /// How many accessories a list shows at most.
    static let mostRows = 6

    enum Anchor: String {
        case start, middle, end
    }

    let palette: Palette
    private let pictures: [String: String]
    private var body = ""
    /// The places drawn so far that a person can tap. It includes those of controls that the screen does not have.
    var targets: [ScreenTarget] = []
    /// Where the field for a name begins, in points from the top.
    var fieldTop = 0.0
    /// The paths of the pictures drawn so far, so that the file contains each picture once.
    private var usedPictures: [String] = []

    init(palette: Palette, pictures: [String: String]) {
        self.palette = palette
        self.pictures = pictures
    }

    /// The whole SVG file.
    ///
    /// - Parameter title: The title for screen readers.
    func document(titled title: String) -> String {
        let (width, height) = (Canvas.number(ScreenDrawing.size.width), Canvas.number(ScreenDrawing.size.height))
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="\(Canvas.fonts)">
            <title>\(TextFit.escaped(title))</title>
            <defs>
            <linearGradient id="wallpaper" x1="0" y1="0" x2="1" y2="1">

            """
        for (index, colour) in palette.wallpaper.enumerated() {
            let place = Canvas.number(Double(index) / Double(max(1, palette.wallpaper.count - 1)))
            text += "<stop offset=\"\(place)\" stop-color=\"\(colour)\"/>"
        }
        text += """

            </linearGradient>
            <radialGradient id="glow"><stop stop-color="#fff" stop-opacity=".34"/>\
            <stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
            <clipPath id="glass"><rect width="\(width)" height="\(height)"/></clipPath>
            <clipPath id="sheet"><rect x="6" width="381" height="\(height)"/></clipPath>

            """
        for (index, path) in usedPictures.enumerated() {
            text += "<image id=\"picture\(index)\" width=\"180\" height=\"120\" href=\"\(pictures[path] ?? "")\"/>\n"
        }
        return text + "</defs>\n<g clip-path=\"url(#glass)\">\n\(body)</g>\n</svg>\n"
    }

    /// Apple's fonts if they are installed, else fonts that look like them.
    private static let fonts =
        "-apple-system, 'SF Pro Text', 'SF Pro Display', Inter, 'Helvetica Neue', Helvetica, 'Noto Sans', "
        + "'Liberation Sans', Arial, 'DejaVu Sans', sans-serif, 'Apple Color Emoji', 'Noto Color Emoji'"

    // MARK: Shapes

    mutating func rect(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0, fill: String,
        opacity: Double = 1
    ) {
        body += "<rect x=\"\(Canvas.number(x))\" y=\"\(Canvas.number(y))\" width=\"\(Canvas.number(width))\""
        body += " height=\"\(Canvas.number(height))\"\(radius > 0 ? " rx=\"\(Canvas.number(radius))\"" : "")"
        body += " fill=\"\(fill)\"\(opacity < 1 ? " opacity=\"\(Canvas.number(opacity))\"" : "")/>\n"
    }

    mutating func circle(_ x: Double, _ y: Double, _ radius: Double, fill: String, opacity: Double = 1) {
        body += "<circle cx=\"\(Canvas.number(x))\" cy=\"\(Canvas.number(y))\" r=\"\(Canvas.number(radius))\""
        body += " fill=\"\(fill)\"\(opacity < 1 ? " opacity=\"\(Canvas.number(opacity))\"" : "")/>\n"
    }

    mutating func ring(_ x: Double, _ y: Double, _ radius: Double, stroke: String, width: Double, opacity: Double = 1) {
        body += "<circle cx=\"\(Canvas.number(x))\" cy=\"\(Canvas.number(y))\" r=\"\(Canvas.number(radius))\""
        body += " fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(Canvas.number(width))\""
        body += "\(opacity < 1 ? " opacity=\"\(Canvas.number(opacity))\"" : "")/>\n"
    }

    /// - Parameter path: Path data of SVG, relative to the point (`x`, `y`).
    mutating func stroke(_ path: String, at x: Double, _ y: Double, colour: String, width: Double) {
        body += "<path transform=\"translate(\(Canvas.number(x)) \(Canvas.number(y)))\" d=\"\(path)\" fill=\"none\""
        body += " stroke=\"\(colour)\" stroke-width=\"\(Canvas.number(width))\" stroke-linecap=\"round\""
        body += " stroke-linejoin=\"round\"/>\n"
    }

    /// - Parameter path: Path data of SVG, relative to the point (`x`, `y`).
    mutating func shape(_ path: String, at x: Double, _ y: Double, fill: String) {
        body += "<path transform=\"translate(\(Canvas.number(x)) \(Canvas.number(y)))\" d=\"\(path)\""
        body += " fill=\"\(fill)\" fill-rule=\"evenodd\"/>\n"
    }

    /// Puts the shapes that `draw` adds into one group, with attributes such as opacity, scale or rotation.
    mutating func group(_ attributes: String, _ draw: (inout Canvas) -> Void) {
        body += "<g \(attributes)>\n"
        draw(&self)
        body += "</g>\n"
    }

    // MARK: Text

    /// Draws one line of text and cuts what does not fit. `y` is the baseline.
    mutating func line(
        _ text: String, at x: Double, _ y: Double, size: Double, isBold: Bool = false, colour: String,
        anchor: Anchor = .middle, width: Double
    ) {
        let fit = TextFit(size, isBold: isBold)
        let shown = fit.line(text, width: width)
        let estimate = fit.width(shown)
        body += "<text x=\"\(Canvas.number(x))\" y=\"\(Canvas.number(y))\" font-size=\"\(Canvas.number(size))\""
        if isBold { body += " font-weight=\"600\"" }
        if anchor != .start { body += " text-anchor=\"\(anchor.rawValue)\"" }
        // The reader's font may be wider than the estimate, and the text must still fit.
        if estimate > width * 0.87 {
            body += " textLength=\"\(Canvas.number(min(estimate, width)))\" lengthAdjust=\"spacingAndGlyphs\""
        }
        body += " fill=\"\(colour)\" xml:space=\"preserve\">\(TextFit.escaped(shown))</text>\n"
    }

    /// Draws centred lines. `y` is the baseline of the first line; the result is the baseline of the last.
    mutating func paragraph(
        _ text: String, at x: Double, _ y: Double, size: Double, isBold: Bool = false, colour: String, width: Double,
        most: Int = 4
    ) -> Double {
        let lines = TextFit(size, isBold: isBold).balancedLines(text, width: width, most: most)
        let height = (size * 1.25).rounded()
        for (index, text) in lines.enumerated() {
            line(text, at: x, y + Double(index) * height, size: size, isBold: isBold, colour: colour, width: width)
        }
        return y + Double(max(0, lines.count - 1)) * height
    }

    // MARK: Pictures

    /// Draws a product picture in a frame of 180×120 points times `scale`; without a picture, an empty frame,
    /// and for a symbol of the system, its name.
    mutating func picture(_ path: String?, at x: Double, _ y: Double, scale: Double = 1) {
        guard let path, pictures[path] != nil else {
            group("transform=\"translate(\(Canvas.number(x)) \(Canvas.number(y))) scale(\(Canvas.number(scale)))\"") {
                $0.placeholder()
                guard let path, path.hasPrefix(ProductPicture.symbolPrefix) else { return }
                let name = String(path.dropFirst(ProductPicture.symbolPrefix.count))
                $0.line(name, at: 90, 119, size: 13, colour: $0.palette.secondaryLabel, width: 170)
            }
            return
        }
        let index = usedPictures.firstIndex(of: path) ?? usedPictures.count
        if index == usedPictures.count { usedPictures.append(path) }
        body += "<use href=\"#picture\(index)\" transform=\"translate(\(Canvas.number(x)) \(Canvas.number(y)))"
        body += " scale(\(Canvas.number(scale)))\"/>\n"
    }

    /// A number with at most two decimal places, independent of the locale.
    static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return rest % 10 == 0 ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
