import HILPhone

/// Draws a question in the middle of the screen, with two answers.
extension Canvas {
    private static let middle = 196.5
    private static let width = 270.0

    mutating func drawAlert(_ screen: Screen) {
        let (message, code) = Canvas.message(of: screen)
        let titleLines = TextFit(17, isBold: true).lines(screen.title, width: 238, most: 4).count
        let textLines = message.map { TextFit(13).lines($0, width: 238, most: 4).count } ?? 0
        let extra: Double = code != nil ? 52 : screen.kind == .passkeyEntry ? 46 : 0
        let head = 20 + 21 * Double(titleLines) + (textLines > 0 ? 6 + 16 * Double(textLines) : 0) + extra
        let height = head + 18 + 44
        let top = (ScreenDrawing.size.height - height) / 2
        let left = Canvas.middle - Canvas.width / 2
        rect(left, top, Canvas.width, height, radius: 14, fill: palette.alert)
        var y = paragraph(
            screen.title, at: Canvas.middle, top + 36, size: 17, isBold: true, colour: palette.label, width: 238,
            most: 4)
        if let message {
            y = paragraph(message, at: Canvas.middle, y + 22, size: 13, colour: palette.label, width: 238, most: 4)
        }
        if let code {
            line(code, at: Canvas.middle, y + 44, size: 34, isBold: true, colour: palette.label, width: 238)
        }
        if screen.kind == .passkeyEntry { drawPasskeyField(left + 16, y + 16) }
        addAnswers(screen, left, top + height - 44, field: y + 16)
        rect(left, top + height - 44, Canvas.width, 0.5, fill: palette.separator)
        rect(127, 838, 139, 5, radius: 2.5, fill: "#ffffff", opacity: 0.9)
        let (refusal, consent) = Canvas.answers(to: screen)
        guard let consent else {
            return line(refusal, at: Canvas.middle, top + height - 16, size: 17, colour: palette.tint, width: 240)
        }
        rect(Canvas.middle - 0.25, top + height - 44, 0.5, 44, fill: palette.separator)
        let isDestructive = screen.kind == .removeAccessory
        line(
            refusal, at: left + 67.5, top + height - 16, size: 17, isBold: isDestructive, colour: palette.tint,
            width: 120)
        line(
            consent, at: left + 202.5, top + height - 16, size: 17, isBold: !isDestructive,
            colour: isDestructive ? palette.red : palette.tint, width: 120)
    }

    /// Draws an empty field for a number, with a caret.
    private mutating func drawPasskeyField(_ left: Double, _ top: Double) {
        let width = Canvas.width - 32
        rect(left, top, width, 30, radius: 7, fill: palette.separator)
        rect(left + 0.5, top + 0.5, width - 1, 29, radius: 6.5, fill: palette.isDark ? "#1c1c1e" : "#ffffff")
        rect(left + 9, top + 6, 2, 18, radius: 1, fill: palette.tint)
    }

    /// The text below the title. The number to compare is separate, because it is drawn large.
    private static func message(of screen: Screen) -> (String?, code: String?) {
        let text = screen.lines.joined(separator: " ")
        guard screen.kind == .passkey || screen.kind == .passkeyDisplay,
            let match = text.firstMatch(of: /“([0-9]{3})([0-9]{3})”/)
        else {
            return (text.isEmpty ? nil : text, nil)
        }
        let rest = text.replacing(" \(match.0)", with: "").replacing("the code is shown", with: "this code is shown")
            .replacing("the code on", with: "this code on")
        return (rest, "\(match.1) \(match.2)")
    }

    /// The places of the two answers.
    private mutating func addAnswers(_ screen: Screen, _ left: Double, _ top: Double, field: Double) {
        let (refusal, consent) = Canvas.answers(to: screen)
        let refusing: PersonAction.Control
        var consenting: PersonAction.Control
        switch screen.kind {
        case .passkey: (refusing, consenting) = (.refusePasskey, .confirmPasskey)
        case .passkeyEntry: (refusing, consenting) = (.cancel, .enterPasskey)
        case .passkeyDisplay: (refusing, consenting) = (.cancel, .done)
        case .bluetoothIsOff: (refusing, consenting) = (.switchBluetoothOn, .done)
        case .joinFailed: (refusing, consenting) = (.done, .done)
        default: (refusing, consenting) = (.deny, .allow)
        }
        if !screen.controls.contains(consenting), screen.controls.contains(.done) { consenting = .done }
        let half = consent == nil ? Canvas.width : Canvas.width / 2
        targets.append(ScreenTarget(left, top, half, 44, refusing, refusal))
        guard let consent else { return }
        var target = ScreenTarget(left + half, top, half, 44, consenting, consent)
        if screen.kind == .passkeyEntry {
            target.input = .passkey
            target.text = ""
            target.field = [left + 16, field, Canvas.width - 32, 30]
        }
        targets.append(target)
    }

    private static func answers(to screen: Screen) -> (refusal: String, consent: String?) {
        switch screen.kind {
        case .pairing, .passkey, .passkeyEntry: ("Cancel", "Pair")
        case .passkeyDisplay: ("Cancel", nil)
        case .removeAccessory: ("Cancel", "Remove")
        case .joinNetwork: ("Cancel", "Join")
        case .joinFailed: ("OK", nil)
        case .bluetoothIsOff: ("Settings", "OK")
        default: ("Don’t Allow", "Allow")
        }
    }
}
