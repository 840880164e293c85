import Foundation
import HILPOSIX
import HILPhone
import HILRecord

extension PlainText {
    /// The most characters of a text from a scenario: a message, a note.
    static let longestText = 4000
    /// The most characters of one value in a message, so that a second value fits.
    static let longestValue = 1000
    /// The most characters of the name of a step or a screen.
    static let longestName = 200
}

extension ScenarioEvent {
    /// Our modules, whose names Swift writes before those of our types. They mean nothing to a reader.
    private static let modules = [
        "RadioModel.", "BoardProtocol.", "HostRadio.", "RigModel.", "HILPhone.", "HIL.", "CoreBluetooth.",
        "AccessorySetupKit.", "NetworkExtension.", "AccessoryNotifications.", "AccessoryTransportExtension.",
        "Network.",
    ]

    /// A text without our modules' names before the names of types.
    static func withoutModules(_ text: String) -> String {
        guard modules.contains(where: text.contains) else { return text }
        return modules.reduce(text) { text, module in
            var result = ""
            var rest = text[...]
            while let place = rest.range(of: module) {
                let before = rest[..<place.lowerBound].last ?? result.last
                let isName = before.map { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "/" } ?? true
                let isType = rest[place.upperBound...].first?.isUppercase == true
                result += rest[..<(isName && isType ? place.lowerBound : place.upperBound)]
                rest = rest[place.upperBound...]
            }
            return result + rest
        }
    }

    /// The same event with its long texts cut, because an app may compare megabytes.
    var bounded: ScenarioEvent {
        func text(_ text: String) -> String {
            PlainText.cut(ScenarioEvent.withoutModules(text), to: PlainText.longestText)
        }
        func name(_ text: String) -> String { PlainText.cut(text, to: PlainText.longestName) }
        switch self {
        case .stepBegan(let step, let budget, let location, let number):
            return .stepBegan(name: name(step), budget: budget, at: location, number: number)
        case .stepEnded(let step, let seconds, let outcome, let number):
            return .stepEnded(name: name(step), seconds: seconds, outcome: outcome, number: number)
        case .expectation(let what, let held, let location):
            return .expectation(text: text(what), held: held, at: location)
        case .failure(var failure):
            failure.message = text(failure.message)
            let program = failure.finding?.program.map(name)
            failure.finding?.program = program
            return .failure(failure)
        case .waited(let what, let seconds): return .waited(what: text(what), seconds: seconds)
        case .play(let note): return .play(PlayNote(note.text.map(text)))
        case .standing(let where_): return .standing(text: text(where_))
        case .note(let what): return .note(text: text(what))
        case .remark(let what): return .remark(text: text(what))
        case .audit(let note): return .audit(note.bounded)
        case .crashing(let what): return .crashing(text: text(what))
        case .onAir(let address, let whose): return .onAir(address, name(whose))
        case .accessoryVersion(let whose, let version):
            return .accessoryVersion(name: name(whose), version: name(version))
        case .phone(let note): return .phone(note.bounded)
        case .accessory(var note):
            note.text = text(note.text)
            return .accessory(note)
        default: return self
        }
    }
}

extension AuditNote {
    /// The most characteristics of a matrix.
    private static let mostRows = 500

    fileprivate var bounded: AuditNote {
        func text(_ text: String) -> String {
            PlainText.cut(ScenarioEvent.withoutModules(text), to: PlainText.longestValue)
        }
        switch self {
        case .tried(let what): return .tried(text: text(what))
        case .found(let outcome, let reason, let instead):
            return .found(outcome: outcome, reason: reason.map(text), instead: instead.map(text))
        case .matrix(var matrix):
            matrix.rows = Array(matrix.rows.prefix(AuditNote.mostRows))
            return .matrix(matrix)
        case .began, .stranger, .seed, .frames: return self
        }
    }
}

extension PhoneNote {
    fileprivate var bounded: PhoneNote {
        func text(_ text: String) -> String {
            PlainText.cut(ScenarioEvent.withoutModules(text), to: PlainText.longestText)
        }
        func name(_ text: String) -> String { PlainText.cut(text, to: PlainText.longestName) }
        switch self {
        case .screen(let screen):
            return .screen(screen.map { ScreenNote(kind: $0.kind, title: name($0.title), text: text($0.text)) })
        case .person(var action, let title):
            action.text = text(action.text)
            return .person(action, on: name(title))
        case .app(let name, let what): return .app(name, text(what))
        case .told(let name, let what): return .told(name, text(what))
        case .radio(var radio):
            radio.text = text(radio.text)
            return .radio(radio)
        case .authorization(let what): return .authorization(text(what))
        case .warning(let rule, let what): return .warning(rule: rule, text(what))
        case .rigFailure(let what): return .rigFailure(text(what))
        case .note(let part, let what): return .note(part, text(what))
        }
    }
}

extension Screen {
    /// The same screen with its long texts cut.
    var bounded: Screen {
        var screen = self
        screen.title = PlainText.cut(title, to: PlainText.longestName)
        screen.lines = lines.map { PlainText.cut($0, to: PlainText.longestValue) }
        for place in screen.entries.indices {
            screen.entries[place].title = PlainText.cut(entries[place].title, to: PlainText.longestName)
            screen.entries[place].detail = PlainText.cut(entries[place].detail, to: PlainText.longestName)
        }
        return screen
    }
}
