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

    /// A habit with how well the capture shows it: what was asked for counts more than what came of it.
    struct Candidate {
        var habit: Habit
        var isIndirect = false
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
        for conversation in conversations {
            let lessons = Lessons(conversation)
            candidates += lessons.habits
            for one in lessons.unplayable where !unplayable.contains(where: { $0.text == one.text }) {
                unplayable.append(one)
            }
            gaps += conversation.gaps.map { "\(conversation.name): \($0)" }
        }
        // Wi-Fi alone shows nothing of Bluetooth.
        guard conversations.contains(where: { $0.vantage != .wifi }) else { return }
        for property in HabitProperty.all {
            let all = candidates.filter { $0.habit.property == property.name }
            let direct = all.filter { !$0.isIndirect }
            let found = direct.isEmpty ? all : direct
            guard let first = found.first else {
                missing.append("\(property.text): \(property.remedy)")
                continue
            }
            habits.append(first.habit)
            var others: [Habit] = []
            for other in found.map(\.habit) where other.expression != first.habit.expression {
                if !others.contains(where: { $0.expression == other.expression }) { others.append(other) }
            }
            contradictions += others.map {
                "\(property.text): \(first.habit.text) (\(first.habit.source)), but \($0.text) (\($0.source)); the first is kept"
            }
        }
    }
}

/// A property of `BluetoothHabits`, and what a capture needs to show it.
struct HabitProperty {
    var name, text, remedy: String

    private static let phoneSide = "only the phone's own HCI shows it (PacketLogger)"
    private static let phoneOrAir = "the phone's own HCI or a sniffer shows it"

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
            remedy: "a link with a paired accessory shows whether it waits for encryption"),
        HabitProperty(name: "dataLength", text: "data length", remedy: phoneOrAir),
        HabitProperty(name: "dataLengthTime", text: "time of the longest packet", remedy: phoneOrAir),
        HabitProperty(
            name: "dataLengthMoment", text: "when it asks for long packets",
            remedy: "a link with a paired accessory shows whether it waits for encryption; \(phoneOrAir)"),
        HabitProperty(name: "phys", text: "PHYs", remedy: "it asked for none; \(phoneOrAir)"),
        HabitProperty(
            name: "phyMoment", text: "when it asks for a PHY",
            remedy: "a link with a paired accessory shows whether it waits for encryption; \(phoneOrAir)"),
        HabitProperty(
            name: "versionMoment", text: "when it reads the version",
            remedy: "a link with a paired accessory shows whether it waits for encryption; \(phoneOrAir)"),
        HabitProperty(
            name: "featuresMoment", text: "when it reads the features",
            remedy: "a link with a paired accessory shows whether it waits for encryption; \(phoneOrAir)"),
        HabitProperty(name: "greeting", text: "first frame", remedy: "the capture must have the begin of a link"),
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
            name: "hasPrivateAddress", text: "kind of its address", remedy: "the capture must have the begin of a link"),
        HabitProperty(
            name: "addressLifetime", text: "how long it keeps an address",
            remedy: "the phone's own HCI over half an hour shows it"),
    ]
}
