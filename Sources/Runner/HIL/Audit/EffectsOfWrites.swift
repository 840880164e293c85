/// What showed after each of several writes: repetitions of what an owner wrote, and copies with one bit changed.
struct EffectsOfWrites {
    /// What showed after one write.
    struct Round {
        let isRepeated: Bool
        /// The lines that the accessory's program printed.
        let lines: Set<String>
        /// The values that anybody can read, by their handles.
        let values: [UInt16: [UInt8]]
    }

    /// Which writes repeat the owner's. What changes by itself, or at each second write, does not change like this.
    static let order = [true, false, false, true, false, true]

    /// The values before the first of them.
    let before: [UInt16: [UInt8]]
    let rounds: [Round]

    /// What the repeated writes did and the others did not, as a sentence; nil if nothing tells them apart.
    ///
    /// - Parameter name: The name of a value, by its handle.
    func evidence(_ name: (UInt16) -> String) -> String? {
        let (repeated, others) = (rounds.filter(\.isRepeated), rounds.filter { !$0.isRepeated })
        guard let first = repeated.first, !others.isEmpty else { return nil }
        let line = first.lines.sorted().first { line in
            repeated.allSatisfy { $0.lines.contains(line) } && !others.contains { $0.lines.contains(line) }
        }
        if let line { return "it says “\(line)”" }
        let changed = first.values.keys.sorted().first { isSet($0) || isMoved($0) }
        return changed.map { "\(name($0)) changes" }
    }

    /// Whether a value is one and the same after each repeated write, and another one after each other write.
    private func isSet(_ handle: UInt16) -> Bool {
        guard let value = rounds.first(where: \.isRepeated)?.values[handle] else { return false }
        return rounds.allSatisfy { round in
            round.values[handle].map { ($0 == value) == round.isRepeated } ?? false
        }
    }

    /// Whether a value changes at each repeated write, and at no other.
    private func isMoved(_ handle: UInt16) -> Bool {
        var last = before[handle]
        for round in rounds {
            guard let old = last, let new = round.values[handle], (new != old) == round.isRepeated else { return false }
            last = new
        }
        return true
    }
}
