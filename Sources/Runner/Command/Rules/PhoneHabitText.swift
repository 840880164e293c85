import HILBluetoothHost

/// The behaviours of the phone's Bluetooth for a person at the terminal.
struct PhoneHabitText {
    let habits: [PhoneHabit]

    /// A line for each, then the count.
    var lines: [String] {
        habits.map(PhoneHabitText.line) + ["", summary]
    }

    /// The models that ship as personalities: what is known of each itself, and how many.
    static var models: [String] {
        let all = PhoneModel.all.flatMap { model in
            ["", "\(model.name) (\(model.identifier)):"] + model.habits.map { "  \(line($0))" }
        }
        let text = PhoneHabitText(habits: PhoneModel.all.flatMap(\.habits))
        return all + [
            "",
            "\(PhoneModel.all.count) models: \(text.habits.count) behaviours of their own, \(text.counts); all else is assumed",
        ]
    }

    private static func line(_ habit: PhoneHabit) -> String {
        let reference = habit.reference.map { "  (\($0))" } ?? ""
        return "\(padded(habit.source.rawValue, 12))\(habit.text)\(reference)"
    }

    /// `the phone's Bluetooth: 75 behaviours, 3 documented by Apple, …`.
    var summary: String { "the phone's Bluetooth: \(habits.count) behaviours, \(counts)" }

    private var counts: String {
        let words: [(PhoneHabit.Source, String)] = [
            (.documented, "documented by Apple"), (.seen, "seen by developers"), (.learned, "learned from a capture"),
            (.assumed, "assumed"),
        ]
        return words.map { source, text in "\(habits.count { $0.source == source }) \(text)" }.joined(separator: ", ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
