/// A value of `BluetoothHabits` that a capture shows.
package struct Habit: Sendable, Hashable, Codable {
    /// The name of the property: `mtu`.
    package var property: String
    /// The value in Swift: `517`.
    package var expression: String
    /// What the capture shows, in words.
    package var text: String
    package var source: Source

    /// A frame of a capture.
    package struct Source: Sendable, Hashable, Codable, CustomStringConvertible {
        package var capture: String
        package var frame: Int

        package var description: String { "frame \(frame) of \(capture)" }
    }

    /// How well a capture shows a habit.
    enum Evidence {
        /// What the phone asked for.
        case direct
        /// What came of it.
        case indirect
        /// The phone did it, on a link that does not show whether it waits for encryption.
        case momentUnknown
        /// A link passed without it. It counts only if no link shows the contrary.
        case absence
    }

    struct Candidate {
        var habit: Habit
        var evidence: Evidence
    }
}

/// What the captures of one phone show of it.
package struct LearnedPhone: Sendable, Hashable, Codable {
    /// What the phone's Bluetooth host can play, each property once.
    package var habits: [Habit] = []
    /// What was seen, and cannot be played.
    package var unplayable: [Observation] = []
    /// What no capture shows, and how a capture could.
    package var missing: [String] = []
    /// Where captures, or links, contradict each other.
    package var contradictions: [String] = []
    /// What could not be read.
    package var gaps: [String] = []

    package struct Observation: Sendable, Hashable, Codable {
        package var text: String
        package var source: Habit.Source
    }

    /// - Parameter conversations: Of one phone, the most telling first.
    package init(_ conversations: [Conversation]) {
        var candidates: [Habit.Candidate] = []
        var omitted = 0
        for conversation in conversations {
            let lessons = Lessons(conversation)
            candidates += lessons.habits
            for one in lessons.unplayable where !unplayable.contains(where: { $0.text == one.text }) {
                unplayable.append(one)
            }
            omitted += lessons.omitted
            gaps += conversation.gaps.map { "\(conversation.name): \($0)" }
        }
        if omitted > 0 { gaps.append("\(omitted) more things were seen that cannot be played; they are left out") }
        // Wi-Fi alone shows nothing of Bluetooth.
        guard conversations.contains(where: { $0.vantage != .wifi }) else { return }
        let byProperty = Dictionary(grouping: candidates, by: \.habit.property)
        for property in HabitProperty.all {
            judge(property, byProperty[property.name] ?? [], conversations)
        }
    }

    /// The most contradictions of one property that are told one by one.
    private static let mostContradictions = 10

    private mutating func judge(
        _ property: HabitProperty, _ candidates: [Habit.Candidate], _ conversations: [Conversation]
    ) {
        func with(_ evidence: Habit.Evidence) -> [Habit] {
            candidates.filter { $0.evidence == evidence }.map(\.habit)
        }
        let absences = with(.absence)
        let shown = with(.direct).isEmpty ? with(.indirect) : with(.direct)
        let doings = shown.isEmpty ? with(.momentUnknown) : shown
        guard let first = doings.first ?? absences.first else {
            return missing.append("\(property.text): \(property.remedy(for: conversations))")
        }
        if shown.isEmpty, !doings.isEmpty {
            missing.append("\(property.text): \(property.remedy(for: conversations))")
        } else {
            habits.append(first)
        }
        var expressions: Set = [first.expression]
        let others = (doings + absences).filter { expressions.insert($0.expression).inserted }
        let end = shown.isEmpty && !doings.isEmpty ? "none is kept" : "the first is kept"
        contradictions += others.prefix(LearnedPhone.mostContradictions).map {
            "\(property.text): \(first.text) (\(first.source)), but \($0.text) (\($0.source)); \(end)"
        }
        if others.count > LearnedPhone.mostContradictions {
            contradictions.append(
                "\(property.text): \(others.count - LearnedPhone.mostContradictions) more values contradict these")
        }
    }
}

/// A property of `BluetoothHabits`, and what a capture needs to show it.
struct HabitProperty {
    /// What of a link a capture must show.
    enum Need {
        /// What the remedy says.
        case nothing
        /// The phone's own HCI, or the air.
        case phoneOrAir(Procedure.Kind)
    }

    var name, text, remedy: String
    var need = Need.nothing

    private static let phoneSide = "only the phone's own HCI shows it (PacketLogger)"
    private static let bonded = "a link with a paired accessory shows whether it waits for encryption"

    /// What a person can do, after these captures.
    func remedy(for conversations: [Conversation]) -> String {
        guard case .phoneOrAir(let kind) = need else { return remedy }
        if conversations.contains(where: { $0.leftToController.contains(kind) }) {
            return "the phone leaves it to its controller; a sniffer shows what that does"
        }
        let isShown = conversations.contains { $0.vantage == .phoneHost || $0.vantage == .air }
        return isShown ? remedy : "the phone's own HCI or a sniffer shows it"
    }

    static let all = [
        HabitProperty(
            name: "connection", text: "connection parameters", remedy: "the capture must have the begin of a link"),
        HabitProperty(
            name: "settledConnection", text: "later connection parameters",
            remedy: "the phone asked for none; a link of 10 s or longer would show them"),
        HabitProperty(name: "connectionScan", text: "scan for an accessory to connect to", remedy: phoneSide),
        HabitProperty(name: "scan", text: "scan for an app", remedy: phoneSide),
        HabitProperty(name: "mtu", text: "MTU", remedy: "the phone offered none"),
        HabitProperty(
            name: "mtuMoment", text: "when it exchanges the MTU",
            remedy: bonded),
        HabitProperty(
            name: "dataLength", text: "data length", remedy: "the phone asked for none", need: .phoneOrAir(.dataLength)),
        HabitProperty(
            name: "dataLengthTime", text: "time of the longest packet", remedy: "the phone asked for none",
            need: .phoneOrAir(.dataLength)),
        HabitProperty(
            name: "dataLengthMoment", text: "when it asks for long packets",
            remedy: bonded, need: .phoneOrAir(.dataLength)),
        HabitProperty(name: "phys", text: "PHYs", remedy: "the phone asked for none", need: .phoneOrAir(.phy)),
        HabitProperty(
            name: "phyMoment", text: "when it asks for a PHY",
            remedy: bonded, need: .phoneOrAir(.phy)),
        HabitProperty(
            name: "versionMoment", text: "when it reads the version",
            remedy: bonded, need: .phoneOrAir(.version)),
        HabitProperty(
            name: "featuresMoment", text: "when it reads the features",
            remedy: bonded, need: .phoneOrAir(.features)),
        HabitProperty(
            name: "greeting", text: "first frame", remedy: "the capture must have a whole link without a bond"),
        HabitProperty(
            name: "pairing", text: "pairing features", remedy: "forget the accessory on the phone, and pair again"),
        HabitProperty(
            name: "encryptsAtOnce", text: "whether it encrypts links to paired accessories at once",
            remedy: "capture a second link, after the pairing"),
        HabitProperty(
            name: "pairsOnSecurityRequest", text: "answer to a Security Request",
            remedy: "the accessory must send one before it is paired"),
        HabitProperty(
            name: "serviceSearch", text: "form of the search for services", remedy: "the phone discovered none"),
        HabitProperty(
            name: "continuesAfterValue", text: "where it goes on with characteristics",
            remedy: "the capture must have the discovery of a service with two characteristics"),
        HabitProperty(
            name: "subscribesToServiceChanged", text: "subscription to Service Changed",
            remedy: "the phone must discover this characteristic before it pairs"),
        HabitProperty(
            name: "hasPrivateAddress", text: "kind of its address",
            remedy: "the capture must have the begin of a link, and of the phone's HCI what set its address before"),
        HabitProperty(
            name: "addressLifetime", text: "how long it keeps an address",
            remedy: "the phone's own HCI over half an hour shows it"),
    ]
}
