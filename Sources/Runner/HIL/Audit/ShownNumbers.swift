import HILPOSIX

/// Numbers for pairing that an accessory showed one after the other.
struct ShownNumbers {
    let numbers: [UInt32]

    /// Numbers of six digits that are drawn by chance look as weak as this once in 10 to the power of this.
    private static let surety = 7
    /// How many digits a number has (Core Specification 6.0, Vol 3, Part H, 2.3.5.6.3), and how many numbers there are.
    private static let (digits, count): (Int, UInt32) = (6, 1_000_000)

    init(_ numbers: [UInt32]) { self.numbers = numbers }

    /// Which of their digits nobody has to guess, in words that follow “its numbers”; nil if each changes, or if too few were
    /// shown.
    var shortness: String? {
        // Counted numbers share their first digits without being short.
        guard Set(numbers).count > 1, predictability == nil else { return nil }
        let texts = numbers.map { Array(ShownNumbers.text($0)) }
        let fixed = (0..<ShownNumbers.digits).filter { place in Set(texts.map { $0[place] }).count == 1 }
        let chance = fixed.count * (numbers.count - 1)
        guard !fixed.isEmpty, chance >= ShownNumbers.surety else { return nil }
        let zeros = (0..<fixed.count).allSatisfy { fixed[$0] == $0 && texts[0][$0] == "0" }
        let what =
            zeros
            ? "are all below 1\(String(repeating: "0", count: ShownNumbers.digits - fixed.count))"
            : "have \(fixed.count) of six digits that never change"
        return "\(what): \(words), by chance once in 10^\(chance)"
    }

    /// How anybody tells the next one, in words that follow “its numbers”; nil if no simple rule does, or if too few were shown.
    var predictability: String? {
        let steps = Set(
            zip(numbers, numbers.dropFirst()).map { ($1 + ShownNumbers.count - $0) % ShownNumbers.count })
        guard let step = steps.first, steps.count == 1, step != 0,
            (numbers.count - 2) * ShownNumbers.digits >= ShownNumbers.surety
        else { return nil }
        return "grow by \(step) each time: \(words)"
    }

    /// Whether so many were shown that a digit which never changes is no chance.
    var areEnough: Bool { numbers.count > ShownNumbers.surety }

    /// The numbers, for the story.
    var words: String { numbers.map(ShownNumbers.text).joined(separator: ", ") }

    /// A number with its leading zeros.
    static func text(_ number: UInt32) -> String { number.padded(to: digits) }
}
