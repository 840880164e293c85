import BoardProtocol
import HILPOSIX
import HILPhone
import HILRecord
import HILTiming
import RadioModel
import Synchronization

/// A command of a scenario to its accessory, or to the home's network, which another rig can get as well.
struct RehearsedCommand: Sendable {
    /// In words: `die: perform roll face 6`.
    let words: String
    let perform: @Sendable (Lab) async throws -> Void
}

/// One part of what a scenario did on the simulated phone, as far as it concerns a person with a real one, or the
/// accessory.
enum RehearsedItem: Sendable {
    case stepBegan(String, budget: Duration, at: SourceLocation)
    /// Whether the app, or the person, did something in it.
    case stepEnded(String, needsPerson: Bool)
    case launched(app: String, version: String?)
    case tapped(String)
    /// The topmost screen changed; nil is the app.
    case screen(ScreenNote?)
    case drawn(ScreenPicture)
    case acted(ActionNote, on: String)
    /// The phone got a notification.
    case posted(app: String, title: String, body: String)
    case accessory(AccessoryNote)
    /// The scenario waited for a line of the accessory's program with this text.
    case line(String)
    case command(RehearsedCommand)
    /// What the person needs to know of the home's network from now on; nil while there is none.
    case home(HandHome?)
    /// The home's router reported something that another phone must lead to as well.
    case router(HomeNetworkEvent)
    case expected(String, at: SourceLocation)
    /// Only a simulated phone can do it.
    case alone(String)
}

/// Collects what happens while a scenario runs on the simulated phone. Any thread may use it.
final class Rehearsal: Sendable {
    private struct State {
        var items: [RehearsedItem] = []
        var failures: [Failure] = []
        var lack: Lack?
        var isOver = false
        /// The addresses that the router has given to the stations that are in the home's network.
        var given: [DeviceAddress: String] = [:]

        /// Whether another phone must lead to a report of the router as well. What a station sends again depends on time: a
        /// request for an address that it has already, and tries with another passphrase.
        mutating func isNews(_ event: HomeNetworkEvent) -> Bool {
            switch event {
            case .joined(let station), .left(let station):
                given[station] = nil
                return true
            case .gaveAddress(let address, let station): return given.updateValue(address, forKey: station) != address
            case .refused: return false
            }
        }
    }

    private let state = Mutex(State())

    var items: [RehearsedItem] { state.withLock { $0.items } }
    /// The failures on the simulated phone.
    var failures: [Failure] { state.withLock { $0.failures } }
    /// What the rig lacks.
    var lack: Lack? { state.withLock { $0.lack } }

    /// From now on only failures count.
    func end() { state.withLock { $0.isOver = true } }

    func add(_ item: RehearsedItem) {
        state.withLock { state in
            if !state.isOver { state.items.append(item) }
        }
    }

    func add(_ news: HomeNews) {
        switch news {
        case .network(let home): add(RehearsedItem.home(home))
        case .router(let event):
            if state.withLock({ $0.isNews(event) }) { add(RehearsedItem.router(event)) }
        // A refusal that the scenario awaited must come.
        case .awaited(let event): if event.isRefusal { add(RehearsedItem.router(event)) }
        }
    }

    func add(_ event: ScenarioEvent) {
        switch event {
        case .failure(let failure): state.withLock { $0.failures.append(failure) }
        case .lacks(let lack): state.withLock { $0.lack = $0.lack ?? lack }
        default: if let item = RehearsedItem(event) { add(item) }
        }
    }
}

extension RehearsedItem {
    /// The part of the journey that an event is; nil if it concerns neither the person nor the accessory.
    init?(_ event: ScenarioEvent) {
        switch event {
        case .stepBegan(let name, let budget, let place, _):
            self = .stepBegan(name, budget: .seconds(budget), at: place)
        case .stepEnded(let name, _, _, _): self = .stepEnded(name, needsPerson: false)
        case .expectation(let text, true, let place): self = .expected(text, at: place)
        case .drawn(let picture): self = .drawn(picture)
        case .accessory(let note):
            // A program prints its own times and numbers: only the lines for which a scenario waits are awaited.
            if RehearsedItem.isOfProgram(note) { return nil }
            self = .accessory(note)
        case .phone(let note):
            guard let item = RehearsedItem(note) else { return nil }
            self = item
        default: return nil
        }
    }

    /// The kinds of notes about lines that a program or a host stack prints.
    fileprivate static let lines: Set<String> = ["printed", "printedError", "output", "errors"]
    /// The kinds of notes about programs and host stacks.
    private static let ofPrograms = lines.union(["started", "ended", "lost", "hook"])

    /// Whether a note is about a program or a host stack.
    static func isOfProgram(_ note: AccessoryNote) -> Bool { ofPrograms.contains(note.kind) }

    private init?(_ note: PhoneNote) {
        switch note {
        case .screen(let screen): self = .screen(screen)
        case .person(let action, let title): self = .acted(action, on: title)
        case .app(let app, let what) where what.hasPrefix(LaunchWords.start):
            // What the phone does by itself, a real one does by itself, too.
            if LaunchWords.isInBackground(what) { return nil }
            self = .launched(app: app, version: LaunchWords.version(in: what))
        case .app(_, let what) where ["was suspended", "was woken"].contains(where: what.hasPrefix):
            self = .alone("the app \(what)")
        case .note("person", let what) where what.hasPrefix("tapped “"):
            self = .tapped(String(what.dropFirst("tapped “".count).prefix { $0 != "”" }))
        case .note("Settings", let what): self = .alone("in Settings: \(what)")
        case .note("phone", let what): self = .alone("the phone \(what)")
        case .note("extensions", let what): self = .alone(what)
        default: return nil
        }
    }

    /// Whether the app or its person does something.
    var isOfPerson: Bool {
        switch self {
        case .launched, .tapped, .acted, .posted, .accessory, .router: true
        case .stepBegan, .stepEnded, .screen, .drawn, .line, .command, .home, .expected, .alone: false
        }
    }
}

extension [RehearsedItem] {
    /// Whether the app or its person does something between the beginning of a step and its end. A program does not
    /// report what a phone does with it: then it is the app's step if the scenario does nothing to the accessory in it.
    ///
    /// - Parameter place: Where the step begins.
    func needsPerson(inStepAt place: Int) -> Bool {
        guard case .stepBegan(let name, _, _) = self[place] else { return false }
        var isForAccessory = false
        for item in self[(place + 1)...] {
            if case .stepEnded(name, _) = item { return !isForAccessory }
            if item.isOfPerson { return true }
            if case .command = item { isForAccessory = true }
        }
        return false
    }
}

extension AccessoryNote {
    private static let router = "the home's router"

    /// A report of the home's router.
    init(_ event: HomeNetworkEvent) {
        self.init(
            accessory: AccessoryNote.router, adapter: .first, kind: event.isRefusal ? "refused" : "router",
            text: event.likeness)
    }

    /// Whether the home's router reports that it refused a station.
    var isRefusal: Bool { accessory == AccessoryNote.router && kind == "refused" }

    /// Whether two reports say the same, apart from what differs between two phones and two runs by nature: addresses,
    /// numbers to compare, sizes of packets, and the numbers of requests.
    func isLike(_ other: AccessoryNote) -> Bool {
        accessory == other.accessory && adapter == other.adapter && kind == other.kind && likeness == other.likeness
    }

    /// Whether it is a line of a program or a host stack with this text. A router may give another IP address.
    func isLine(with text: String) -> Bool {
        RehearsedItem.lines.contains(kind) && self.text.withoutIPAddresses.contains(text.withoutIPAddresses)
    }

    /// The text without what differs by nature.
    var likeness: String {
        text.replacing(/([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}/, with: "the phone")
            .replacing(/\b\d{6}\b/, with: "a number")
            .replacing(/\b(passkey shown|compares|shows passkey):? \d{1,6}\b/) { "\($0.output.1): a number" }
            .replacing(/\b(number|mtu|offset):? \d+\b/) { "\($0.output.1): any" }
    }

    /// The number that it shows, as six digits; nil if it shows none.
    var sixDigits: String? {
        let number =
            shownPasskey
            ?? text.firstMatch(of: /\b(?:passkey shown|compares|shows passkey):? (\d{1,6})\b/)
            .flatMap { UInt32($0.output.1) }
            ?? text.firstMatch(of: /\bnumber:? (\d{6})\b/).flatMap { UInt32($0.output.1) }
        return number.map { $0.padded(to: 6) }
    }
}

extension String {
    fileprivate var withoutIPAddresses: String {
        replacing(/\b\d{1,3}(\.\d{1,3}){3}\b/, with: "an address")
    }
}
