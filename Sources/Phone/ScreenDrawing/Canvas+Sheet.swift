import HILPhone

/// Draws the sheet at the bottom of the screen, on which accessories are found and set up.
extension Canvas {
    private static let middle = 196.5
    private static let bottom = 846.0

    /// Draws a card that is as high as its content.
    mutating func drawSheet(_ screen: Screen) {
        let height = Canvas.height(of: screen)
        let top = Canvas.bottom - height
        rect(6, top, 381, height, radius: 42, fill: palette.card)
        let titleWidth = screen.controls.contains(.cancel) ? 270.0 : 310
        var y = paragraph(
            screen.title, at: Canvas.middle, top + 64, size: 26, isBold: true, colour: palette.label,
            width: titleWidth, most: 3)
        for text in Canvas.texts(of: screen) {
            y = paragraph(
                text, at: Canvas.middle, y + 30, size: 16, colour: palette.secondaryLabel, width: 305, most: 3)
        }
        drawContent(of: screen, from: y)
        drawButtons(of: screen)
        if screen.controls.contains(.cancel) {
            closeButton(387 - 33, top + 33)
            targets.append(ScreenTarget(387 - 33 - 22, top + 11, 44, 44, .cancel, "Close"))
        }
        homeIndicator()
    }

    // MARK: Heights

    /// The lines below the title. A spinner and a text field draw their lines themselves.
    private static func texts(of screen: Screen) -> [String] {
        screen.kind == .settingUp || screen.kind == .rename ? [] : screen.lines
    }

    private static func height(of screen: Screen) -> Double {
        let titleWidth = screen.controls.contains(.cancel) ? 270.0 : 310
        let titleLines = TextFit(26, isBold: true).lines(screen.title, width: titleWidth, most: 3).count
        let text = texts(of: screen).reduce(0.0) { height, text in
            height + 30 + 20 * Double(max(0, TextFit(16).lines(text, width: 305, most: 3).count - 1))
        }
        return 64 + 33 * Double(max(0, titleLines - 1)) + text + contentHeight(of: screen)
            + buttonsHeight(of: screen) + 34
    }

    private static func contentHeight(of screen: Screen) -> Double {
        switch screen.kind {
        case .picker where screen.entries.isEmpty: 240
        case .picker: screen.entries.count > 1 ? 252 : 236
        case .settingUp: 224
        case .rename: 108
        case .setupComplete, .setupFailed: 196
        case .discoveryTimeout, .forwarding: 132
        case .migration: 40 + 60 * Double(rows(of: screen).count)
        default: 40
        }
    }

    private static func buttonsHeight(of screen: Screen) -> Double { Double(titles(of: screen).count) * 54 }

    // MARK: Content

    private mutating func drawContent(of screen: Screen, from y: Double) {
        let entry = screen.entries.first
        switch screen.kind {
        case .picker where screen.entries.isEmpty: searchSymbol(Canvas.middle, y + 124)
        case .picker:
            screen.entries.count > 1 ? drawCarousel(screen.entries, y) : drawEntry(screen.entries[0], y)
            // Further accessories are at the right; a tap there takes the next one.
            for (place, entry) in screen.entries.prefix(2).enumerated() {
                let (x, width) = place == 0 ? (Canvas.middle - 90, 180.0) : (Canvas.middle + 106, 78.0)
                let name = entry.detail.isEmpty ? entry.title : entry.detail
                targets.append(ScreenTarget(x, y + 34, width, 176, .pick, "Set up \(name)", entry: entry.id))
            }
        case .settingUp:
            picture(entry?.picture, at: Canvas.middle - 90, y + 32)
            let text = screen.lines.first ?? ""
            let width = min(250, TextFit(17).width(TextFit.plain(text)))
            spinner(Canvas.middle - width / 2 - 6, y + 186, radius: 10)
            line(
                text, at: Canvas.middle - width / 2 + 13, y + 192, size: 17, colour: palette.secondaryLabel,
                anchor: .start, width: 250)
        case .rename:
            drawField(screen.lines.first ?? "", y)
            fieldTop = y + 34
        case .setupComplete:
            picture(entry?.picture, at: Canvas.middle - 90, y + 34)
            badge(Canvas.middle + 62, y + 140, colour: palette.green, path: "M-7,0.5 L-2,6 L8,-6")
        case .setupFailed:
            picture(entry?.picture, at: Canvas.middle - 90, y + 34)
            badge(Canvas.middle + 62, y + 140, colour: palette.red, path: "M0,-8 V2 M0,8 V8.1")
        case .discoveryTimeout: nothingFoundSymbol(Canvas.middle, y + 76)
        case .forwarding: bell(Canvas.middle, y + 72)
        case .migration: drawRows(of: screen, y)
        default: break
        }
    }

    private mutating func drawEntry(_ entry: Screen.Entry, _ y: Double) {
        picture(entry.picture, at: Canvas.middle - 90, y + 34)
        line(
            entry.title, at: Canvas.middle, y + 184, size: 20, isBold: true, colour: palette.label, width: 310)
        line(entry.detail, at: Canvas.middle, y + 208, size: 16, colour: palette.secondaryLabel, width: 310)
    }

    /// Draws the first entry in the middle, the next one at the right, and below them a dot for each entry, at most
    /// nine.
    private mutating func drawCarousel(_ entries: [Screen.Entry], _ y: Double) {
        let side = entries[1]
        group("clip-path=\"url(#sheet)\" opacity=\".5\"") { canvas in
            canvas.picture(side.picture, at: Canvas.middle + 106, y + 49, scale: 0.75)
        }
        drawEntry(entries[0], y)
        let dots = min(entries.count, 9)
        let start = Canvas.middle - Double(dots - 1) * 8
        for dot in 0..<dots {
            let isLast = dot == dots - 1 && entries.count > dots
            circle(
                start + Double(dot) * 16, y + 234, isLast ? 2.4 : 3.6,
                fill: dot == 0 ? palette.secondaryLabel : palette.tertiaryLabel)
        }
    }

    private mutating func drawField(_ text: String, _ y: Double) {
        rect(34, y + 34, 325, 50, radius: 12, fill: palette.isDark ? "#2c2c2e" : "#f2f2f7")
        line(text, at: 50, y + 65, size: 17, colour: palette.label, anchor: .start, width: 255)
        let caret = 51 + min(255, TextFit(17).width(TextFit(17).line(text, width: 255)))
        rect(caret + 1, y + 48, 2, 22, radius: 1, fill: palette.tint)
        circle(338, y + 59, 9, fill: palette.tertiaryLabel)
        stroke(
            "M-3,-3 L3,3 M-3,3 L3,-3", at: 338, y + 59, colour: palette.isDark ? "#2c2c2e" : "#ffffff", width: 1.8)
    }

    private static func rows(of screen: Screen) -> ArraySlice<Screen.Entry> { screen.entries.prefix(mostRows - 1) }

    private mutating func drawRows(of screen: Screen, _ y: Double) {
        for (index, entry) in Canvas.rows(of: screen).enumerated() {
            let top = y + 24 + 60 * Double(index)
            picture(entry.picture, at: 40, top + 8, scale: 0.37)
            let isLast = index == Canvas.mostRows - 2 && screen.entries.count > Canvas.mostRows - 1
            let more = isLast ? " and \(screen.entries.count - index - 1) more" : ""
            line(
                TextFit(17).line(entry.title, width: more.isEmpty ? 225 : 150) + more, at: 122, top + 36, size: 17,
                colour: palette.label, anchor: .start, width: 230)
            if index > 0 { rect(122, top, 237, 0.5, fill: palette.separator) }
        }
    }

    // MARK: Buttons

    /// The titles of the buttons from top to bottom. The first is the one that agrees.
    private static func titles(of screen: Screen) -> [String] {
        switch screen.kind {
        case .picker: screen.entries.isEmpty ? [] : ["Set Up", "Learn More"]
        case .settingUp: []
        case .rename: ["Save"]
        case .migration: ["Continue"]
        case .forwarding: ["Allow All", "Choose Apps…", "Don’t Allow"]
        case .setupFailed, .discoveryTimeout: ["OK"]
        default: ["Done"]
        }
    }

    private mutating func drawButtons(of screen: Screen) {
        let titles = Canvas.titles(of: screen)
        let start = Canvas.bottom - 34 - Double(titles.count) * 54
        for (index, title) in titles.enumerated() {
            let top = start + Double(index) * 54
            button(title, top, isPlain: index > 0)
            if let target = target(titled: title, of: screen, place: index, top) { targets.append(target) }
        }
    }

    /// The action of a button; nil for one without an action here, such as Learn More.
    private func target(titled title: String, of screen: Screen, place: Int, _ top: Double) -> ScreenTarget? {
        var target = ScreenTarget(34, top, 325, 50, .done, title)
        switch screen.kind {
        case .picker:
            guard place == 0 else { return nil }
            target.control = .pick
            target.entry = screen.entries.first?.id
        case .rename:
            target.control = .rename
            target.input = .name
            target.text = screen.lines.first ?? ""
            target.field = [34, fieldTop, 325, 50]
        case .forwarding:
            target.control = .allowForwarding
            target.input = [.allApps, .someApps, .noApp][min(place, 2)]
        case .migration: target.control = screen.controls.contains(.allow) ? .allow : .done
        default: break
        }
        return target
    }
}
