import HILPhone

/// Draws a question in the middle of the screen, with two answers.
extension Canvas {
    private static let middle = 196.5
    private static let width = 270.0

    mutating func drawAlert(_ screen: Screen) {
        let (message, code) = Canvas.message(of: screen)
        let titleLines = TextFit(17, isBold: true).lines(screen.title, width: 238, most: 4).count
        let textLines = message.map { TextFit(13).lines($0, width: 238, most: 4).count } ?? 0
        let head =
            20 + 21 * Double(titleLines) + (textLines > 0 ? 6 + 16 * Double(textLines) : 0) + (code == nil ? 0 : 52)
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
        rect(left, top + height - 44, Canvas.width, 0.5, fill: palette.separator)
        rect(Canvas.middle - 0.25, top + height - 44, 0.5, 44, fill: palette.separator)
        let (refusal, consent) = Canvas.answers(to: screen)
        let isDestructive = screen.kind == .removeAccessory
        line(
            refusal, at: left + 67.5, top + height - 16, size: 17, isBold: isDestructive, colour: palette.tint,
            width: 120)
        line(
            consent, at: left + 202.5, top + height - 16, size: 17, isBold: !isDestructive,
            colour: isDestructive ? palette.red : palette.tint, width: 120)
        rect(127, 838, 139, 5, radius: 2.5, fill: "#ffffff", opacity: 0.9)
    }

    /// The text below the title. The number to compare is separate, because it is drawn large.
    private static func message(of screen: Screen) -> (String?, code: String?) {
        let text = screen.lines.joined(separator: " ")
        guard screen.kind == .passkey, let match = text.firstMatch(of: /“([0-9]{3})([0-9]{3})”/) else {
            return (text.isEmpty ? nil : text, nil)
        }
        let rest = text.replacing(" \(match.0)", with: "").replacing("the code is shown", with: "this code is shown")
        return (rest, "\(match.1) \(match.2)")
    }

    private static func answers(to screen: Screen) -> (refusal: String, consent: String) {
        switch screen.kind {
        case .passkey: ("Cancel", "Pair")
        case .removeAccessory: ("Cancel", "Remove")
        case .joinNetwork: ("Cancel", "Join")
        case .bluetoothIsOff: ("Settings", "OK")
        default: ("Don’t Allow", "Allow")
        }
    }
}
