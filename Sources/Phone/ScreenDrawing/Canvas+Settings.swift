import HILPhone

/// Draws the pages of the phone's Settings.
extension Canvas {
    mutating func drawSettings(_ screen: Screen) {
        let (width, height) = ScreenDrawing.size
        rect(0, 0, width, height, fill: palette.page)
        statusBar(colour: palette.label)
        let parts = screen.title.split(separator: ": ", maxSplits: 1).map(String.init)
        stroke("M4,-8 L-4,0 L4,8", at: 20, 84, colour: palette.tint, width: 2.6)
        line(
            parts.count > 1 ? parts[0] : "Settings", at: 30, 90, size: 17, colour: palette.tint, anchor: .start,
            width: 200)
        line(
            parts.last ?? screen.title, at: 20, 142, size: 34, isBold: true, colour: palette.label, anchor: .start,
            width: 353)
        let rows = Array(screen.entries.prefix(Canvas.mostRows))
        let card = palette.isDark ? "#1c1c1e" : "#ffffff"
        rect(16, 164, 361, max(64, Double(rows.count) * 76), radius: 12, fill: card)
        if rows.isEmpty {
            line("No Accessories", at: 32, 202, size: 17, colour: palette.secondaryLabel, anchor: .start, width: 320)
        }
        for (index, row) in rows.enumerated() {
            let top = 164 + Double(index) * 76
            picture(row.picture, at: 26, top + 12, scale: 0.43)
            line(row.title, at: 116, top + 34, size: 17, colour: palette.label, anchor: .start, width: 225)
            line(row.detail, at: 116, top + 56, size: 13, colour: palette.secondaryLabel, anchor: .start, width: 225)
            chevron(358, top + 38)
            targets.append(
                ScreenTarget(16, top, 361, 76, .removeInSettings, row.title, entry: row.id, input: .accessory))
            if index > 0 { rect(116, top, 261, 0.5, fill: palette.separator) }
        }
        let bottom = 164 + max(64, Double(rows.count) * 76) + 26
        let more = screen.entries.count - rows.count
        let note = more > 0 ? "\(more) more" : "Apps use these accessories by Bluetooth or Wi-Fi."
        line(note, at: 32, bottom, size: 13, colour: palette.secondaryLabel, anchor: .start, width: 330)
        homeIndicator()
        addClosing()
    }

    /// Draws the page with the switches for Bluetooth and Wi-Fi.
    mutating func drawSwitches(_ screen: Screen) {
        let (width, height) = ScreenDrawing.size
        rect(0, 0, width, height, fill: palette.page)
        statusBar(colour: palette.label)
        line(screen.title, at: 20, 118, size: 34, isBold: true, colour: palette.label, anchor: .start, width: 353)
        let rows = Array(screen.entries.prefix(Canvas.mostRows))
        rect(16, 140, 361, Double(rows.count) * 56, radius: 12, fill: palette.isDark ? "#1c1c1e" : "#ffffff")
        for (index, row) in rows.enumerated() {
            let middle = 140 + Double(index) * 56 + 28
            line(row.title, at: 32, middle + 6, size: 17, colour: palette.label, anchor: .start, width: 110)
            line(row.detail, at: 296, middle + 6, size: 17, colour: palette.secondaryLabel, anchor: .end, width: 140)
            toggle(334, middle, isOn: !screen.controls.contains(Canvas.controlWhileOff(row.title)))
            if index > 0 { rect(32, middle - 28, 345, 0.5, fill: palette.separator) }
            let isOff = screen.controls.contains(Canvas.controlWhileOff(row.title))
            let controls: [PersonAction.Control] =
                row.title == "Wi-Fi" ? [.switchWiFiOff, .switchWiFiOn] : [.switchBluetoothOff, .switchBluetoothOn]
            targets.append(
                ScreenTarget(
                    300, middle - 24, 77, 48, controls[isOff ? 1 : 0], "\(row.title) \(isOff ? "on" : "off")"))
        }
        homeIndicator()
        addClosing()
    }

    /// Draws the page with the switch Share System Notifications of each accessory.
    mutating func drawSharing(_ screen: Screen) {
        let (width, height) = ScreenDrawing.size
        rect(0, 0, width, height, fill: palette.page)
        statusBar(colour: palette.label)
        line(
            "Share System Notifications", at: 20, 118, size: 26, isBold: true, colour: palette.label, anchor: .start,
            width: 353)
        let rows = Array(screen.entries.prefix(Canvas.mostRows))
        let card = palette.isDark ? "#1c1c1e" : "#ffffff"
        rect(16, 140, 361, max(56, Double(rows.count) * 56), radius: 12, fill: card)
        if rows.isEmpty {
            line("No Accessories", at: 32, 174, size: 17, colour: palette.secondaryLabel, anchor: .start, width: 320)
        }
        for (index, row) in rows.enumerated() {
            let middle = 140 + Double(index) * 56 + 28
            let isOn = row.detail == "On"
            line(row.title, at: 32, middle + 6, size: 17, colour: palette.label, anchor: .start, width: 250)
            toggle(334, middle, isOn: isOn)
            if index > 0 { rect(32, middle - 28, 345, 0.5, fill: palette.separator) }
            targets.append(
                ScreenTarget(
                    300, middle - 24, 77, 48, .shareInSettings, "\(row.title) \(isOn ? "off" : "on")", entry: row.id,
                    input: isOn ? .switchOff : .switchOn))
        }
        let bottom = 140 + max(56, Double(rows.count) * 56) + 26
        let more = screen.entries.count - rows.count
        let note = more > 0 ? "\(more) more" : "These accessories have asked for your notifications."
        line(note, at: 32, bottom, size: 13, colour: palette.secondaryLabel, anchor: .start, width: 330)
        homeIndicator()
        addClosing()
    }

    /// A swipe from the home indicator closes a page of Settings; here it is a tap.
    private mutating func addClosing() { targets.append(ScreenTarget(97, 812, 199, 40, .done, "Close Settings")) }

    /// The control that only a screen with a switched-off radio has. The row's text does not show it: a network may be
    /// called “Off”.
    private static func controlWhileOff(_ radio: String) -> PersonAction.Control {
        radio == "Wi-Fi" ? .switchWiFiOn : .switchBluetoothOn
    }

    private mutating func toggle(_ x: Double, _ y: Double, isOn: Bool) {
        rect(x - 25.5, y - 15.5, 51, 31, radius: 15.5, fill: isOn ? palette.green : palette.tertiaryLabel)
        circle(isOn ? x + 10 : x - 10, y, 13.5, fill: "#ffffff")
    }
}
