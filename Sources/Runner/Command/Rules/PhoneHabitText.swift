import HILBluetoothHost

/// The behaviours of the phone's Bluetooth for a person at the terminal.
struct PhoneHabitText {
    let habits: [PhoneHabit]

    /// A line for each, then the count.
    var lines: [String] {
        habits.map { habit in
            let reference = habit.reference.map { "  (\($0))" } ?? ""
            return "\(PhoneHabitText.padded(habit.source.rawValue, 12))\(habit.text)\(reference)"
        } + ["", summary]
    }

    /// `the phone's Bluetooth: 75 behaviours, 3 documented by Apple, …`.
    var summary: String {
        let words: [(PhoneHabit.Source, String)] = [
            (.documented, "documented by Apple"), (.seen, "seen by developers"), (.learned, "learned from a capture"),
            (.assumed, "assumed"),
        ]
        let counts = words.map { source, text in "\(habits.count { $0.source == source }) \(text)" }
        return "the phone's Bluetooth: \(habits.count) behaviours, \(counts.joined(separator: ", "))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
