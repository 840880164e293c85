import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILPhone
import HILRecord
import HILScreenDrawing
import Synchronization

/// What a played scenario is doing, from its events: facts for the page, and the drawings of the phone's screens.
final class PlayState: Sendable {
    /// The phone's screen, as the page shows it.
    struct ShownScreen: Encodable {
        /// Counted from 1 in the attempt, the app itself included.
        let number: Int
        /// nil for the app itself.
        var kind: Screen.Kind?
        var title = ""
        var entries: [Screen.Entry] = []
        var controls: [PersonAction.Control] = []
        var targets: [ScreenTarget] = []
        /// The addresses of the drawings, relative to the page; nil for the app itself.
        var light, dark: String?
    }

    /// A button and its last result.
    struct Button: Encodable {
        let title: String
        var isRunning = false
        /// Why it failed last; empty if it worked, nil if it was not pressed.
        var failure: String?
    }

    struct Suggestion: Encodable {
        let text: String
        let action: PersonAction
    }

    struct Awaited: Encodable {
        let what: [String]
        let isPersonsTurn: Bool
    }

    struct Phase: Encodable {
        /// `starting`, `playing`, `ended`, `failed` or `lost`.
        let name: String
        let text: String
    }

    struct Radios: Encodable {
        var bluetooth = true
        var wifi = true
    }

    private struct State {
        var number = 0
        /// The screen before the current one, which stays visible behind a question.
        var last: Screen?
        /// The newest drawings, light and dark, by number.
        var drawings: [Int: (light: String, dark: String)] = [:]
        var buttons: [Button] = []
        var refusals = 0
        var radios = Radios()
        var failures: [String] = []
        var hasEnded = false
        var events = PlayedEvents()
        var recording = PlayRecording()
    }

    /// How many drawings are kept.
    private static let mostDrawings = 40

    let feed: PlayFeed
    private let pictures = ScreenPictures()
    private let state = Mutex(State())

    init(feed: PlayFeed) { self.feed = feed }

    /// What the person did so far.
    var recording: PlayRecording { state.withLock { $0.recording } }

    /// The drawing of a screen.
    ///
    /// - Parameter look: `light.svg` or `dark.svg`.
    func drawing(_ number: Int, _ look: String) -> String? {
        state.withLock { state in
            let drawing = state.drawings[number]
            return switch look {
            case "light.svg": drawing?.light
            case "dark.svg": drawing?.dark
            default: nil
            }
        }
    }

    /// Forgets everything of the attempt before.
    func beginAgain() {
        state.withLock { state in
            let number = state.number
            state = State()
            // The browser may keep a drawing of this address.
            state.number = number
        }
        feed.beginAgain(keeping: ["scenario"])
        feed.set("phase", Phase(name: "starting", text: "The boards are being made ready."))
        feed.set("radios", Radios())
        feed.set("distance", Distance(metres: 1))
    }

    private struct Distance: Encodable {
        let metres: Double?
    }

    /// Sets the phase of an attempt that ended by itself.
    func end(_ name: String, _ text: String) { feed.set("phase", Phase(name: name, text: text)) }

    func take(_ message: WorkerMessage) {
        let told = message.stamped
        let line = state.withLock { state in
            state.recording.take(message)
            return state.events.json(of: told)
        }
        if let played = message.played { take(played) }
        switch told.event {
        case .bodyBegan:
            feed.set("phase", Phase(name: "playing", text: ""))
            feed.set("zero", told.time)
        case .bodyEnded: state.withLock { $0.hasEnded = true }
        case .failure(let failure): state.withLock { $0.failures.append(failure.message) }
        default: break
        }
        tellEnd(told.event)
        if let line { feed.add([line]) }
    }

    private func take(_ played: WorkerMessage.Played) {
        switch played {
        case .screen(let screen): show(screen)
        case .bluetoothPower(let isOn): set(\.bluetooth, isOn)
        case .wifiPower(let isOn): set(\.wifi, isOn)
        case .play(let event): take(event)
        case .hand: break  // Only a run has a real phone.
        }
    }

    private func tellEnd(_ event: ScenarioEvent) {
        switch event {
        case .bodyEnded, .failure: break
        default: return
        }
        let (failures, hasEnded) = state.withLock { ($0.failures, $0.hasEnded) }
        feed.set("failures", failures.suffix(5).map { PlainText.cut($0, to: 2000) })
        guard hasEnded else { return }
        let text =
            failures.isEmpty
            ? "The scenario has ended without a failure. The phone is still yours."
            : "The scenario has ended with a failure. The phone is still yours."
        feed.set("phase", Phase(name: failures.isEmpty ? "ended" : "failed", text: text))
    }

    private func set(_ radio: WritableKeyPath<Radios, Bool>, _ isOn: Bool) {
        feed.set(
            "radios",
            state.withLock { state in
                state.radios[keyPath: radio] = isOn
                return state.radios
            })
    }

    private func take(_ event: PlayEvent) {
        switch event {
        case .offers(let titles): change { $0 = titles.map { Button(title: $0) } }
        case .did(.press(let title)): change { PlayState.edit(&$0, title) { $0.isRunning = true } }
        case .ended(let title, let failure):
            change { PlayState.edit(&$0, title) { ($0.isRunning, $0.failure) = (false, failure ?? "") } }
        case .did(.move(let metres)): feed.set("distance", Distance(metres: metres))
        case .refused(_, let why):
            let number = state.withLock { state in
                state.refusals += 1
                return state.refusals
            }
            feed.set("refused", ["\(number)", why])
        case .suggests(let actions):
            feed.set("suggests", actions.map { Suggestion(text: "\($0)", action: $0) })
        case .awaits(let what, let isTurn): feed.set("awaits", Awaited(what: what, isPersonsTurn: isTurn))
        case .did, .forwarded: break
        }
    }

    private func change(_ body: (inout [Button]) -> Void) {
        feed.set(
            "buttons",
            state.withLock { state in
                body(&state.buttons)
                return state.buttons
            })
    }

    private static func edit(_ buttons: inout [Button], _ title: String, _ body: (inout Button) -> Void) {
        if let place = buttons.firstIndex(where: { $0.title == title }) { body(&buttons[place]) }
    }

    private func show(_ screen: Screen?) {
        let (number, behind) = state.withLock { state in
            state.number += 1
            defer { state.last = screen }
            return (state.number, state.last)
        }
        var shown = ShownScreen(number: number)
        if let screen {
            let paths = [screen, behind].compactMap(\.self).flatMap(ScreenDrawing.picturePaths)
            let drawing = ScreenDrawing(
                screen, over: behind, pictures: paths.reduce(into: [:]) { $0[$1] = pictures.uri(of: $1) })
            let (light, dark) = (drawing.svg(.light), drawing.svg(.dark))
            state.withLock { state in
                state.drawings[number] = (light, dark)
                state.drawings[number - PlayState.mostDrawings] = nil
            }
            shown.kind = screen.kind
            shown.title = screen.title
            shown.entries = Array(screen.entries.prefix(20))
            shown.controls = screen.controls
            shown.targets = drawing.targets
            shown.light = "screen/\(number)/light.svg"
            shown.dark = "screen/\(number)/dark.svg"
        }
        feed.set("screen", shown)
    }
}
