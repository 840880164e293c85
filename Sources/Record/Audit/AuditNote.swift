/// What a worker tells of a check of an audit.
package enum AuditNote: Sendable, Hashable, Codable {
    /// The accessory is as the check needs it. From now on strangers attack it.
    case began
    /// A stranger has come.
    ///
    /// - address: Its address on the air.
    /// - interface: The name of the capture's interface with its packets: that of its controller, or the one of all
    ///   Wi-Fi frames.
    case stranger(address: String, interface: String)
    /// What was tried, or what came of it: a sentence.
    case tried(text: String)
    /// What determines the packets of a check that makes them by chance.
    case seed(UInt64)
    /// Which characteristics are open, and to whom.
    case matrix(AuditMatrix)
    /// What the attack has shown. The owner's journey follows, and must pass.
    ///
    /// - reason: What an attacker can do, why there is nothing to attack, or why it is accepted; nil if it holds.
    /// - instead: What to do in place of a check that is out of reach.
    case found(outcome: AuditOutcome, reason: String?, instead: String?)
    /// The packets of the attack in the capture, for each ``tried(text:)`` so far.
    case frames(ofNotes: [AuditFrames])

    enum SeedCodingKeys: String, CodingKey { case _0 = "seed" }
    enum MatrixCodingKeys: String, CodingKey { case _0 = "table" }

    /// For people, one line; nil where nothing is to be said.
    package var text: String? {
        switch self {
        // Who comes is in the story as the owner of an address.
        case .began, .stranger, .frames: nil
        case .tried(let text): "audit: \(text)"
        case .seed(let number): "audit: seed \(number)"
        case .matrix(let matrix):
            "audit: what is open to whom, for \(matrix.rows.count) characteristic\(matrix.rows.count == 1 ? "" : "s")"
        case .found(let outcome, let reason, let instead):
            "audit: " + ([outcome.words, reason, instead].compactMap(\.self)).joined(separator: ": ")
        }
    }
}

extension AuditNote {
    /// Why a check of these lines is accepted although it is breached; nil if it is not.
    package static func acceptance(in story: [RunLine]) -> String? {
        story.lazy.compactMap { line -> String? in
            guard case .audit(.found(.accepted, let reason, _))? = line.worker else { return nil }
            return "breached: \(reason ?? "accepted")"
        }.first
    }
}

/// Packets in a capture, by their numbers, as Wireshark counts them from 1.
package struct AuditFrames: Sendable, Hashable, Codable {
    /// Of more than twice as many, only so many of the first and of the last are kept.
    private static let mostOfAnEnd = 20
    /// The most ranges that are written out.
    private static let mostRanges = 4

    package var numbers: [Int]
    /// How many there are, which may be more.
    package var count: Int

    /// - Parameter numbers: All of them, in order.
    package init(_ numbers: [Int]) {
        let isMany = numbers.count > 2 * AuditFrames.mostOfAnEnd
        self.numbers =
            isMany
            ? numbers.prefix(AuditFrames.mostOfAnEnd) + numbers.suffix(AuditFrames.mostOfAnEnd) : numbers
        count = numbers.count
    }

    /// In words: `frames 7, 9–12`, or `50 frames, 11 to 60`; nil if there are none.
    package var words: String? {
        guard let first = numbers.first, let last = numbers.last else { return nil }
        let ranges = ranges
        if count > numbers.count || ranges.count > AuditFrames.mostRanges {
            return "\(count) frames, \(first) to \(last)"
        }
        let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        return "frame\(count == 1 ? "" : "s") \(texts.joined(separator: ", "))"
    }

    /// Numbers that follow each other are one range.
    private var ranges: [ClosedRange<Int>] {
        numbers.reduce(into: []) { ranges, number in
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }
}

/// All that the record of an attempt has of a check of an audit.
package struct AuditAttempt: Sendable, Hashable {
    /// What was tried, or what came of it.
    package struct Note: Sendable, Hashable {
        /// Nanoseconds since 1970.
        package var time: UInt64
        package var text: String
        package var frames: AuditFrames?

        /// When it came, in seconds since a moment in nanoseconds since 1970.
        package func seconds(since zero: UInt64) -> Double { Double(Int64(bitPattern: time &- zero)) * 1e-9 }
    }

    /// Whether strangers attacked.
    package internal(set) var hasBegun = false
    package internal(set) var notes: [Note] = []
    package internal(set) var seed: UInt64?
    package internal(set) var matrix: AuditMatrix?
    /// What the attack has shown; nil if it came to no end.
    package internal(set) var outcome: AuditOutcome?
    package internal(set) var reason: String?
    package internal(set) var instead: String?

    init() {}

    mutating func take(_ note: AuditNote, at time: UInt64) {
        switch note {
        case .began: hasBegun = true
        case .stranger: break
        case .tried(let text): notes.append(Note(time: time, text: text))
        case .seed(let number): seed = number
        case .matrix(let matrix): self.matrix = matrix
        case .found(let outcome, let reason, let instead):
            (self.outcome, self.reason, self.instead) = (outcome, reason, instead)
        case .frames(let frames):
            for (place, frames) in zip(notes.indices, frames) { notes[place].frames = frames }
        }
    }
}
