import HILPOSIX
import HILPhone
import HILRecord

/// Something that the person of a played scenario does. A browser sends these, so they are checked before they are done.
package enum PlayCommand: Sendable, Hashable, Codable {
    /// Presses a button that the scenario offers.
    case press(button: String)
    /// Does an action on the topmost screen, which is of this kind.
    case act(PersonAction, on: Screen.Kind)
    /// Opens a page of Settings.
    case openSettings(Screen.Kind)
    /// Moves the boards so many metres apart; nil moves them out of range.
    case move(metres: Double?)
    /// Posts a notification of an app on the phone.
    case post(app: String, title: String, body: String)

    enum ActCodingKeys: String, CodingKey { case _0 = "action", on }
    enum OpenSettingsCodingKeys: String, CodingKey { case _0 = "page" }

    /// The longest distance, in metres.
    package static let farthest = 1000.0
    /// The most characters of a text that the person types.
    package static let longestText = 200

    /// Why it is impossible; nil if it may be possible.
    package var mistake: String? {
        switch self {
        case .move(let metres?) where !(metres >= 0.1 && metres <= PlayCommand.farthest):
            return "boards are 0.1 to 1000 m apart, or out of range"
        case .openSettings(let page) where !page.isPageOfSettings:
            return "Settings has the pages settings, switches and sharing"
        case .post(let app, let title, let body):
            if [app, title, body].contains(where: { $0.count > PlayCommand.longestText }) {
                return "a text of a notification has at most \(PlayCommand.longestText) characters"
            }
            let isName = app.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.-]*/) != nil
            return isName ? nil : "an app is named by its bundle identifier, such as com.example.chat"
        case .act(.enterPasskey(let number), _) where number > 999_999: return "a passkey has six digits"
        case .act(let action, _):
            let texts: [String]
            switch action {
            case .rename(let name), .renameInSettings(_, let name): texts = [name]
            case .allowForwarding(.only(let apps)), .forwardInSettings(_, .only(let apps)): texts = Array(apps)
            default: texts = []
            }
            return texts.contains { $0.isEmpty || $0.count > PlayCommand.longestText }
                ? "a name has 1 to \(PlayCommand.longestText) characters" : nil
        default: return nil
        }
    }
}

/// An event of a scenario that is played by hand.
package enum PlayEvent: Sendable, Hashable, Codable {
    /// The scenario offers these buttons.
    case offers(buttons: [String])
    /// The person has done something.
    case did(PlayCommand)
    /// The person could not do something, for this reason.
    case refused(PlayCommand, why: String)
    /// What a button began has ended; with the reason if it failed.
    case ended(button: String, failure: String?)
    /// The accessory got the notification that was posted as number `number`, from 1, and alerted.
    case forwarded(number: Int)
    /// What the scenario tells its person to do, in words and as actions.
    case suggests([PersonAction])
    /// What the scenario waits for; and whether it is the person's turn, so that no limit of time runs.
    case awaits([String], isPersonsTurn: Bool)

    enum DidCodingKeys: String, CodingKey { case _0 = "command" }
    enum RefusedCodingKeys: String, CodingKey { case _0 = "command", why }
    enum SuggestsCodingKeys: String, CodingKey { case _0 = "actions" }
    enum AwaitsCodingKeys: String, CodingKey { case _0 = "what", isPersonsTurn }

    /// The same event with its long texts cut.
    var bounded: PlayEvent {
        func text(_ text: String) -> String { PlainText.cut(text, to: PlainText.longestValue) }
        switch self {
        case .ended(let button, let failure): return .ended(button: button, failure: failure.map(text))
        case .awaits(let what, let isTurn): return .awaits(what.prefix(8).map(text), isPersonsTurn: isTurn)
        default: return self
        }
    }

    /// One line for people; nil if another event says the same.
    package var text: String? {
        switch self {
        case .did(.move(let metres?)): "person: moves the boards \(metres) m apart"
        case .did(.move(nil)): "person: moves the boards out of range"
        case .did(.post(let app, let title, let body)): "person: \(app) posts “\(title)”: \(body)"
        case .did(.openSettings): "person: opens Settings"
        case .refused(_, let why): "person: this was not possible: \(why)"
        case .ended(let button, let failure?): "“\(button)” failed: \(failure)"
        case .ended(let button, nil): "“\(button)” is done"
        default: nil
        }
    }
}
