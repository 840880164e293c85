import HIL
import HILExecution
import HILPhone
import HILRecord
import RadioModel

/// What a person did in a played scenario, and what they saw in between: the script of a scenario that repeats it.
///
/// Pure: events go in, the source comes out.
struct PlayRecording: Sendable {
    private enum Line: Equatable {
        case presses(String)
        case does(PersonAction, Screen.Kind)
        case entersShownPasskey(Screen.Kind)
        case opens(Screen.Kind)
        case moves(Double?)
        case gets(app: String, title: String, body: String, isForwarded: Bool)
        case finishes(String, failure: String?)
        case passes(String, times: Int)
        case sees(Screen.Kind?)
        case loses(String)
        case seesTheEnd
    }

    private var lines: [Line] = []
    /// What the person saw since they did something.
    private var seen: [Line] = []
    private var hasNewScreen = false
    private var top: Screen.Kind?
    private var buttons: Set<String> = []
    private var endedSteps: [String: Int] = [:]
    private var lastStep: String?
    private var hasMoved = false
    /// The places in ``lines`` of the notifications, in order.
    private var posts: [Int] = []
    private var failures: [String] = []
    /// The number that the accessory showed last.
    private var shownPasskey: UInt32?
    /// The first failure of the rig; nil if there is none. Nothing is recorded then.
    private(set) var rigFailure: String?

    /// Whether the person has done nothing.
    var isEmpty: Bool { lines.isEmpty }

    mutating func take(_ message: WorkerMessage) {
        switch message.played {
        case .screen(let screen):
            if screen?.kind != top { hasNewScreen = true }
            top = screen?.kind
        case .play(let event): take(event)
        case .bluetoothPower, .wifiPower, .hand, nil: take(message.stamped.event)
        }
    }

    private mutating func take(_ event: ScenarioEvent) {
        switch event {
        case .phone(.radio(let radio)) where radio.kind == "disconnected": note(loss: "link")
        case .phone(.radio(let radio)) where radio.kind == "wifiLost": note(loss: "network")
        case .stepEnded(let name, _, _, _) where !buttons.contains(name):
            endedSteps[name, default: 0] += 1
            lastStep = name
        case .bodyEnded: seen.append(.seesTheEnd)
        case .failure(let failure) where failure.kind == .rig: rigFailure = rigFailure ?? failure.message
        case .failure(let failure): failures.append(failure.message)
        case .accessory(let note): shownPasskey = note.shownPasskey ?? shownPasskey
        default: break
        }
    }

    private mutating func take(_ event: PlayEvent) {
        switch event {
        case .offers(let titles): buttons.formUnion(titles)
        case .ended(let button, let failure): seen.append(.finishes(button, failure: failure))
        case .forwarded(let number):
            guard posts.indices.contains(number - 1),
                case .gets(let app, let title, let body, _) = lines[posts[number - 1]]
            else { return }
            lines[posts[number - 1]] = .gets(app: app, title: title, body: body, isForwarded: true)
        case .did(let command): take(command)
        case .refused, .suggests, .awaits: break
        }
    }

    private mutating func take(_ command: PlayCommand) {
        if case .act(let action, let kind) = command {
            // The screen itself is what the person waited for.
            addSeen()
            // The number is different each time.
            let isShown = shownPasskey.map { action == .enterPasskey($0) } ?? false
            lines.append(isShown ? .entersShownPasskey(kind) : .does(action, kind))
            hasNewScreen = false
            return
        }
        if let step = lastStep { seen.append(.passes(step, times: endedSteps[step] ?? 1)) }
        addSeen()
        if hasNewScreen { lines.append(.sees(top)) }
        (hasNewScreen, lastStep, hasMoved) = (false, nil, false)
        switch command {
        case .press(let button): lines.append(.presses(button))
        case .openSettings(let page): lines.append(.opens(page))
        case .move(let metres):
            lines.append(.moves(metres))
            hasMoved = true
        case .post(let app, let title, let body):
            posts.append(lines.count)
            lines.append(.gets(app: app, title: title, body: body, isForwarded: false))
        case .act: break
        }
    }

    /// A loss counts once after a move, which is its cause.
    private mutating func note(loss: String) {
        if hasMoved, !seen.contains(.loses(loss)), lines.last != .loses(loss) { seen.append(.loses(loss)) }
    }

    private mutating func addSeen() {
        lines += seen
        seen = []
    }

    /// The source of the scenario.
    ///
    /// - Parameters:
    ///   - name: Its name, and that of its file.
    ///   - played: The scenario that was played.
    ///   - day: When, for people: `2026-11-23 12:40 UTC`.
    func source(named name: String, of played: PlannedScenario, on day: String) -> String {
        var all = self
        if let step = all.lastStep, all.seen.last != .seesTheEnd {
            all.seen.append(.passes(step, times: all.endedSteps[step] ?? 1))
        }
        all.addSeen()
        let label = played.oneCase.label
        let place = label.isEmpty ? "" : ", where: \(SwiftText.literal(label))"
        let title = "\(played.scenario.title), played by hand on \(day) as \(name)"
        let expected = failures.map { "    person.expects(failure: \(SwiftText.literal($0)))\n" }
        let steps = all.lines.map { "    \(PlayRecording.text($0))\n" }
        return """
            import HIL

            // What was done in `hil play`. Change it as you like.
            let \(name) = Scenario(
                \(SwiftText.literal(title)),
                .tags("played"), playing: \(played.named.name)\(place)
            ) { person in
            \((expected + steps).joined())}

            """
    }

    private static func text(_ line: Line) -> String {
        func word(_ text: String) -> String { SwiftText.literal(text) }
        return switch line {
        case .presses(let button): "try await person.presses(\(word(button)))"
        case .does(let action, let kind): "try await person.does(\(SwiftText.action(action)), on: .\(kind.rawValue))"
        case .entersShownPasskey(let kind):
            "try await person.does(.enterPasskey(shownBy: .accessory), on: .\(kind.rawValue))"
        case .opens(let page): "try await person.opens(.\(page.rawValue))"
        case .moves(let metres?): "try await person.moves(to: \(metres))"
        case .moves(nil): "try await person.movesAway()"
        case .gets(let app, let title, let body, let isForwarded):
            "try await person.gets(from: \(word(app)), title: \(word(title)), body: \(word(body))"
                + (isForwarded ? ", isForwarded: true)" : ")")
        case .finishes(let button, let failure?):
            "try await person.finishes(\(word(button)), failing: \(word(failure)))"
        case .finishes(let button, nil): "try await person.finishes(\(word(button)))"
        case .passes(let step, 1): "try await person.passes(\(word(step)))"
        case .passes(let step, let times): "try await person.passes(\(word(step)), times: \(times))"
        case .sees(let kind?): "try await person.sees(.\(kind.rawValue))"
        case .sees(nil): "try await person.sees(nil)"
        case .loses(let what): "try await person.loses(.\(what))"
        case .seesTheEnd: "try await person.seesTheEnd()"
        }
    }
}

/// Values as Swift writes them.
enum SwiftText {
    /// A string literal. No text can end it or become code.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": literal += "\\\\"
            case "\"": literal += "\\\""
            case "\n": literal += "\\n"
            default:
                let isPlain =
                    scalar.value >= 0x20 && scalar.value != 0x7F && scalar.properties.generalCategory != .control
                    && scalar.properties.generalCategory != .format
                    && scalar.properties.generalCategory != .lineSeparator
                    && scalar.properties.generalCategory != .paragraphSeparator
                literal += isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return literal + "\""
    }

    /// An action of the person.
    static func action(_ action: PersonAction) -> String {
        switch action {
        case .pick(let accessory): ".pick(\(choice(accessory)))"
        case .rename(let name): ".rename(\(literal(name)))"
        case .enterPasskey(let number): ".enterPasskey(\(number))"
        case .allowForwarding(let apps): ".allowForwarding(\(forwarding(apps)))"
        case .removeInSettings(let accessory): ".removeInSettings(\(choice(accessory)))"
        case .renameInSettings(let accessory, let name):
            ".renameInSettings(\(choice(accessory)), to: \(literal(name)))"
        case .forwardInSettings(let accessory, let apps):
            ".forwardInSettings(\(choice(accessory)), \(forwarding(apps)))"
        case .shareInSettings(let accessory, let isOn): ".shareInSettings(\(choice(accessory)), \(isOn))"
        default: ".\(action.control.rawValue)"
        }
    }

    private static func choice(_ accessory: AccessoryChoice) -> String {
        switch accessory {
        case .named(let name): literal(name)
        case .number(let number): ".number(\(number))"
        case .address(let address): ".address(DeviceAddress(\(literal("\(address)")))!)"
        case .strongest(let count): ".strongest(of: \(count))"
        case .weakest(let count): ".weakest(of: \(count))"
        case .entry: ".number(1)"
        }
    }

    private static func forwarding(_ apps: PersonAction.ForwardingChoice) -> String {
        switch apps {
        case .all: ".all"
        case .none: ".none"
        case .only(let apps): ".only([\(apps.sorted().map(literal).joined(separator: ", "))])"
        }
    }

    /// Whether a text can be the name of a constant.
    static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil && !keywords.contains(text)
    }

    private static let keywords: Set<String> = [
        "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum", "extension",
        "false", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "private", "protocol", "public", "repeat", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
